import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNotOrdered, kindsOfNamed, namesNotOrdered, onlyStops, partsOfNames } from './not-ordered.js'

const CASES: readonly (readonly [task: string, names: readonly string[]])[] = [
  // What it says to leave alone.
  ['delete the folder tmp. Do not delete the folder thesis.', ['thesis']],
  ['delete tmp.bak and keep exports', ['exports']],
  ['delete the namespace dev, not prod', ['prod']],
  ['drop the table old rather than users', ['users']],
  ['delete staging, prod stays', ['prod']],
  ['delete the folder tmp. Leave data alone.', ['data']],
  // Where things went.
  ['delete bucket old-media, everything was copied to new-media', ['new-media']],
  ['delete the user bob; his files go to alice', ['alice']],
  ['terminate i-0aaa1111, traffic goes to i-0bbb2222 now', ['i-0bbb2222']],
  // What a named thing lies in.
  ['delete the branch old in acme/shop', ['acme/shop', 'shop']],
  ['delete the pod api-7 in namespace staging', ['staging']],
  ['drop the column nick of table users', ['users']],
  ['remove jana from the table customers', ['customers']],
  // A file that is named is the one.
  ['delete the file old.csv', ['file', 'files']],
  ['delete the directory tmp-x', ['directory']],
]
const NOTHING = [
  'delete everything in logs',
  'remove all the generated files in out/',
  'delete the csv files in data',
  'remove the volumes of the player stack',
  'delete the old experiment folders runs/exp_001 .. runs/exp_014',
  'purge secrets.json from the whole history of wren-notes',
  'delete the file that is empty',
  'keep the tests green and fix the bug',
  'the folder build is stale, delete it',
]

test('names of what is left alone, of where things went and of what a thing lies in are none of the orders', () => {
  for (const [task, names] of CASES) {
    const found = namesNotOrdered(task)
    for (const name of names) assert.ok(found.includes(name), `${task}: ${found.join(' ')}`)
  }
})

test('a name that an order has too is one of it, and so are the places of all that is in them', () => {
  for (const task of NOTHING) assert.deepEqual(namesNotOrdered(task), [], task)
  assert.deepEqual(namesNotOrdered('delete the branch old in shop and then the repo shop'), [])
})

test('what a later message orders is ordered from then on', () => {
  const notOrdered = createNotOrdered()
  notOrdered.read('delete the branch old in acme/shop')
  assert.ok(notOrdered.names.has('acme/shop'))
  notOrdered.read('and delete the repo acme/shop too')
  assert.ok(!notOrdered.names.has('acme/shop') && !notOrdered.names.has('shop'))
})

test('a task that stops, closes or switches a thing off does not order its deletion', () => {
  for (const task of [
    'Stop the old reporting service',
    'close issue 14',
    'Disable the account of marta',
    'shut down the vm build7',
    'take the app demo down',
    'pause the cron job',
  ])
    assert.ok(onlyStops(task), task)
  for (const task of [
    'stop and remove the container web',
    'delete issue 14',
    'close the old tickets and delete their branches',
    'fix the bug',
  ])
    assert.ok(!onlyStops(task), task)
  const read = createNotOrdered()
  read.read('stop the container web')
  assert.ok(read.onlyStops)
  read.read('delete it too')
  assert.ok(!read.onlyStops)
})

test('words within longer names alone say nothing of other things', () => {
  for (const [task, parts] of [
    ['delete orders-test', ['orders', 'test']],
    ['delete orders-test of orders', ['test']],
    ['delete the order and orders-test', ['orders', 'test']],
    ['empty the tables that start with imp_', []],
    ['remove the rows of timetable.enrolments', ['timetable']],
    ['clean ~/work/demo/build', []],
    ['delete the files in my-app/dist', ['my', 'app']],
  ] as const)
    assert.deepEqual(partsOfNames(task), parts, task)
})

test('a kind of thing behind which a name stands means that one', () => {
  assert.deepEqual(kindsOfNamed('close issue 14'), ['issue', 'issues', 'kindzqzissue'])
  assert.deepEqual(kindsOfNamed('delete the topic orders.retry'), ['topic', 'topics', 'kindzqztopic'])
  assert.deepEqual(kindsOfNamed('merge PR #7'), ['pr', 'prs', 'kindzqzpull'])
  for (const task of [
    'delete the topic and its data',
    'remove old volumes',
    'delete jobs of the last 3 days',
  ])
    assert.deepEqual(kindsOfNamed(task), [], task)
})
