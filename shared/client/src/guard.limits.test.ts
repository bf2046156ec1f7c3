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
