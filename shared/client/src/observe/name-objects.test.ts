import assert from 'node:assert/strict'
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
  const task = 'Remove the unused import in src/a.ts'
  for (const [command, message] of [
    ['rm -rf ~/Documents/*', 'deletes `~/Documents/*`, outside this project, which the task does not name'],
    ['rm -rf src/billing.pdf', 'deletes `src/billing.pdf`, which the task does not name'],
    ['psql -c "DROP TABLE users"', 'deletes `users`, which the task does not name'],
    ['docker volume rm pgdata', 'deletes `pgdata`, which the task does not name'],
    ['aws s3 rb s3://acme-old --force', 'deletes `s3://acme-old`, which the task does not name'],
    ['kill -9 -1', 'stops programs, which the task does not name'],
    ['gh issue comment 5', 'writes to `5`, which the task does not ask for'],
    [
      'ssh web02 sudo systemctl stop nginx',
      'changes `web02`, which is live, which the task does not ask for',
    ],
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
