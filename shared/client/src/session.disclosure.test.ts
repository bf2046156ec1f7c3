import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestOf, openArguments } from '@plimsoll/contracts'
import { createRig } from './testing/two-modes.js'

const RULES = [{ tools: ['send_*'], arguments: ['to', 'cc'] }]
const MAIL = { to: ['ann@example.com'], body: 'the secret text' }

test('the event holds the disclosed arguments and the digest of all, and no other text', async (t) => {
  const rig = await createRig(t, { settings: { disclose: RULES } })
  const session = await rig.client.startSession()
  await session.propose({ tool: 'send_email', arguments: MAIL })
  const event = rig.loop.events.find(({ type }) => type === 'step.proposed')
  assert.ok(event?.type === 'step.proposed')
  assert.deepEqual(event.arguments, { to: ['ann@example.com'], cc: null })
  assert.notEqual(event.argumentsDigest, digestOf(MAIL), 'a guess cannot be checked')
  assert.equal(event.argumentsSalt, undefined, 'nor with the report')
  assert.doesNotMatch(rig.produced.flat().join(), /secret/)
})

test('digests are equal for the same root and key, in another process too', async (t) => {
  const digestsOf = async (fingerprintKey: string | undefined, sessions: readonly string[]) => {
    const { client, loop } = await createRig(t, { settings: { ...(fingerprintKey && { fingerprintKey }) } })
    for (const id of sessions)
      await (await client.startSession({ id })).propose({ tool: 'send_email', arguments: MAIL })
    return loop.events.flatMap((event) => (event.type === 'step.proposed' ? [event.argumentsDigest] : []))
  }
  const key = 'a key of fingerprints'
  const [first, second] = await digestsOf(key, ['s1', 's2'])
  assert.notEqual(first, second, 'what two sessions ask cannot be held against each other')
  assert.deepEqual(await digestsOf(key, ['s1']), [first])
  const [own, other] = [await digestsOf(undefined, ['s1']), await digestsOf(undefined, ['s1'])]
  assert.notDeepEqual(own, other, 'without a key, digests of another process equal none of this one')
})

test('detects arguments that ran but differ from the proposed ones, without a key too', async (t) => {
  const { client, loop } = await createRig(t)
  const session = await client.startSession()
  const read = { tool: 'read_file', arguments: { path: 'notes.txt' } }
  const asked = await session.propose(read)
  await session.complete(asked, { arguments: { path: 'notes.txt' } })
  const second = await session.propose(read)
  assert.equal(second.decision?.risk?.withoutVerdict, 0)
  await session.complete(second, { arguments: { path: 'other.txt' } })
  const third = await session.propose(read)
  assert.equal(third.decision?.risk?.withoutVerdict, 1)
  assert.deepEqual(loop.faults, [])
})

test('an event that discloses all arguments proves that they are all', async (t) => {
  const settings = { disclose: [...RULES, { tools: ['send_*'], arguments: ['*'] }] }
  const { client, loop } = await createRig(t, { settings })
  const session = await client.startSession()
  await session.propose({ tool: 'send_email', arguments: MAIL })
  await session.propose({ tool: 'send_nothing' })
  await session.propose({ tool: 'send_email', arguments: { ...MAIL, body: 'x'.repeat(5_000) } })
  const opened = loop.events.flatMap((event) =>
    event.type === 'step.proposed' ? [openArguments(event) ?? 'not all'] : [],
  )
  assert.deepEqual(opened, [MAIL, {}, 'not all'])
})
