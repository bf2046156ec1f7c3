import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Event, digestOf } from '@plimsoll/contracts'
import { NO_CONTROLS, controlsBefore, createControlView } from '@plimsoll/engine'
import { type RulesCache, createRulesCache, defaultDocuments } from '@plimsoll/policy'
import type { LogRecord, StoredRecord } from '@plimsoll/runtime'
import { decodeOutbox } from '../records/emission.js'
import { readHeld } from '../records/progress.js'
import type { SessionEvent } from '../records/validate.js'
import { createFleetReadings } from './fleet-readings.js'
import { type Folded, foldSession } from './fold.js'

let rulesCache: RulesCache
before(async () => {
  rulesCache = createRulesCache({ defaults: [await defaultDocuments()] })
})

const SESSION = 's1'
const started: Event = {
  schema: 1,
  id: 'e0',
  sessionId: SESSION,
  producer: 'p',
  seq: 0,
  time: 0,
  type: 'session.started',
  fingerprints: [],
}

function proposed(seq: number): Event {
  const call = { callId: `c${seq}`, tool: 'read_file', argumentsDigest: digestOf({}) }
  return {
    schema: 1,
    id: `e${seq}`,
    sessionId: SESSION,
    producer: 'p',
    seq,
    time: 0,
    type: 'step.proposed',
    ...call,
  }
}

/** The result of the step proposed just before. */
function completed(seq: number): Event {
  const result = { callId: `c${seq - 1}`, tool: 'read_file', outcome: 'ok' } as const
  return {
    schema: 1,
    id: `e${seq}`,
    sessionId: SESSION,
    producer: 'p',
    seq,
    time: 0,
    type: 'step.completed',
    ...result,
  }
}

function at(offset: number, event: Event): SessionEvent {
  const record: LogRecord = {
    topic: 'events',
    partition: 0,
    offset: BigInt(offset),
    key: SESSION,
    value: Buffer.from(JSON.stringify(event)),
    headers: {},
    timeMs: 1000 + offset,
  }
  return { record, event }
}

function fold(
  stored: StoredRecord | undefined,
  events: SessionEvent[],
  chunkStart: number,
  isCounted = true,
): Folded {
  return foldSession(readHeld(SESSION, stored, -1n), events, {
    fleet: createFleetReadings([], []),
    rulesCache,
    view: createControlView(controlsBefore(NO_CONTROLS, 0n)),
    partition: 7,
    lifetimes: { idleTtlMs: 60_000, endedTtlMs: 1_000, withDeadlines: true },
    isCounted: () => isCounted,
    chunkStart: BigInt(chunkStart),
    warmth: () => undefined,
  })
}

function recordOf(folded: Folded): StoredRecord {
  assert.ok(folded.write)
  return { revision: folded.write.expected + 1, body: folded.write.body, outbox: folded.write.outbox }
}

