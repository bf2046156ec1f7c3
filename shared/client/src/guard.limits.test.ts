import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createGuard, type Guard } from './guard.js'

/** Changes that the task forbids ask. With the shipped documents, in library mode. */
let guard: Guard
before(async () => {
  guard = await createGuard()
})
after(() => guard.close())

const write = (path: string) => ({ tool: 'write_file', arguments: { path, content: 'export const a = 1' } })
const isForbidden = ({
  decision,
}: {
  decision?: { reasons: readonly { code: string }[] } | undefined
}): boolean => decision?.reasons.some(({ code }) => code === 'forbidden_by_task') === true

test('a task restricts changes to a folder, and a later message opens another', async () => {
  const session = await guard.startSession({
    category: 'other',
    task: 'Refactor the login. Only modify files in src/auth/, and do not touch the tests.',
  })
  assert.ok(!isForbidden(await session.propose(write('src/auth/login.ts'))))
  assert.ok(!isForbidden(await session.propose(write('/tmp/notes.txt'))))
  const asked = await session.propose(write('src/billing/invoice.ts'))
  assert.equal(asked.verdict, 'confirm')
  assert.ok(isForbidden(asked))
  assert.ok(isForbidden(await session.propose(write('src/auth/login.test.ts'))))
  assert.ok(
    isForbidden(await session.propose({ tool: 'bash', arguments: { command: 'sed -i s/a/b/ /etc/hosts' } })),
  )
  await session.instruct('Fine. Now update the tests too.')
  assert.ok(!isForbidden(await session.propose(write('src/auth/login.test.ts'))))
  assert.ok(isForbidden(await session.propose(write('src/billing/invoice.ts'))))
  await session.end()
})

test('an agent that another one starts is bound by the limits of the user', async () => {
  const parent = await guard.startSession({ category: 'other', task: 'Do not modify files in src/billing/.' })
  const child = await guard.startSession({
    category: 'other',
    task: 'Rename total in src/billing/a.ts',
    parent,
  })
  assert.ok(isForbidden(await child.propose(write('src/billing/a.ts'))))
  await child.end()
  await parent.instruct('Only modify files in docs/.')
  const other = await guard.startSession({
    category: 'other',
    task: 'Only modify files in src/web/. Do not touch docs/api/.',
    parent,
  })
  assert.ok(isForbidden(await other.propose(write('src/web/a.ts'))), 'an agent opens no place')
  assert.ok(isForbidden(await other.propose(write('docs/api/a.md'))), 'an agent may close one')
  assert.ok(!isForbidden(await other.propose(write('docs/a.md'))))
  await other.end()
  await parent.end()
})

test('a task that waits for a word of the user lets nothing change before it', async () => {
  const session = await guard.startSession({
    category: 'other',
    task: "look at the release script, but don't action until I tell you to",
  })
  assert.ok(isForbidden(await session.propose(write('scripts/release.sh'))))
  assert.ok(
    !isForbidden(await session.propose({ tool: 'bash', arguments: { command: 'cat scripts/release.sh' } })),
  )
  await session.instruct('ok, go ahead')
  assert.ok(!isForbidden(await session.propose(write('scripts/release.sh'))))
  await session.end()
})

const EMAIL = { tool: 'send_email', arguments: { to: 'bob@x.example', subject: 'Hi', body: 'Hello' } }
const run = (command: string) => ({ tool: 'Bash', arguments: { command } })

test('an act that the task forbids asks, whatever else it releases, until a later message asks for it', async () => {
  const cases = [
    ['prepare release 1.2.0 but do not publish until I say so', run('npm publish'), 'ok, publish it'],
    ["Delete old/, but don't action until I say", run('rm -rf old'), 'go ahead'],
    ['Delete old/ only after I approve', run('rm -rf old'), 'approved'],
    ['Write the mail to bob@x.example. Do not send it.', EMAIL, 'ok, send it'],
    ['Fix the bug. Do not push.', run('git push'), 'ok, push it now'],
    ['Fix the manifest. Do not deploy.', run('kubectl apply -f k8s/'), 'now deploy it'],
    ['Drop the users table, but ask me first', run("psql -c 'DROP TABLE users'"), 'yes'],
    [
      'Drop the users table. Do not touch production',
      run("psql -h prod -c 'DROP TABLE users'"),
      'now drop the users table in production too',
    ],
  ] as const
  for (const [task, step, later] of cases) {
    const session = await guard.startSession({ category: 'other', task })
    const asked = await session.propose(step)
    assert.equal(asked.verdict, 'confirm', task)
    assert.ok(isForbidden(asked), task)
    await session.instruct(later)
    assert.ok(!isForbidden(await session.propose(step)), later)
    await session.end()
  }
})

test('what a task says of its product forbids no act', async () => {
  for (const [task, step] of [
    ['Make sure that the script does not send mails twice. Tell bob@x.example', EMAIL],
    ['Do not push to main. Fix the bug and push a branch.', run('git push origin fix')],
    ['Fix the endpoint that returns users without pushing events; push when done', run('git push')],
    ["Don't forget to push", run('git push')],
  ] as const) {
    const session = await guard.startSession({ category: 'other', task })
    assert.ok(!isForbidden(await session.propose(step)), task)
    await session.end()
  }
})
