import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../label-step.js'
import { SHELL } from '../samples.js'
import { ACTING } from './names-of-acts.js'
import { LOOSENED, OUTSIDE, SCRATCH, limitName, namesOfChange } from './names-of-change.js'

const place = (path: string): string => limitName('place', path)
const changesOf = (command: string) => labelStep('bash', { command }, SHELL, undefined).changes
const isOfPlace = (given: readonly string[]): boolean => !given.includes(ACTING)
const names = (command: string): readonly string[] => changesOf(command).flat()

test('a path is known by its folders and its name, alone and in pairs, and by their words', () => {
  const known = namesOfChange('src/auth/test_userTokens.py')
  for (const name of ['src', 'auth', 'src/auth', 'auth/test_usertokens.py', 'test_usertokens.py'])
    assert.ok(known.includes(place(name)), name)
  for (const word of ['src', 'auth', 'test', 'user', 'token'])
    assert.ok(known.includes(limitName('word', word)), word)
  assert.ok(!known.includes(OUTSIDE) && !known.includes(SCRATCH))
})

test('what lies outside of the project, and scratch, say so', () => {
  for (const path of ['/etc/hosts', '~/.bashrc', '../shared/a.py', 'a/../../b', '/usr/lib/python3/x.py'])
    assert.ok(namesOfChange(path).includes(OUTSIDE), path)
  assert.ok(namesOfChange('/tmp/x').includes(SCRATCH))
  assert.ok(!namesOfChange('/home/ann/app/src/a.ts').includes(OUTSIDE))
})

test('commands report what they change', () => {
  for (const [command, path] of [
    ['echo a > src/a.ts', 'src/a.ts'],
    ['tee src/a.ts < b', 'src/a.ts'],
    ['sed -i s/a/b/ src/a.ts', 'src/a.ts'],
    ['cp b src/a.ts', 'src/a.ts'],
    ['mv src/a.ts b', 'src/a.ts'],
    ['rm src/a.ts', 'src/a.ts'],
    ['mkdir src/a', 'src/a'],
    ['chmod +x src/a.sh', 'src/a.sh'],
    ['cd src && touch a.ts', 'src/a.ts'],
    ['find src/a -name "*.x" -delete', 'src/a'],
    ['find src/a -type f -exec rm {} +', 'src/a'],
  ] as const)
    assert.ok(names(command).includes(place(path)), command)
  for (const command of [
    'crontab -e',
    'sysctl -w a=b',
    'timedatectl set-timezone UTC',
    'systemctl enable --now x',
    'swapoff -a',
  ])
    assert.ok(names(command).includes(OUTSIDE), command)
  assert.equal(
    changesOf('rm a; find src -exec cat {} +').filter(isOfPlace).length,
    1,
    'what deletes is before',
  )
  for (const command of [
    'cat src/a.ts',
    'ls src',
    'crontab -l',
    'systemctl restart app',
    'git status',
    'npm test',
  ])
    assert.deepEqual(changesOf(command).filter(isOfPlace), [], command)
})

test('what loosens checks says so', () => {
  for (const command of [
    'pytest --ignore=tests/slow',
    "pytest -k 'not slow'",
    'npx jest -u',
    'pytest --snapshot-update',
    'rm tests/login.test.ts',
    'echo "[pytest]" > pytest.ini',
    "cat > tests/a_test.py <<'X'\n@pytest.mark.skip\ndef test_a(): pass\nX",
  ])
    assert.ok(names(command).includes(LOOSENED), command)
  for (const command of ['pytest -q tests', 'npm test', "cat > a_test.py <<'X'\nassert f() == 1\nX"])
    assert.ok(!names(command).includes(LOOSENED), command)
})

test('of more than eight things the last has no names, and so has a place that only the run knows', () => {
  const many = changesOf(`touch ${Array.from({ length: 40 }, (_, n) => `f${n}`).join(' ')}`)
  assert.equal(many.length, 8)
  const words = Array.from(
    { length: 80 },
    (_, n) => `w${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`,
  )
  assert.deepEqual(many.at(-1), [])
  for (const command of ['echo a > "$F"', 'rm "$F"/a', `touch ${words.join('_')}`])
    assert.ok(
      changesOf(command).some((each) => each.length === 0),
      command,
    )
})

test('what changes a database is known by it, and no limit to files means it', () => {
  const word = (text: string): string => limitName('word', text)
  for (const [command, ...words] of [
    ["psql rep -c 'UPDATE x SET a=1 WHERE id=3'", 'database'],
    ["psql rep -c 'CREATE INDEX i ON events (p)'", 'database', 'schema'],
    ['npx prisma migrate deploy', 'database', 'schema', 'migration'],
    ['python manage.py migrate', 'database', 'schema', 'migration'],
    ['alembic upgrade head', 'database', 'schema', 'migration'],
  ] as const) {
    const change = changesOf(command).find((each) => each.includes(word('database'))) ?? []
    for (const each of words) assert.ok(change.includes(word(each)), `${command}: ${each}`)
    assert.ok(change.includes(SCRATCH), command)
  }
  for (const command of ["psql rep -c 'SELECT 1'", 'python manage.py makemigrations', 'git log'])
    assert.ok(!names(command).includes(word('database')), command)
})
