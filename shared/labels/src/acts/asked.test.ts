import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actsAsked } from './asked.js'

const asked = (task: string): readonly string[] =>
  Object.keys(actsAsked(task)).map((name) => name.replace('asks', '').toLowerCase())

test('finds the irreversible acts that a task asks for', () => {
  const rows: readonly (readonly [task: string, acts: readonly string[]])[] = [
    ['Delete the draft in my folder', ['delete']],
    ['Please remove all cancelled events', ['delete']],
    ['Pay the bill that is in my inbox', ['pay']],
    ['Send Ann the 12 € that I owe her', ['pay', 'send']],
    ['Mail the summary to ann@example.com', ['send']],
    ['Publish the release notes', ['publish']],
    ['Share the file with Emma', ['send', 'grant']],
    ['Change my password to something safe', ['credential']],
    ['Get rid of the old volume', ['delete']],
    ['Switch my backup agent off for good', ['delete']],
    ['Set main back to origin', ['overwrite']],
    ['Replace the logo with the new one', ['overwrite']],
    ['The pump is off, look why', []],
    ['Add a licence file to the repository', []],
    ['Open port 8443 in the firewall', ['grant']],
    ['What is on my calendar tomorrow?', []],
    ['Summarise the last three tickets', []],
    ['List the users, but do not delete anything', []],
    ["Look at the invoice, don't send it", []],
    ['Bitte lösche alle Entwürfe', ['delete']],
    ['Bitte keine Entwürfe löschen', []],
    ['', []],
  ]
  for (const [task, acts] of rows) assert.deepEqual(asked(task), acts, task)
})

test('users order by conditions, idioms and passives too', () => {
  const rows: readonly (readonly [task: string, acts: readonly string[]])[] = [
    ['if the tests pass deploy it', ['publish']],
    ['if the migration fails reset the database there', ['delete', 'overwrite']],
    ['the old volume can go', ['delete']],
    ['the runner can be thrown away', ['delete', 'overwrite']],
    ['please stop the web container', ['delete']],
    ['stop deleting files', []],
    ['stop it from deleting', []],
    ['take the raw files out of the history', ['delete']],
    ['make the bucket public', ['grant']],
    ['mia should be able to read the repository', ['grant']],
    ['put it live', ['publish']],
    ['set up the live preview', []],
    ['restart the workers in prod', ['publish']],
    ['look at the workers in prod', []],
    ['we get ThroughputExceeded on the table, why?', []],
    ['chuck the old copies', ['delete', 'overwrite', 'publish']],
    ['sort the old copies', []],
    ['341 is like 298, close it with a note', ['delete', 'send']],
  ]
  for (const [task, acts] of rows) assert.deepEqual(asked(task).toSorted(), acts.toSorted(), task)
})

test('reads only the beginning of a task', () => {
  assert.deepEqual(asked(`${'word '.repeat(1_000_000)} delete it`), [])
})

test('an article of another language begins no order that is not known', () => {
  for (const task of [
    'Corrija a função de login',
    'le pod reste en Pending, corrige ça stp',
    'explica a classe',
  ])
    assert.deepEqual(actsAsked(task), {}, task)
  assert.equal(actsAsked('yeet the branch').asksDelete, 1)
})