describe('foldSession', () => {
  test('counts with the write what it folds again, and nothing twice', () => {
    const first = fold(undefined, [at(5, started), at(6, proposed(1))], 5)
    const fields = (folded: Folded) => folded.write?.counts?.fields
    assert.equal(first.write?.counts?.name, `${rulesCache.rules(rulesCache.defaults)?.meaning}:1970-01`)
    const [began = ''] = fields(first) ?? []
    assert.match(began, /^began (\d+) \1 aggregate$/)
    const record = recordOf(first)
    // Redelivered with what comes behind it: only that is new.
    const second = fold(record, [at(5, started), at(6, proposed(1)), at(7, proposed(2))], 5)
    assert.deepEqual(fields(second)?.length, 1)
    assert.match(fields(second)?.[0] ?? '', /^survived \d+ \d+ aggregate$/)
    assert.equal(fold(record, [at(6, proposed(1))], 5).write, undefined)
    const uncounted = fold(record, [at(7, proposed(2))], 5, false)
    assert.equal(uncounted.write?.counts, undefined)
    assert.equal(uncounted.write?.body, second.write?.body)
  })

  test('counts the first 500 steps of a session, wherever chunks are cut', () => {
    const events = [at(0, started)]
    for (let seq = 1; seq < 1060; seq += 2)
      events.push(at(seq, proposed(seq)), at(seq + 1, completed(seq + 1)))
    const countedOf = (folded: Folded) => folded.write?.counts?.fields.length ?? 0
    const whole = fold(undefined, events, 0)
    const first = fold(undefined, events.slice(0, 801), 0)
    const second = fold(recordOf(first), events.slice(801), 801)
    assert.equal(countedOf(whole), 501, 'its beginning, and each step once')
    assert.equal(countedOf(first) + countedOf(second), countedOf(whole))
    assert.equal(second.write?.body, whole.write?.body)
  })

  test('counts under a category that was declared, and under none that was found in a task', () => {
    const category = 'sysadmin'
    for (const [named, expected] of [
      [{ category }, category],
      [{ found: { category, confidence: 1 } }, 'aggregate'],
    ] as const) {
      const { counted } = fold(undefined, [at(5, { ...started, ...named }), at(6, proposed(1))], 5)
      assert.equal(counted?.category, expected)
    }
  })

  test('counts nothing of a session that tells nothing: in which state of the chain it is nobody knows', () => {
    const { fingerprints: _none, ...silent } = started
    const folded = fold(undefined, [at(5, silent), at(6, proposed(1)), at(7, proposed(2))], 5)
    assert.ok(folded.write)
    assert.equal(folded.counted, undefined)
  })

  test('folds new events and puts their decisions into the outbox', () => {
    const folded = fold(undefined, [at(5, started), at(6, proposed(1)), at(9, proposed(2))], 5)
    assert.equal(folded.write?.expected, 0)
    assert.ok(folded.write?.body.startsWith('9 '))
    assert.deepEqual(
      folded.emissions.map(({ offset }) => offset),
      [6n, 9n],
    )
    assert.deepEqual(decodeOutbox(folded.write?.outbox ?? ''), folded.emissions)
  })

  test('answers a redelivered event from the outbox, byte for byte, and stores nothing', () => {
    const events = [at(5, started), at(6, proposed(1))]
    const first = fold(undefined, events, 5)
    const again = fold(recordOf(first), events, 5)
    assert.deepEqual(again.emissions, first.emissions)
    assert.equal(again.write, undefined)
    assert.equal(again.outcomes.length, 0)
  })

  test('folds what is new of a redelivered chunk on top of what is stored', () => {
    const first = fold(undefined, [at(5, started), at(6, proposed(1))], 5)
    const again = fold(recordOf(first), [at(5, started), at(6, proposed(1)), at(7, proposed(2))], 5)
    const whole = fold(undefined, [at(5, started), at(6, proposed(1)), at(7, proposed(2))], 5)
    assert.deepEqual(again.emissions, whole.emissions)
    assert.equal(again.write?.body, whole.write?.body)
    assert.equal(again.write?.outbox, whole.write?.outbox)
  })

  test('forgets outbox entries of committed chunks', () => {
    const first = fold(undefined, [at(5, started), at(6, proposed(1))], 5)
    const next = fold(recordOf(first), [at(7, proposed(2))], 7)
    assert.deepEqual(
      decodeOutbox(next.write?.outbox ?? '')?.map(({ offset }) => offset),
      [7n],
    )
  })

  test('skips an event that was answered and committed earlier', () => {
    const first = fold(undefined, [at(5, started), at(6, proposed(1))], 5)
    const trimmed = { ...recordOf(first), outbox: '' }
    const again = fold(trimmed, [at(6, proposed(1))], 6)
    assert.equal(again.emissions.length, 0)
    assert.equal(again.write, undefined)
  })

  test('keeps a dead letter in the outbox too', () => {
    const first = fold(undefined, [at(5, started), at(6, proposed(4)), at(7, proposed(1))], 5)
    const again = fold(recordOf(first), [at(6, proposed(4))], 5)
    assert.equal(again.emissions[0]?.fault?.code, 'sequence_gap')
    assert.deepEqual(again.emissions[0], first.emissions[0])
  })

  test('refuses a session without a record and stores none', () => {
    const folded = fold(undefined, [at(3, proposed(1))], 3)
    assert.equal(folded.emissions[0]?.fault?.code, 'session_state_lost')
    assert.equal(folded.write, undefined)
  })

  test('does not start a session again over a record that cannot be read', () => {
    const folded = fold({ revision: 4, body: 'garbage', outbox: '' }, [at(8, { ...started, id: 'e9' })], 8)
    assert.equal(folded.emissions[0]?.fault?.code, 'session_state_lost')
    assert.equal(folded.write, undefined)
  })

  test('counts a record whose outbox cannot be read as lost', () => {
    const { body } = recordOf(fold(undefined, [at(1, started)], 1))
    for (const outbox of [
      'garbage',
      '{}',
      '[[1]]',
      '[["1"]]',
      '[["x",null]]',
      '[["1",null,"no_code","m"]]',
    ]) {
      const folded = fold({ revision: 1, body, outbox }, [at(2, proposed(1))], 2)
      assert.equal(folded.emissions[0]?.fault?.code, 'session_state_lost', outbox)
      assert.equal(folded.write, undefined)
    }
  })

  test('does not touch a record of a newer layout', () => {
    assert.throws(() => fold({ revision: 1, body: '3 [99]', outbox: '' }, [at(8, proposed(1))], 8), {
      code: 'record_too_new',
    })
  })

  test('keeps an ended session for the shorter time', () => {
    const ended: Event = {
      schema: 1,
      id: 'e1',
      sessionId: SESSION,
      producer: 'p',
      seq: 1,
      time: 0,
      type: 'session.ended',
    }
    const folded = fold(undefined, [at(1, started), at(2, ended)], 1)
    assert.equal(folded.write?.ttlMs, 1_000)
    assert.deepEqual(folded.write?.due, { partition: 7 })
  })
})
