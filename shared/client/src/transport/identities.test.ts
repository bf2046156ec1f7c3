import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type EventOf,
  type Handover,
  PROOF_HEADER,
  PlimsollError,
  isProved,
  readToken,
} from '@plimsoll/contracts'
import type { OutgoingRecord } from '@plimsoll/runtime'
import type { SessionOptions } from '../session.js'
import { createRig } from '../testing/two-modes.js'

const KEY = 'the identity key of this deployment'

type Started = EventOf<'session.started'>

async function createIdentifiedRig(
  t: Parameters<typeof createRig>[0],
  identityKey: string | undefined = KEY,
) {
  const records: OutgoingRecord[] = []
  const rig = await createRig(t, {
    settings: { identityKey, principal: 'bots', fingerprintKey: 'the key of fingerprints' },
    produce: (sent, next) => {
      records.push(...sent)
      return next()
    },
  })
  const startOf = async (options: SessionOptions) => {
    const session = await rig.client.startSession(options)
    const event = await rig.loop.whenEvent(({ sessionId }) => sessionId === session.id)
    return { session, event: event as Started, claims: readToken((event as Started).identity ?? '', [KEY]) }
  }
  return { ...rig, records, startOf }
}

describe('a client with an identity key', () => {
  test('starts sessions with a token that matches the start', async (t) => {
    const { startOf, time } = await createIdentifiedRig(t)
    const { claims } = await startOf({
      id: 'acme~s1',
      category: 'communication',
      agent: 'bob',
      user: 'Ann Ångström',
    })
    const iat = Math.floor(time.clock.now() / 1000)
    const said = { sub: 'bots', sid: 'acme~s1', tenant: 'acme', cat: 'communication', agt: 'bob' }
    assert.deepEqual(claims, { ...said, usr: 'Ann Ångström', iat })
  })

  test('adds a proof to every event', async (t) => {
    const { startOf, records, loop } = await createIdentifiedRig(t)
    const { session } = await startOf({ id: 's1' })
    const answer = await session.propose({ tool: 'read_file' })
    await session.complete(answer, { result: 'text' })
    await session.end()
    await loop.whenEvent(({ type }) => type === 'session.ended')
    assert.equal(records.length, 4)
    for (const { value, headers } of records)
      assert.ok(isProved(String(value), 's1', headers?.[PROOF_HEADER] ?? '', [KEY]))
  })

  test("issues a sub-agent's token by its parent's, over two generations and processes", async (t) => {
    const { startOf } = await createIdentifiedRig(t)
    const { session: root } = await startOf({ id: 'acme~root' })
    const child = await startOf({ id: 'acme~child', parent: root })
    assert.deepEqual([child.claims?.par, child.claims?.root], ['acme~root', 'acme~root'])
    const reported = JSON.parse(JSON.stringify(child.session.handover())) as Handover
    const grandchild = await startOf({ id: 'acme~grandchild', parent: reported })
    assert.deepEqual([grandchild.claims?.par, grandchild.claims?.root], ['acme~child', 'acme~root'])
    assert.equal(grandchild.event.root, 'acme~root')
    assert.ok(grandchild.event.inherits)
  })

  test('issues no token if the parent has no valid one', async (t) => {
    const { startOf, client, loop } = await createIdentifiedRig(t)
    const { session } = await startOf({ id: 'acme~root' })
    const reported = session.handover()
    const other = await createIdentifiedRig(t, 'the identity key of somebody else')
    const stranger = (await other.client.startSession({ id: 'acme~root' })).handover()
    const { identity: _, ...bare } = reported
    const cases: readonly [SessionOptions, string][] = [
      [{ id: 'acme~a', parent: bare }, 'identity_missing'],
      [{ id: 'acme~b', parent: stranger }, 'identity_invalid'],
      [{ id: 'umbrella~c', parent: reported }, 'identity_invalid'],
      [{ id: 'acme~d', parent: { ...reported, root: 'acme~another' } }, 'identity_invalid'],
      [{ id: 'acme~e', user: 'x\n' }, 'schema_invalid'],
    ]
    for (const [options, code] of cases)
      await assert.rejects(
        client.startSession(options),
        (error) => error instanceof PlimsollError && error.code === code,
        code,
      )
    assert.deepEqual(
      loop.events.map(({ sessionId }) => sessionId),
      ['acme~root'],
    )
    await client.startSession({ id: 'acme~a' })
  })

  test('starts a session with earlier state, without a parent in its token', async (t) => {
    const { startOf } = await createIdentifiedRig(t)
    const { session } = await startOf({ id: 's1' })
    const answer = await session.propose({ tool: 'read_file' })
    await session.complete(answer, { labels: { confidentiality: 'credentials' }, taint: 'data' })
    const { identity: _, ...earlier } = session.handover()
    const { claims, event } = await startOf({ id: 's2', earlier })
    assert.deepEqual([claims?.par, claims?.root], [undefined, 's1'])
    assert.deepEqual([event.inherits?.confidentiality, event.inherits?.taint], ['credentials', 'data'])
  })
})

test('a client without an identity key adds no token and no proof', async (t) => {
  const records: OutgoingRecord[] = []
  const { client, loop } = await createRig(t, {
    produce: (sent, next) => {
      records.push(...sent)
      return next()
    },
  })
  const session = await client.startSession({ id: 's1' })
  await loop.whenEvent(({ type }) => type === 'session.started')
  assert.equal(records[0]?.headers?.[PROOF_HEADER], undefined)
  assert.equal(session.handover().identity, undefined)
  assert.equal((loop.events[0] as Started).identity, undefined)
})
