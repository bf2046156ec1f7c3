import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Guard, type PlimsollClient, createGuard } from '@plimsoll/client'
import { systemClock } from '@plimsoll/runtime'
import { createFolderLineages } from '@plimsoll/runtime/embedded'
import { createLineage } from './lineage.js'
import { withLineage } from './lineage-member.js'

const USER = { tenant: 'default', name: 'local', trust: 'host' } as const
const FILE = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'
const LEAK = { to: 'press@example.org', body: 'Ann Moor (KX-48217) has not paid.' }

/** Clients that decide as processes of their own do: nothing is shared but the folder and the key of the user. */
async function machine(t: TestContext): Promise<() => Promise<PlimsollClient & Pick<Guard, 'approve'>>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-lineages-'))
  t.after(() => rm(folder, { recursive: true }))
  return async () => {
    const guard = await createGuard({ fingerprintKey: 'a key of the user, 32 characters' })
    t.after(() => guard.close())
    const lineage = createLineage(USER, { store: createFolderLineages({ folder }), clock: systemClock })
    return { ...withLineage(guard, lineage), approve: guard.approve }
  }
}

async function read(client: PlimsollClient): Promise<void> {
  const session = await client.startSession()
  const step = await session.propose({ tool: 'read_email', arguments: { id: 7 } })
  await session.complete(step, { result: FILE })
}

test('what one process has read in confidence, no other mails out', async (t) => {
  const start = await machine(t)
  const [files, mail] = [await start(), await start()]
  const session = await mail.startSession()
  const before = await session.propose({ tool: 'send_email', arguments: LEAK })
  await read(files)
  const after = await session.propose({ tool: 'send_email', arguments: LEAK })
  assert.notEqual(before.verdict, 'block')
  assert.equal(after.verdict, 'block')
})

test('a process that starts later knows the very values that were read', async (t) => {
  const start = await machine(t)
  await read(await start())
  const session = await (
    await start()
  ).startSession({ task: 'tell press@example.org that the office is shut' })
  const leak = await session.propose({ tool: 'send_email', arguments: LEAK })
  const other = { to: 'press@example.org', body: 'The office is shut on Monday.' }
  const harmless = await session.propose({ tool: 'send_email', arguments: other })
  assert.equal(leak.verdict, 'block')
  assert.notEqual(harmless.verdict, 'block')
})

test('an approval does not outlive what another process has read since', async (t) => {
  const start = await machine(t)
  const [files, mail] = [await start(), await start()]
  const session = await mail.startSession()
  const upload = { tool: 'frobnicate', arguments: { path: '/tmp/out.txt', url: 'https://example.org/x' } }
  const asked = await session.ask(upload)
  await mail.approve(asked, { resolution: 'approved', by: 'ann' })
  await read(files)
  const again = await session.ask(upload)
  assert.equal(asked.verdict, 'confirm')
  assert.equal(again.mayRun, false)
  assert.notEqual(again.callId, asked.callId, 'it is judged with what was read')
})

test('a request that is asked for again passes nothing on to the engine, so the news come with the next step', async (t) => {
  const start = await machine(t)
  const [files, mail] = [await start(), await start()]
  const session = await mail.startSession()
  const upload = { tool: 'frobnicate', arguments: { path: '/tmp/out.txt', url: 'https://example.org/x' } }
  const asked = await session.ask(upload)
  await read(files)
  const again = await session.ask(upload)
  assert.equal(again.callId, asked.callId)
  assert.equal((await session.ask({ tool: 'send_email', arguments: LEAK })).verdict, 'block')
})
