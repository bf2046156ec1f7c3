import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitsOfTask } from './limits-of-task.js'
import { ACTING } from './names-of-acts.js'
import { LOOSENED, OUTSIDE, SCRATCH, limitName } from './names-of-change.js'

const place = (path: string): string => limitName('place', path)
const word = (name: string): string => limitName('word', name)

test('a task restricts changes to the places that it names, and to what it says beside them', () => {
  const cases: readonly (readonly [task: string, ...names: string[]])[] = [
    ['Only modify files in src/auth/.', place('src/auth')],
    ['Refactor the login.\n- ONLY change files under `services/web/app/`', place('web/app')],
    ['Only modify package.json and lock files', place('package.json'), word('lock')],
    [
      'Fix src/auth/user.py. Only modify files within src/auth/ directory',
      place('src/auth'),
      place('auth/user.py'),
    ],
    ['Please only touch app.ts', place('app.ts')],
  ]
  for (const [task, ...names] of cases)
    assert.deepEqual(new Set(limitsOfTask(task).only), new Set([...names, SCRATCH, ACTING]), task)
})

test('a task forbids changes of what it names', () => {
  const cases: readonly (readonly [task: string, ...names: string[]])[] = [
    ['Do not touch src/old/.', place('src/old')],
    ['Fix it. Do not touch src/old', place('src/old')],
    ['fix login, do not touch the tests', word('test'), LOOSENED],
    ['Fix it, leave the tests alone', word('test'), LOOSENED],
    ['Do not change anything in the tests', word('test'), LOOSENED],
    ['Fix it; do NOT modify test files or test data', word('test'), LOOSENED],
    ["Don't edit migration files", word('migration')],
    ['Do not modify any files in the `tests/` directory', place('tests')],
    ['Do **not** modify `utils/env_check.py`', place('utils/env_check.py')],
    ['Do not change migration files in db/', word('migration')],
    ['Clean up without changing config.yaml', place('config.yaml')],
    ['Do not modify or delete docs/a.md', place('docs/a.md')],
    ['Only modify application source files', OUTSIDE],
    ['Do not edit system directories', OUTSIDE],
    ['Do not skip or disable tests', LOOSENED],
    ['Do not relax timeouts to hide problems', LOOSENED],
    ['Fix bugs in source code only', word('test'), LOOSENED],
    ['Fix the algorithm, not the tests', word('test'), LOOSENED],
  ]
  for (const [task, ...names] of cases)
    assert.deepEqual([...limitsOfTask(task).never].sort(), [...names].sort(), task)
})

test('a task that only wants to know, or says when to begin, lets nothing but scratch change', () => {
  for (const task of [
    "look at the release script, but don't action until I tell you to",
    'Read-only analysis of the dashboard queries',
    'Investigation should be read-only and observational',
    'Do not change anything yet.',
    "Don't make any changes",
    'Only inspect the dashboards',
  ])
    assert.deepEqual(limitsOfTask(task).waits, [SCRATCH, ACTING], task)
  const { waits } = limitsOfTask('Write what you find to notes/report.md. Do not modify any code.')
  assert.deepEqual(waits, [SCRATCH, ACTING, place('notes/report.md')])
})

test('reports, conditions and other verbs set no limit', () => {
  for (const task of [
    'requests should not send this header, and I did not test it',
    'It should never change the value. The server cannot modify it.',
    'Do not modify the schema unless it is broken',
    'Do not cache results',
    'Do not report success if the build fails',
    'Only report events that appear in real logs',
    'Delete ONLY under /srv/previews/',
    'Add a job that deletes old files ONLY under `logs/app/`.',
    'Only write log files to logs/api/',
    'Do not change the graph state',
    'Only derive edges from verified traces',
    'Only update CHANGELOG.md if the interface changes',
    'Do not change the API. Do not touch the header.',
    'Do not modify `_disable_logging` in `file_watcher.py`',
    'Fix the parser. Only look at failing tests first.',
    "Don't forget to update the tests",
    '',
  ]) {
    const { only, never, waits } = limitsOfTask(task)
    assert.deepEqual({ only, never, waits }, { only: [], never: [], waits: [] }, task)
  }
})

test('the narrower of two places stays open', () => {
  const { only, never } = limitsOfTask('Only change files under tmp/cache. Do not touch tmp/')
  assert.ok(only.includes(place('tmp/cache')))
  assert.deepEqual(never, [])
})

test('who may change a folder of tests may change its tests, but not leave them out', () => {
  const task = 'Do not modify contract expectations. Only modify services/scoring/tests/.'
  assert.deepEqual(limitsOfTask(task).never, [LOOSENED])
  assert.deepEqual(limitsOfTask('Do not modify expectations. Only modify src/.').never, [
    word('test'),
    LOOSENED,
  ])
})

test('a later text lifts what it asks to change, and a task does not', () => {
  const text = 'Now update the tests and docs/guide.md'
  const { allows, goes } = limitsOfTask(text, true)
  assert.ok(allows.includes(word('test')) && allows.includes(place('docs/guide.md')) && goes)
  assert.deepEqual(limitsOfTask(text).allows, [])
  assert.ok(limitsOfTask('ok, go ahead', true).goes)
  for (const other of ['what did you find?', 'Do not touch the tests', "don't change anything yet"])
    assert.ok(!limitsOfTask(other, true).goes, other)
})

test('a long text sets no more than 24 limits of a kind', () => {
  const many = Array.from({ length: 400 }, (_, n) => `Do not touch f${n}/x.`).join('\n')
  assert.equal(limitsOfTask(many).never.length, 24)
  const named = Array.from({ length: 40 }, (_, n) => `Write n${n}/x.`).join('\n')
  assert.equal(limitsOfTask(`${named}\nDo not modify any code.`).waits.length, 24)
})

test('who may overwrite nothing may write what is new', () => {
  assert.deepEqual(limitsOfTask('Sort the invoices into folders by month, dont overwrite anything').waits, [])
  assert.notDeepEqual(limitsOfTask('Look at the invoices, dont change anything').waits, [])
})

test('the database and its schema are no files, and what the user will send is not sent', () => {
  const { never } = limitsOfTask("speed it up. don't touch the db")
  assert.deepEqual(never, [limitName('word', 'database')])
  assert.ok(limitsOfTask('Do not modify the database').never.includes(limitName('word', 'database')))
  assert.ok(limitsOfTask('write it up, i will send it round later').never.includes(limitName('act', 'send')))
})
