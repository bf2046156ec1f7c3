import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision, Event } from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { readTimeline, timelineOf } from './timeline.js'

const SESSION = 's-1'
const envelope = (id: string, seq: number) =>
  ({ schema: 1, id, sessionId: SESSION, producer: 'p', seq, time: 0 }) as const
const started: Event = { ...envelope('e0', 0), type: 'session.started' }
const proposed = (id: string, seq: number): Event => ({
  ...envelope(id, seq),
  type: 'step.proposed',
  callId: id,
  tool: 'read_file',
  argumentsDigest: '0'.repeat(64),
})
const decisionOn = (
  eventId: string,
  kind: Decision['kind'],
  time: number,
  sessionId = SESSION,
): Decision => ({
  schema: 1,
  id: `${sessionId}#${eventId}#${kind}`,
  kind,
  sessionId,
  tenant: 'default',
  mode: 'enforce',
  eventId,
  callId: eventId,
  tool: 'read_file',
  argumentsDigest: '0'.repeat(64),
  verdict: 'allow',
  reasons: [],
  facts: {},
  step: 1,
  time,
})

const recordOf = (value: unknown, timeMs: number, offset = 0): LogRecord => ({
  topic: 't',
  partition: 0,
  offset: BigInt(offset),
  key: SESSION,
  value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  headers: {},
  timeMs,
})

test('an event that was sent again has its own answer each time', () => {
  const early = proposed('e2', 2)
  const events = [
    recordOf(started, 10, 1),
    recordOf(early, 20, 2),
    recordOf('no event', 25, 3),
    recordOf(early, 30, 4),
    recordOf(early, 40, 5),
  ]
  const decisions = [
    recordOf(decisionOn('e2', 'refusal', 20), 21),
    recordOf(decisionOn('e2', 'step', 30), 31),
    // Published twice, by a monitor that died before it could commit.
    recordOf(decisionOn('e2', 'step', 30), 32),
    recordOf(decisionOn('e2', 'repeat', 40), 41),
    recordOf(decisionOn('e2', 'step', 20, 'another'), 42),
    recordOf('{}', 43),
  ]
  const { entries, isWhole, isCut } = timelineOf(events, decisions, SESSION)
  assert.deepEqual(
    entries.map(({ offset, event, decisions }) => [offset, event?.id, decisions.map(({ kind }) => kind)]),
    [
      [1n, 'e0', []],
      [2n, 'e2', ['refusal']],
      [3n, undefined, []],
      [4n, 'e2', ['step']],
      [5n, 'e2', ['repeat']],
    ],
  )
  assert.deepEqual([isWhole, isCut], [true, false])
})

test('without its start it is not whole; too much is cut at its beginning', () => {
  assert.equal(timelineOf([recordOf(proposed('e2', 2), 1)], [], SESSION).isWhole, false)
  const many = [
    recordOf(started, 0),
    ...Array.from({ length: 10_000 }, (_, i) => recordOf(proposed(`e${i}`, i), i, i + 1)),
  ]
  const { entries, isWhole, isCut } = timelineOf(many, [], SESSION)
  assert.deepEqual([entries.length, isWhole, isCut], [10_000, false, true])
  assert.equal(entries[0]?.offset, 1n)
})

test('reads the session and no other, from its partitions', async () => {
  const log = createEmbeddedLog()
  const topics = { events: 'events', decisions: 'decisions' }
  await log.createTopics([
    { topic: topics.events, partitions: 3 },
    { topic: topics.decisions, partitions: 5 },
  ])
  const other: Event = { ...started, sessionId: 's-2' }
  await log.produce(topics.events, [
    { key: SESSION, value: JSON.stringify(started) },
    { key: 's-2', value: JSON.stringify(other) },
    { key: SESSION, value: JSON.stringify(proposed('e1', 1)) },
  ])
  const times: number[] = []
  await log.read(topics.events, ({ timeMs, key }) => void (key === SESSION && times.push(timeMs)))
  await log.produce(topics.decisions, [
    { key: SESSION, value: JSON.stringify(decisionOn('e1', 'step', times[1] ?? 0)) },
  ])
  const now = Date.now()
  const asked = { log, topics, sessionId: SESSION, fromMs: now - 86_400_000 }
  const whole = await readTimeline({ ...asked, lastEventMs: now })
  assert.deepEqual(
    whole.entries.map(({ event, decisions }) => [event?.type, decisions.length]),
    [
      ['session.started', 0],
      ['step.proposed', 1],
    ],
  )
  assert.equal(whole.isWhole, true)
  // What was heard long before is found by the second look; what was appended before `fromMs` is not.
  assert.equal((await readTimeline({ ...asked, lastEventMs: now + 7_200_000 })).entries.length, 2)
  assert.equal((await readTimeline({ ...asked, fromMs: now + 60_000 })).entries.length, 0)
  await assert.rejects(readTimeline({ ...asked, topics: { ...topics, events: 'nowhere' } }), {
    code: 'config_invalid',
  })
  await log.close()
})
