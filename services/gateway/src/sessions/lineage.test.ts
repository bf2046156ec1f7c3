import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Handover } from '@plimsoll/contracts'
import type { LineageStore } from '@plimsoll/runtime'
import { createEmbeddedLineages } from '@plimsoll/runtime/embedded'
import { LINEAGE_ENTRIES_MAX, LINEAGE_MS, createLineage, createMemoryLineages } from './lineage.js'

const BOT = { tenant: 'acme', name: 'bot', trust: 'agent' } as const

/** Two gateways over one store. */
function createPair() {
  let now = 1_000
  const clock = { now: () => now }
  const store = createEmbeddedLineages({ clock })
  const here = createLineage(BOT, { store, clock })
  const there = createLineage(BOT, { store, clock })
  const other = createLineage({ ...BOT, name: 'other' }, { store, clock })
  return { store, here, there, other, pass: (ms: number) => void (now += ms) }
}

const knowing = (inherits: Handover['inherits'], root = 'a', key = 'k'): Handover => ({ root, key, inherits })
const SECRET = knowing({ confidentiality: 'credentials', fingerprints: { sensitive: ['caaaaaaa'] } })
const NOTHING = knowing({ fingerprints: {} })

describe('lineage', () => {
  test("the next session inherits, in any gateway, and no other agent's does", async () => {
    const { here, there, other } = createPair()
    const first = await here.begin('a')
    assert.equal(first.earlier, undefined)
    await first.report({ ...SECRET, task: ['caaaaaaa'], identity: 'a.b.c' })
    const { earlier } = await there.begin('b')
    assert.deepEqual(
      [earlier?.root, earlier?.key, earlier?.inherits.confidentiality],
      ['a', 'k', 'credentials'],
    )
    assert.deepEqual(earlier?.inherits.fingerprints?.sensitive, ['caaaaaaa'])
    assert.deepEqual([earlier?.task, earlier?.identity], [undefined, undefined])
    assert.equal((await other.begin('c')).earlier, undefined)
  })

  test('others learn once, at their next step, what one session reads', async () => {
    const { here, there } = createPair()
    const reader = await here.begin('a')
    const sender = await there.begin('b')
    await reader.report(NOTHING)
    await sender.report(NOTHING)
    assert.equal(await sender.unknownTo(NOTHING), undefined)
    await reader.report(SECRET)
    const news = await sender.unknownTo(NOTHING)
    assert.equal(news?.inherits.confidentiality, 'credentials')
    assert.equal(await sender.unknownTo(SECRET), undefined)
    await sender.report(SECRET)
    assert.equal(await reader.unknownTo(SECRET), undefined, 'what it knows itself is no news')
  })

  test("a session's entry replaces those that it inherited, not what they learn later", async () => {
    const { store } = createPair()
    const kept: string[][] = []
    const report: LineageStore['report'] = (lineage, entry, bounds) => {
      kept.push((bounds.instead ?? []).map(({ id }) => id))
      return store.report(lineage, entry, bounds)
    }
    const here = createLineage(BOT, { store: { ...store, report }, clock: { now: () => 0 } })
    const first = await here.begin('a')
    await first.report(NOTHING)
    const second = await here.begin('b')
    await first.report(SECRET)
    await second.report(NOTHING)
    const third = await here.begin('c')
    assert.equal(third.earlier?.inherits.confidentiality, 'credentials')
    await third.report(SECRET)
    assert.deepEqual(kept.at(-1), ['a', 'b'])
    assert.equal((await here.begin('d')).earlier?.inherits.confidentiality, 'credentials')
  })

  test('an entry lasts for an hour after its last report, and is refreshed', async () => {
    const { here, pass } = createPair()
    const first = await here.begin('a')
    await first.report(SECRET)
    for (let i = 0; i < 3; i++) {
      pass(LINEAGE_MS / 2)
      await first.report(SECRET)
    }
    assert.ok((await here.begin('b')).earlier)
    pass(LINEAGE_MS)
    assert.equal((await here.begin('c')).earlier, undefined)
  })

  test('sessions that do not fit count as the worst', async () => {
    const { here } = createPair()
    const members = await Promise.all(
      Array.from({ length: LINEAGE_ENTRIES_MAX + 1 }, (_, i) => here.begin(`s${i}`)),
    )
    for (const member of members) await member.report(NOTHING)
    const { earlier } = await here.begin('late')
    assert.deepEqual(
      [earlier?.inherits.taint, earlier?.inherits.confidentiality],
      ['instructions', 'credentials'],
    )
    assert.equal(earlier?.inherits.unseen, true)
  })

  test('an undecodable entry counts as the worst', async () => {
    const { store, here } = createPair()
    await (await here.begin('a')).report(NOTHING)
    const broken = { ...store, read: async () => [{ id: 'a', body: '{' }] }
    const { earlier } = await createLineage(BOT, { store: broken, clock: { now: () => 0 } }).begin('b')
    assert.equal(earlier?.inherits.unseen, true)
  })

  test('fingerprints under another key become what they stand for', async () => {
    const { here } = createPair()
    const member = await here.begin('b')
    await (await here.begin('a')).report(SECRET)
    const stranger = knowing({}, 'b', 'another key')
    assert.equal((await member.unknownTo(stranger))?.inherits.fingerprints?.sensitive?.length, 1)
    const reported = knowing({ confidentiality: 'credentials', unseen: true }, 'b', 'another key')
    const again = await here.begin('c')
    assert.equal(await again.unknownTo(reported), undefined)
  })
})

describe('scopes', () => {
  const HOST = { ...BOT, trust: 'host' } as const

  test('a host has one lineage per user and conversation, an agent one in all', async () => {
    const clock = { now: () => 1_000 }
    const store = createEmbeddedLineages({ clock })
    const earlierOf = async (principal: typeof BOT | typeof HOST, scope: object) =>
      (await createLineage(principal, { store, clock, scope }).begin('b')).earlier?.inherits.confidentiality
    await (await createLineage(HOST, { store, clock, scope: { user: 'ann' } }).begin('a')).report(SECRET)
    assert.equal(await earlierOf(HOST, { user: 'ann' }), 'credentials')
    assert.equal(await earlierOf(HOST, { user: 'bob' }), undefined)
    assert.equal(await earlierOf(HOST, { conversation: 'ann' }), undefined)
    assert.equal(await earlierOf(BOT, { user: 'ann' }), undefined)
    await (await createLineage(BOT, { store, clock, scope: { user: 'ann' } }).begin('c')).report(SECRET)
    assert.equal(await earlierOf(BOT, { user: 'bob' }), 'credentials')
  })

  test('in memory, reads before the start count as the worst while they could count', async () => {
    let now = 0
    const clock = { now: () => now }
    const store = createMemoryLineages(clock)
    const { earlier } = await createLineage(BOT, { store, clock }).begin('a')
    assert.equal(earlier?.inherits.unseen, true)
    now += LINEAGE_MS
    assert.equal((await createLineage(BOT, { store, clock }).begin('b')).earlier, undefined)
  })
})
