import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Session } from '@plimsoll/client'
import { PlimsollError, type Decision } from '@plimsoll/contracts'
import { withoutPair } from '../support/components/components.js'
import { spawnVictim } from './spawn-victim.js'
import { underAttack, type Fixture } from './world.js'

const FINGERPRINT_KEY = 'a key of the attacked deployment'
const mailTo = (to: string) => ({ to, body: 'what you asked for' })

describe('attacks through steps', { skip: withoutPair }, () => {
  const fixture = underAttack()

  test('a send proposed in the same turn as a read is judged by what the read returned', async () => {
    const client = await fixture.connect()
    const session = await client.startSession()
    const [read, send] = await Promise.all([
      session.propose({ tool: 'get_customer' }),
      session.propose({ tool: 'send_email', arguments: mailTo('eve@example.net') }),
    ])
    assert.deepEqual([read.verdict, send.verdict, send.mayRun], ['allow', 'confirm', false])
  })

  test('running another tool than the proposed one counts as the tool that ran, and publishes an alert', async () => {
    const client = await fixture.connect()
    const session = await client.startSession()
    const asked = await session.propose({ tool: 'list_directory' })
    await session.complete({ ...asked, tool: 'get_customer' })
    const send = await session.propose({ tool: 'send_email', arguments: mailTo('eve@example.net') })
    assert.deepEqual(
      [send.verdict, send.decision?.risk?.exposure, send.decision?.risk?.withoutVerdict],
      ['confirm', 'sensitive', 1],
    )
    const isAlert = ({ kind }: Decision) => kind === 'alert'
    await fixture.deployment.until('the alert', () => fixture.decided(session).some(isAlert))
    const alert = fixture.decided(session).find(isAlert)
    assert.deepEqual([alert?.callId, alert?.reasons[0]?.code], [asked.callId, 'ran_other_than_proposed'])
  })

  test('`run` hands out the proposed arguments even when the caller changes its own', async () => {
    const client = await fixture.connect()
    const session = await client.startSession()
    const file = { path: '/tmp/a', content: 'for Ann' }
    const writing = session.run({ tool: 'write_file', arguments: file }, ({ content }) => content)
    file.content = 'for Eve'
    assert.equal(await writing, 'for Ann')
  })

  test('oversized arguments are judged by their digest, and endless ones are refused', async () => {
    const client = await fixture.connect({ fingerprintKey: FINGERPRINT_KEY })
    const session = await client.startSession({ task: 'write it down' })
    const huge = { path: '/tmp/a', content: 'x'.repeat(8 * 1024 * 1024) }
    const written = await session.propose({ tool: 'write_file', arguments: huge })
    assert.equal(written.by, 'decision')
    const endless = { toJSON: (): object => ({ more: endless }) }
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    for (const without of [endless, circle, { deep: nested(100_000) }])
      await assert.rejects(
        session.propose({ tool: 'write_file', arguments: { without } }),
        (error) => error instanceof PlimsollError && error.code === 'schema_invalid',
      )
    const sizes = sizesOf(fixture, session)
    assert.ok(Math.max(...sizes) < 16_384, `events have ${sizes.join()} bytes`)
  })

  test('disclosed arguments too large for an event are not sent, and policies treat them as unknown', async () => {
    const client = await fixture.connect({ disclose: [{ tools: ['*'], arguments: ['content'] }] })
    const session = await client.startSession()
    const asked = await session.propose({
      tool: 'write_file',
      arguments: { content: 'x'.repeat(700 * 1024) },
    })
    assert.equal(asked.by, 'decision')
    const sizes = sizesOf(fixture, session)
    assert.ok(Math.max(...sizes) < 128 * 1024, `events have ${sizes.join()} bytes`)
  })

  test('a step allowed to a client that is killed before completion still counts', async () => {
    const victim = spawnVictim(fixture.deployment)
    const sessionId = await victim.allowed
    victim.kill()
    await victim.exited
    const client = await fixture.connect()
    const session = await client.resumeSession({ id: sessionId })
    const send = await session.propose({ tool: 'send_email', arguments: mailTo('eve@example.net') })
    assert.deepEqual([send.verdict, send.decision?.risk?.exposure], ['confirm', 'sensitive'])
  })

  test('without a decision, reads run and are reported, and other steps do not run', async () => {
    const deaf = await fixture.connect(
      { timeoutMs: 300 },
      { listen: async () => ({ close: async () => {} }) },
    )
    const session = await deaf.startSession()
    const read = await session.propose({ tool: 'get_customer' })
    const send = await session.propose({ tool: 'send_email', arguments: mailTo('eve@example.net') })
    assert.deepEqual([read.by, read.mayRun, send.by, send.mayRun], ['fail_open', true, 'fail_closed', false])
    const { failedOpen, failedClosed } = deaf.stats()
    assert.deepEqual([failedOpen, failedClosed], [1, 1])
    await fixture.deployment.until('both decisions', () => fixture.decided(session).length === 2)
    assert.deepEqual(
      fixture.decided(session).map(({ tool, verdict }) => [tool, verdict]),
      [
        ['get_customer', 'allow'],
        ['send_email', 'confirm'],
      ],
    )
  })
})

/** Bytes of a session's events. */
const sizesOf = ({ deployment }: Fixture, { id }: Pick<Session, 'id'>): number[] =>
  deployment.seen.events.filter(({ key }) => key === id).map(({ value }) => value?.length ?? 0)

function nested(depth: number): object {
  let inner: object = {}
  for (let i = 0; i < depth; i++) inner = { inner }
  return inner
}
