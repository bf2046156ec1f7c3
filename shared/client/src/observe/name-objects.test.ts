import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type StepBlocked, explain } from '../answer.js'
import { createGuard, type Guard } from '../guard.js'

let guard: Guard
const decided: string[] = []
before(async () => {
  guard = await createGuard({
    onDecision: ({ reasons }) => void decided.push(...reasons.map(({ message }) => message)),
  })
})
after(() => guard.close())

async function messageFor(task: string, command: string): Promise<string> {
  const session = await guard.startSession({ category: 'code_debugging', task })
  const answer = await session.propose({ tool: 'Bash', arguments: { command } })
  await session.end()
  assert.match(explain(answer), /waits for approval/)
  return answer.decision?.reasons.find(({ source }) => source === 'irreversible')?.message ?? ''
}

test('the answer names what a step does something to', async () => {
  const task = 'Remove the unused imports and delete src/a.ts'
  for (const [command, message] of [
    ['rm -rf ~/Documents/*', 'deletes `~/Documents/*`, outside this project, which the task does not name'],
    ['rm -rf src/billing.pdf', 'deletes `src/billing.pdf`, which the task does not name'],
    ['psql -c "DROP TABLE users"', 'deletes `users`, which the task does not name'],
    ['docker volume rm pgdata', 'deletes `pgdata`, which the task does not name'],
    ['aws s3 rb s3://acme-old --force', 'deletes `s3://acme-old`, which the task does not name'],
    ['kill -9 -1', 'stops programs, which the task does not name'],
    ['gh issue comment 5', 'writes to `5`, which the task does not ask for'],
    ['ssh web02 sudo systemctl stop nginx', 'stops `nginx`, which is live, which the task does not name'],
  ] as const)
    assert.equal(await messageFor(task, command), message, command)
})

test('a name stays in one line and is cut', async () => {
  const message = await messageFor('Fix the build', `rm -rf ~/x/'${'a'.repeat(300)}\n; b'`)
  assert.ok(message.length < 200 && !message.includes('\n'), message)
})

test('a decision, which leaves this process, names nothing', async () => {
  decided.length = 0
  await messageFor('Fix the build', 'rm -rf ~/Documents/thesis')
  assert.equal(decided[0], 'deletes files, outside this project, which the task does not ask for')
})

test('ask and run name it too', async () => {
  const session = await guard.startSession({ category: 'code_debugging', task: 'Look at the log' })
  const step = { tool: 'Bash', arguments: { command: 'rm -rf ~/Documents/*' } }
  assert.match(explain(await session.ask(step)), /~\/Documents/)
  const other = { tool: 'Bash', arguments: { command: 'rm -rf ~/Pictures/*' } }
  await assert.rejects(
    session.run(other, () => undefined),
    ({ answer }: StepBlocked) => explain(answer).includes('~/Pictures'),
  )
  await session.end()
})

test('of several commands the answer names what asks', async () => {
  const task = 'Fix the build'
  for (const [command, message] of [
    [
      'cd app && npm ci; rm -rf ~/Documents/old && echo done',
      'deletes `~/Documents/old`, outside this project, which the task does not ask for (`rm -rf ~/Documents/old`)',
    ],
    [
      "bash -c 'ls; docker volume rm pgdata'",
      'deletes `pgdata`, which the task does not ask for (`docker volume rm pgdata`)',
    ],
    ['sudo docker volume rm pgdata', 'deletes `pgdata`, which the task does not ask for'],
  ] as const)
    assert.equal(await messageFor(task, command), message, command)
})

test('where the files are on this machine, the answer says what a deletion takes', async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'named-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'app/data'), { recursive: true })
  for (const name of ['a.csv', 'b.csv']) writeFileSync(path.join(folder, 'app/data', name), 'xyz')
  const takes = ': 2 files, 6 bytes (`a.csv`, `b.csv`)'
  const ask = async (args: Readonly<Record<string, unknown>>, more: object = {}, tool = 'Bash') => {
    const session = await guard.startSession({
      category: 'code_debugging',
      task: 'Fix it',
      localFolder: folder,
    })
    const { decision } = await session.propose({ tool, arguments: args, ...more })
    await session.end()
    return decision?.reasons.find(({ effect }) => effect)?.message ?? ''
  }
  for (const command of [
    'rm -rf app/data',
    'cd app && rm -rf data',
    'rm -f app/data/*.csv',
    'sudo rm -rf app/data',
    "sh -c 'ls; rm -rf app/data'",
  ])
    assert.ok((await ask({ command })).endsWith(takes), `${command}: ${await ask({ command })}`)
  assert.ok((await ask({ command: 'rm -rf data', cwd: 'app' })).endsWith(takes))
  assert.ok(
    (await ask({ command: 'rm -rf data' }, { localFolder: path.join(folder, 'app') })).endsWith(takes),
  )
  assert.ok((await ask({ path: 'app/data' }, {}, 'delete_file')).endsWith(takes))
  // Elsewhere, or in a folder that is not known, nothing is looked up.
  for (const command of [
    'ssh web02 rm -rf app/data',
    'docker exec web rm -rf app/data',
    'chroot /mnt rm -rf app/data',
    'cd $X && rm -rf app/data',
    '(cd app && ls); rm -rf data',
    'cd gone; rm -rf data',
    'rm -rf app/gone',
  ])
    assert.doesNotMatch(await ask({ command }), /files, /, command)
  assert.doesNotMatch(await ask({ command: 'rm -rf app/data' }, { isRemote: true }), /files, /)
})

test('a question of many deletions stays in bounds', async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'named-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const session = await guard.startSession({
    category: 'code_debugging',
    task: 'Fix it',
    localFolder: folder,
  })
  for (let i = 0; i < 20; i++) writeFileSync(path.join(folder, `${'long'.repeat(40)}${i}.csv`), '')
  const { decision } = await session.propose({ tool: 'Bash', arguments: { command: 'rm -f *.csv; ls' } })
  for (const { message } of decision?.reasons ?? []) assert.ok(message.length <= 300, message)
  await session.end()
})
