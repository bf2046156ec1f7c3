import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const read = (command: string) => labelStep('bash', { command }, SHELL, undefined)
const isComplete = (command: string): boolean => read(command).signals['complete'] === 1

test('programs of stores on this machine send nothing', () => {
  for (const command of [
    'createdb -h localhost shop_dev',
    'pg_dump shop_dev',
    'redis-cli ping',
    'redis-cli -h 127.0.0.1 -n 2 keys rate:*',
    'mysqldump -u root --host=127.0.0.1 shop',
    'mongodump --uri mongodb://localhost:27017/shop',
    'dropdb --if-exists shop_dev',
    'open http://localhost:8000',
    'xdg-open out/report.html',
  ])
    assert.ok(isComplete(command), command)
})

test('those of another host, and scripts of a store, may do anything', () => {
  for (const command of [
    'pg_dump -h db.acme.example shop',
    'redis-cli -u redis://cache.acme.example get a',
    'mongodump --uri mongodb+srv://c0.acme.example/shop',
    'redis-cli -h "$HOST" get a',
    'redis-cli --eval job.lua',
    'cat a | redis-cli --pipe',
    'open https://acme.example/?d=x',
  ])
    assert.ok(!isComplete(command), command)
})

test('a database of this machine is named by what tasks call it', () => {
  const namesOf = (command: string) => read(command).objects.flatMap(({ names }) => names)
  assert.ok(namesOf('dropdb -h localhost shop_dev').includes('kindzqzlocaldb'))
  assert.ok(!namesOf('dropdb -h db.acme.example shop').includes('kindzqzlocaldb'))
})
