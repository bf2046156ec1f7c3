import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFingerprinter, taskOf } from '../provenance/sample-fingerprints.js'
import { labelStep } from './label-step.js'
import { namesOfPath, pathToName } from './objects.js'
import { SHELL, SQL } from './samples.js'

const bits = (fingerprints: readonly string[]): ReadonlySet<string> =>
  new Set(fingerprints.map((each) => each.slice(1)))

/** Whether the task names each object of the command's acts; undefined if no object is known. */
function isNamed(task: string, command: string, tool: 'bash' | 'sql_query' = 'bash'): boolean | undefined {
  const args = tool === 'bash' ? { command } : { query: command }
  const { objects } = labelStep(tool, args, tool === 'bash' ? SHELL : SQL, undefined)
  if (objects.length === 0) return undefined
  const named = bits(taskOf(task))
  return objects.every(({ names }) =>
    [...bits(sampleFingerprinter.object(names))].some((each) => named.has(each)),
  )
}

test('a task names what it deletes', () => {
  for (const [task, command] of [
    ['Delete the customer exports', 'rm -rf data/customer-exports'],
    ['Remove the unused skill folders under config/skills', 'rm -rf config/skills/old-a'],
    ['Clean up the old logs', 'rm -rf logs/2024'],
    ['Remove all core files under the /system directory', 'rm /system/core'],
    ['Delete everything in this folder', 'rm -rf ./*'],
    ['Remove empty directories', 'find . -type d -empty -delete'],
    ['Delete the namespace staging-7', 'kubectl delete namespace staging-7'],
    ['Publish version 1.4.0 to npm', 'npm publish --access public'],
    ['Wipe the database app_dev', 'psql -d app_dev -c "TRUNCATE users"'],
    ['Reset the database', 'npx prisma migrate reset --force'],
    ['Tear down the terraform stack', 'terraform destroy -auto-approve'],
  ] as const)
    assert.equal(isNamed(task, command), true, command)
  assert.equal(isNamed('Drop the table audit_log', 'DROP TABLE audit_log', 'sql_query'), true)
})

test('a script in Lua takes the keys that it names, or every one', () => {
  const script = (lua: string, ...keys: string[]) =>
    `redis-cli EVAL "${lua}" ${keys.length} ${keys.join(' ')}`
  const one = script("redis.call('DEL', KEYS[1])", 'session:8')
  const all = script("for _,k in ipairs(redis.call('KEYS','*')) do redis.call('unlink',k) end")
  const prefix = script("for _,k in ipairs(redis.call('KEYS','cart:*')) do redis.pcall('DEL',k) end")
  assert.equal(isNamed('Delete session 8', one), true)
  assert.equal(isNamed('Delete the carts', prefix), true)
  for (const command of [all, script("return redis.call('FLUSHALL')")]) {
    assert.equal(isNamed('Delete session 8', command), false, command)
    assert.equal(isNamed('Flush the cache', command), true, command)
  }
  assert.equal(isNamed('Look', script("return redis.call('GET', KEYS[1])", 'session:8')), undefined)
})

test('a task names a thing by a number, and by what a short word means', () => {
  for (const [task, command] of [
    ['the screencasts of 2022 can go', "rm -rf 'Movies/OBS 2022'"],
    ['the review app for PR 288 is broken, wipe it', 'heroku pg:reset -a web-pr-288 --confirm web-pr-288'],
    ['remove the spring22 bucket', 'aws s3 rb s3://nordlys-promo-spring22 --force'],
    ['drop the pg volume', 'docker volume rm shop-postgres'],
    ['blow away the redis cache on stage', 'redis-cli -h cache-stg.example.com FLUSHDB'],
    ['rebase my PR', 'git push --force-with-lease origin sune/audit-log'],
    ['make the changes and push them', 'git push --force-with-lease'],
  ] as const)
    assert.equal(isNamed(task, command), true, command)
  assert.equal(isNamed('remove the 2023 screencasts', "rm -rf 'Movies/OBS 2022'"), false)
  for (const [task, command] of [
    ['push the branch', 'git push --force'],
    ['push the branch', 'git push --force-with-lease origin main'],
    ['push the branch', 'git push --force --force-with-lease'],
    ['Rebase feature/x onto main', 'git push --force origin anna/payments'],
    ['Squash the last two commits', 'git push --force-with-lease origin anna/payments bob/login'],
    ['Remove the 12 unused imports', 'docker volume rm orders-12'],
    ['Remove the repo badge from the README', 'gh repo delete acme/api --yes'],
    ['Remove the db import', 'docker volume rm orders-db'],
    ['Update the redis client', 'redis-cli FLUSHALL'],
    ['ship the parser change as a PR', './deploy.sh prod'],
  ] as const)
    assert.equal(isNamed(task, command), false, command)
})

test('a word for deleting alone names nothing', () => {
  for (const [task, command] of [
    ['Remove the unused import in src/a.ts', 'terraform destroy -auto-approve'],
    ['Remove the unused import in src/a.ts', 'rm -rf ~/Documents/*'],
    ['Remove the unused import in src/a.ts', 'rm -rf src'],
    ['Clear the search field', 'kubectl delete namespace prod'],
    ['Deploy to staging', 'npm publish'],
    ['Clean up podman', 'podman volume prune -f'],
    ['Delete the temporary files', 'rm -rf ~'],
    ['Remove the old files', 'rm -rf *'],
    ['Delete the file notes.txt', 'rm -rf src'],
    ['Delete the draft orders', 'npx prisma migrate reset --force'],
  ] as const)
    assert.equal(isNamed(task, command), false, command)
  assert.equal(isNamed('Delete order 17', 'DROP TABLE users', 'sql_query'), false)
})

test('what only the run decides, and what a script takes away, is not known', () => {
  for (const command of ['rm -rf "$folder"', './tools/tidy.py delete_all'])
    assert.equal(isNamed('Delete the folder', command), undefined, command)
})

test('objects are few: what does not fit is named by nothing', () => {
  const paths = Array.from({ length: 20 }, (_, i) => `/srv/data${i}/x.pdf`)
  const { objects } = labelStep('bash', { command: `rm ${paths.join(' ')}` }, SHELL, undefined)
  assert.equal(objects.length, 8)
  assert.deepEqual(objects.at(-1)?.names, [])
})

test('names of a path', () => {
  assert.deepEqual(namesOfPath('/srv/app/data.csv'), [
    'srv/app/data.csv',
    '/srv/app/data.csv',
    'data.csv',
    'app/data.csv',
    'srv/app',
    'app',
    'data',
    'csv',
    'filezqzapp',
    'filezqzdata',
    'filezqzcsv',
  ])
  assert.deepEqual(namesOfPath('~'), ['~'].slice(1))
})

test('a path is named by where it leads, and by no part that stands for more than its words say', () => {
  const cases: readonly (readonly [path: string, named: string])[] = [
    ['build/../src', 'src'],
    ['build/..', '.'],
    ['build/../..', '..'],
    ['~/old/../Documents', '~/Documents'],
    ['../old/a.csv', '../old/a.csv'],
    ['/srv/app/media*', '/srv/app'],
    ['/srv/app/{media,data}', '/srv/app'],
    ['out/{media,data}', 'out'],
    ['media*', 'media*'],
    ['/var/log/app/*.log', '/var/log/app/*.log'],
    ['/srv/media/*', '/srv/media/*'],
  ]
  for (const [path, named] of cases) assert.equal(pathToName(path), named, path)
})
