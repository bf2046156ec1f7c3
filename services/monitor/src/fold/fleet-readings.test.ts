import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FleetLimit, type Rules, type SpecRule, NO_MEMORY_RULES } from '@plimsoll/engine'
import type { LogRecord } from '@plimsoll/runtime'
import type { SessionEvent } from '../records/validate.js'
import { type FleetAsk, asksOf, createFleetReadings } from './fleet-readings.js'

const limit: FleetLimit = { cell: 1, reading: 'spec:few', sessions: 3, ms: 1000, of: 'tenant' }
const spec = { id: 'few', message: '', verdict: 'block', source: 'blocklist', fleet: limit } as SpecRule
const tool = (blocklist: SpecRule[]) =>
  ({ blocklist, confirmation: [] }) as unknown as ReturnType<Rules['tool']>
const rules = {
  memory: { ...NO_MEMORY_RULES, cells: 2, fleets: [spec] },
  tool: (name: string) => tool(name === 'list' ? [spec] : []),
} as unknown as Rules

const T = 1_700_000_000_000

function at(offset: number, id: string, name = 'list', timeMs = T): SessionEvent {
  const event = { type: 'step.proposed', sessionId: id, tool: name, callId: `c${offset}` }
  return {
    event: event as unknown as SessionEvent['event'],
    record: { offset: BigInt(offset), timeMs } as LogRecord,
  }
}

const asksFor = (...events: readonly SessionEvent[]): readonly FleetAsk[] =>
  events.flatMap((each) => asksOf(each.event.sessionId, undefined, [each], rules))
const ran = (offset: number) => [{ spec, limit, atMs: T, offset: BigInt(offset) }]

test('what is asked: of proposals of tools that are limited, by their window and tenant, and of nothing else', () => {
  const events = [at(1, 'acme~s'), at(2, 'acme~s', 'read'), at(3, 'acme~s', 'list', T - 5)]
  const asked = asksOf('acme~s', undefined, events, rules).map(({ offset, counter, sinceMs }) => [
    offset,
    counter,
    sinceMs,
  ])
  // The session's clock does not go back.
  assert.deepEqual(asked, [
    [1n, 'acme:few', T - 1000],
    [3n, 'acme:few', T - 1000],
  ])
  assert.deepEqual(asksOf('s', undefined, events, { ...rules, memory: NO_MEMORY_RULES }), [])
  assert.deepEqual(asksOf('s', undefined, events, undefined), [])
})

test('sessions folded later count those folded before, once, and not those that the store counted', () => {
  const events = [at(1, 'a'), at(2, 'b'), at(3, 'c'), at(4, 'd')]
  const asks = asksFor(...events)
  // `b` was counted before; all others find it and one more.
  const answers = asks.map(({ id }) => ({
    others: id === 'b' ? 1 : 2,
    ownMs: id === 'b' ? T - 1 : undefined,
  }))
  const readings = createFleetReadings(asks, answers)
  const read = (i: number) => {
    const event = events[i]
    assert.ok(event)
    return readings.of(event.event.sessionId, event, undefined, rules)?.['spec:few']
  }
  assert.equal(read(0), 2)
  const [count] = readings.counts('a', ran(1))
  assert.deepEqual(count?.unless, { others: 3, sinceMs: T - 1000 })
  assert.deepEqual([count?.counter, count?.keptMax, count?.atMs], ['default:few', 4, T])
  assert.equal(read(1), 2, '`a` besides the other')
  readings.counts('b', ran(2))
  assert.equal(read(2), 3, '`b` was counted already')
  // It ran although there was no room: somebody observes, or approved. It counts whatever there is.
  assert.equal(readings.counts('c', ran(3))[0]?.unless, undefined)
  assert.equal(read(3), 4)
})

test('what ran unjudged is counted without a condition, and each session once', () => {
  const readings = createFleetReadings([], [])
  assert.equal(readings.of('a', at(1, 'a'), undefined, rules), undefined)
  const counts = readings.counts('a', [...ran(1), ...ran(2)])
  assert.deepEqual(
    counts.map(({ counter, unless }) => [counter, unless]),
    [['default:few', undefined]],
  )
})
