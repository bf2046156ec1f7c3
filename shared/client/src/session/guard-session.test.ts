import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '../client.js'
import { createGuard } from '../guard.js'
import type { Answer } from '../answer.js'
import type { PlimsollClient, Session } from '../session.js'
import { createRig } from '../testing/two-modes.js'

/** Every call that can be refused, none of them awaited. */
async function failEverywhere(client: PlimsollClient): Promise<void> {
  const session = await client.startSession()
  const asked = await session.propose({ tool: 'refund' })
  const open = await client.startSession()
  refuse(open, await open.propose({ tool: 'read_file' }))
  void open.resolution(asked)
  await session.end()
  refuse(session, asked)
  void client.startSession({ id: 'not an id' })
  await client.close()
  refuse(open, asked)
  void client.startSession()
  void client.resumeSession({ id: 'one' })
  void client.close()
}

function refuse(session: Session, answer: Answer): void {
  const { signal } = new AbortController()
  const stopped = { signal: AbortSignal.abort(new Error('stopped')) }
  const aborting = new AbortController()
  const fail = () => {
    throw new Error('the tool failed')
  }
  void session.propose({ tool: 'not a name' })
  void session.propose({ tool: 'read_file' }, stopped)
  void session.ask({ tool: 'read_file', arguments: { n: 1n } }, { signal })
  void session.ask({ tool: 'refund' }, { signal: aborting.signal })
  void session.run({ tool: 'read_file' }, fail)
  void session.run({ tool: 'wipe_disk' }, fail)
  void session.run({ tool: 'read_file' }, () => Promise.reject(new Error('later')), { report: fail })
  void session.run({ tool: 'read_file' }, () => 1, { report: fail })
  void session.resolution(answer, stopped)
  void session.complete(answer, { outcome: 'error', labels: { tags: [''] } })
  void session.complete({ ...answer, callId: '' })
  aborting.abort(new Error('stopped later'))
}

async function rejectionsIn(t: { after(release: () => void): void }, act: () => Promise<void>) {
  const rejections: unknown[] = []
  const note = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', note)
  t.after(() => void process.off('unhandledRejection', note))
  await act()
  for (let i = 0; i < 20; i++) await new Promise(setImmediate)
  return rejections
}

test('library: no rejection is unhandled when every call fails', async (t) => {
  const guard = await createGuard()
  assert.deepEqual(await rejectionsIn(t, () => failEverywhere(guard)), [])
})

test('log: no rejection is unhandled', async (t) => {
  const { client } = await createRig(t)
  assert.deepEqual(await rejectionsIn(t, () => failEverywhere(client)), [])
})

test('log: no rejection is unhandled when produces fail and callbacks throw', async (t) => {
  const throws = () => {
    throw new Error('a callback of the host that fails')
  }
  const client = await createClient({
    channel: {
      send: () => Promise.reject(new Error('unreachable')),
      listen: async () => ({ close: async () => undefined }),
    },
    timeoutMs: 5,
    limits: { closeMsMax: 20 },
    onStepWithoutVerdict: throws,
    onRetry: throws,
    trace: throws,
  })
  assert.deepEqual(await rejectionsIn(t, () => failEverywhere(client)), [])
  assert.ok(client.stats().failedClosed > 0)
})
