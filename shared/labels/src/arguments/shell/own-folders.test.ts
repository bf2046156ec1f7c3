import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../label-step.js'
import { SHELL } from '../samples.js'
import { ownName, ownNamesOf } from './own-folders.js'

const stepOf = (command: string) => labelStep('bash', { command }, SHELL, undefined)
const foldersOf = (...given: Parameters<typeof ownNamesOf>): readonly string[] =>
  ownNamesOf(...given).filter((name) => !name.startsWith('ownthing:'))
const madeBy = (command: string): readonly string[] => foldersOf(stepOf(command))
const deletes = (command: string): boolean => stepOf(command).signals['doesDelete'] === 1

test('a step reports the folders that it makes, as seen from where it began', () => {
  const cases: readonly (readonly [command: string, ...folders: string[]])[] = [
    ['mkdir -p work/a other', 'work/a', 'other'],
    ['mkdir harbour\ncd harbour\nls', 'harbour'],
    ['mkdir data && ls', 'data'],
    ['cd work && mkdir ./a/', 'work/a'],
    ['cd /srv/app && mkdir a', '/srv/app/a'],
    ['git clone https://example.org/team/harbour.git', 'harbour'],
    ['git clone https://example.org/team/harbour pier', 'pier'],
    ['git clone --depth 1 -b main https://example.org/team/harbour', 'harbour'],
    ['gh repo clone team/harbour', 'harbour'],
    ['gh repo clone team/harbour pier -- --depth 1', 'pier'],
    ['git worktree add ../x'],
    ['git worktree add trees/x main', 'trees/x'],
    ['python3 -m venv myenv', 'myenv'],
    ['cargo new --lib pier', 'pier'],
    ['npx create-next-app web-shop --ts', 'web-shop'],
    ['npm create vite@latest harbour', 'harbour'],
    ['npm init -y'],
    ['cp -r src pier'],
    ['rm -rf old', 'old'],
    ['mkdir "$X"'],
    ['cd "$X" && mkdir a'],
    ['cd .. && mkdir a'],
    ['mkdir ~/a'],
    ['ls work'],
  ]
  for (const [command, ...folders] of cases) assert.deepEqual(madeBy(command), folders.map(ownName), command)
})

test('what may have been there before is own only where its name says that it may be new, or nothing is there', () => {
  for (const command of [
    'mkdir -p data',
    'mkdir --parents src/components',
    'mkdir -p /srv/harbour',
    'mkdir -p /var/lib/postgresql',
    'mkdir -p /home/ann/photos',
    'mkdir -p customer-exports',
    'mkdir data || true',
    'mkdir data; ls',
    'git clone https://example.org/team/data || true',
    'echo a > customers.csv',
  ]) {
    const step = stepOf(command)
    assert.deepEqual(foldersOf(step), [], command)
    assert.deepEqual(
      foldersOf(step, () => true),
      [],
      command,
    )
    assert.equal(foldersOf(step, () => false).length, 1, command)
  }
  for (const command of [
    'mkdir -p build/tmp-x',
    'mkdir -p spike/parser',
    'mkdir -p /tmp/a',
    'echo a > test.csv',
  ]) {
    assert.equal(foldersOf(stepOf(command)).length, 1, command)
    assert.deepEqual(
      foldersOf(stepOf(command), () => true),
      [],
      command,
    )
  }
})

test('a folder that the session did not make is deleted for good; what this very command made, and builds, are not', () => {
  for (const command of [
    'rm -rf thesis',
    'rm -rf src/old',
    'mkdir thesis; cd x && rm -rf thesis',
    'mkdir a && rm -rf ../a',
    'mkdir -p thesis && rm -rf thesis',
    'mkdir thesis; rm -rf thesis',
    'mkdir thesis || true; rm -rf thesis',
  ])
    assert.ok(deletes(command), command)
  for (const command of [
    'mkdir a && rm -rf a',
    'mkdir a && rm -rf a/b',
    'rm -rf dist',
    'rm -rf node_modules build',
  ])
    assert.ok(!deletes(command), command)
})

test('what is deleted may be own by its name, or by that of a folder above it', () => {
  const { own } = stepOf('rm -rf work/a/b').objects[0] ?? assert.fail()
  for (const folder of ['work/a/b', 'work/a', 'work']) assert.ok(own.includes(ownName(folder)), folder)
  assert.ok(!own.includes(ownName('b')))
})

test('an endless list of folders is bounded', () => {
  const names = Array.from({ length: 200 }, (_, n) => `d${n}`).join(' ')
  assert.equal(madeBy(`mkdir ${names}`).length, 8)
})

test('a file that only tries whether a folder can be written is taken away again', () => {
  for (const command of [
    'touch /data/.w && rm /data/.w',
    'touch /srv/app/__write_test && rm -f /srv/app/__write_test',
    'echo ok > /mnt/share/.probe && cat /mnt/share/.probe && rm /mnt/share/.probe',
    "docker exec web sh -c 'touch /data/perm-check && rm /data/perm-check'",
  ])
    assert.ok(!deletes(command), command)
  for (const command of [
    'touch /data/orders && rm /data/orders',
    'touch /data/.w && rm /data/.w /data/orders',
    'touch /data/.w && rm -rf /data',
    'touch /data/test.db && rm /data/test.db',
    'rm /data/.w',
  ])
    assert.ok(deletes(command), command)
})

test('what a compiler or a profiler makes is own, and what others made is not for lying in an own folder', () => {
  for (const [command, ...made] of [
    ['gcc -g bst.c -o bst', 'bst'],
    ['go test -cpuprofile /tmp/c.out ./render', '/tmp/c.out', 'render.test'],
    ['go build -o bin/app ./cmd/app', 'bin/app'],
    ['gcc -c bst.c'],
    ['curl -o bst https://example.org'],
  ] as const)
    assert.deepEqual(stepOf(command).made, made.map(ownName), command)
  assert.ok(deletes('mkdir w; mv ~/Documents w/; rm -rf w'))
  assert.ok(!deletes('mkdir w; mv dist w/; rm -rf w'))
  assert.ok(!deletes('mkdir w && cp -r ~/Documents w/ && rm -rf w'))
})
