import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inwardName, overwrittenWords, placesOfDeletion, withPlainPaths } from './named-places.js'

test('a copy overwrites what follows to, or stands before from', () => {
  for (const [task, words] of [
    ['mirror my photos folder to the nas', 'to the nas'],
    ['Restore the photos from the nas', 'restore the photos'],
    ['copy a dump onto stick7, then tidy', 'onto stick7 then tidy'],
    ['spiegle den Ordner photos auf das NAS', 'auf das nas'],
    ['sync photos', 'sync photos'],
    ['delete the photos', ''],
    ['', ''],
  ] as const)
    assert.equal(overwrittenWords(task).join(' '), words, task)
  assert.equal(inwardName('Photos-2'), 'inwardzqzphotos2')
})

test('places of what is deleted are not to go', () => {
  for (const [task, words] of [
    ['clean the build stuff in my projects', 'my projects'],
    ['a script that cleans build files under ~/work and run it', 'work'],
    ['clean the build files in work, then delete work', ''],
    ['delete the project demo in ~/work', 'work'],
    ['lösch bitte den Ordner alt in ~/arbeit', 'arbeit'],
    ['delete the folder in ~/work', ''],
    ['delete everything in my projects', ''],
    ['delete the old logs in /var/log', ''],
  ] as const)
    assert.equal(placesOfDeletion(task).join(' '), words, task)
})

test('a hostile task is read in linear time', () => {
  for (const text of ['clean build files in ', 'mirror to from ', 'clean '])
    assert.ok(
      overwrittenWords(text.repeat(200_000)).length + placesOfDeletion(text.repeat(200_000)).length < 100,
    )
})

test('paths of Windows are read as those of others', () => {
  for (const [task, plain] of [
    ['delete C:\\jobs\\exports\\tmp_1 now', 'delete /C/jobs/exports/tmp_1 tmp_1 now'],
    [
      'run D:\\scripts\\kassa-export.ps1',
      'run /D/scripts/kassa-export.ps1 kassa-export.ps1 kassa export ps1',
    ],
    ['open d:/a/b', 'open /d/a/b b'],
    ['see http://example.org/a and x:y', 'see http://example.org/a and x:y'],
  ] as const)
    assert.equal(withPlainPaths(task), plain, task)
})
