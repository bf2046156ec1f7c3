import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Control, type Event, type EventOf, digestOf, sign } from '@plimsoll/contracts'
import { type LogRecord, partitionOf } from '@plimsoll/runtime'
import { type AdmissionRules, type ValidatedRecord, cut, validateRecord } from './validate.js'

const PARTITIONS = 8
const RULES: AdmissionRules = {
  eventBytesMax: 2_000,
  signingKey: 'the key of this deployment',
  partitions: PARTITIONS,
}

const proposal = {
  schema: 1,
  id: 'e1',
  sessionId: 's1',
  producer: 'p',
  seq: 1,
  time: 0,
  type: 'step.proposed',
  callId: 'c1',
  tool: 'read_file',
  argumentsDigest: digestOf({}),
}

const approval: Omit<EventOf<'approval.resolved'>, 'signature'> = {
  schema: 1,
  id: 'a1',
  sessionId: 's1',
  producer: 'approver',
  seq: 0,
  time: 0,
  type: 'approval.resolved',
  decisionId: 's1#e1#step',
  argumentsDigest: digestOf({}),
  expiresAt: 0,
  resolution: 'approved',
  by: 'ada',
}

function recordOf(value: string | Uint8Array | null, over: Partial<LogRecord> = {}): LogRecord {
  return {
    topic: 'events',
    partition: partitionOf('s1', PARTITIONS),
    offset: 5n,
    key: 's1',
    value: value === null ? null : Buffer.from(value),
    headers: {},
    timeMs: 1_000,
    ...over,
  }
}

const text = (over: object): string => JSON.stringify({ ...proposal, ...over })

describe('admit', () => {
  test('takes an event as it is', () => {
    const admitted = validateRecord(recordOf(text({})), RULES)
    assert.equal(admitted.kind, 'event')
  })

  test('counts the signals that it drops from an event', () => {
    const droppedOf = (signals: object) => {
      const admitted = validateRecord(recordOf(text({ signals })), RULES)
      assert.ok(admitted.kind === 'event' && admitted.event.type === 'step.proposed')
      return [admitted.event.signals, admitted.droppedSignals]
    }
    assert.deepEqual(droppedOf({ outside: 1 }), [{ outside: 1 }, undefined])
    assert.deepEqual(droppedOf({ outside: 1, outsiders: 1, harmless: 0 }), [{ outside: 1 }, 2])
  })

  const elsewhere = { partition: (partitionOf('s1', PARTITIONS) + 1) % PARTITIONS }
  const faults: readonly [string, LogRecord, string, boolean][] = [
    ['nothing', recordOf(null), 'not_json', false],
    ['bytes that are no UTF-8', recordOf(Uint8Array.of(0xc3, 0x28)), 'not_json', false],
    ['a number', recordOf('7'), 'not_json', false],
    ['too many bytes', recordOf(text({ arguments: { pad: 'x'.repeat(2_000) } })), 'event_oversize', false],
    ['another schema number', recordOf(text({ schema: 2 })), 'schema_version_unknown', true],
    ['no such type', recordOf(text({ type: 'tool.dreamt' })), 'event_type_unknown', false],
    ['an unknown member', recordOf(text({ extra: 1 })), 'schema_invalid', true],
    ['a session id with a space', recordOf(text({ sessionId: 's 1' })), 'schema_invalid', false],
    ['another key', recordOf(text({}), { key: 's2' }), 'key_mismatch', true],
    ['no key', recordOf(text({}), { key: null }), 'key_mismatch', true],
    ['another partition', recordOf(text({}), elsewhere), 'partition_mismatch', true],
  ]
  for (const [what, record, code, isAnswered] of faults)
    test(`refuses ${what}: \`${code}\`${isAnswered ? ', and answers who waits' : ''}`, () => {
      const admitted = validateRecord(record, RULES)
      assert.ok(admitted.kind === 'fault')
      assert.equal(admitted.fault.code, code)
      assert.equal(admitted.refusal?.reasons[0]?.code, isAnswered ? code : undefined)
      assert.deepEqual(validateRecord(record, RULES), admitted)
    })

  test('takes an approval with the signature of the deployment, and no other', () => {
    const signed = (key: string) =>
      recordOf(JSON.stringify(sign<EventOf<'approval.resolved'>>(approval, key)))
    assert.equal(validateRecord(signed(RULES.signingKey ?? ''), RULES).kind, 'event')
    for (const rules of [
      { ...RULES, signingKey: 'another key' },
      { ...RULES, signingKey: undefined },
    ]) {
      const admitted = validateRecord(signed(RULES.signingKey ?? ''), rules)
      assert.ok(admitted.kind === 'fault')
      assert.equal(admitted.fault.code, 'signature_invalid')
    }
    const altered = {
      ...sign<EventOf<'approval.resolved'>>(approval, RULES.signingKey ?? ''),
      by: 'eve',
    }
    assert.equal(validateRecord(recordOf(JSON.stringify(altered)), RULES).kind, 'fault')
  })
})

/** `e`: an event; `c`: a control change; `f`: what only claims to be one. */
function cutsOf(kinds: string, eventsMax: number): string[] {
  const records = kinds.split('').map((kind, i): LogRecord => ({
    topic: 'events',
    partition: 0,
    offset: BigInt(i),
    key: kind,
    value: null,
    headers: {},
    timeMs: 0,
  }))
  const admit = (record: LogRecord): ValidatedRecord => {
    if (record.key === 'c') return { kind: 'control', record, control: {} as Control }
    if (record.key === 'e') return { kind: 'event', record, event: {} as Event }
    return { kind: 'fault', record, fault: { code: 'signature_invalid', message: '' } }
  }
  return [...cut(records, eventsMax, admit)].map((each) =>
    each.kind === 'control' ? 'c' : each.admitted.map(({ record }) => record.key).join(''),
  )
}

test('a control change is a chunk of its own; what only claims to be one is not', () => {
  assert.deepEqual(cutsOf('eefecee', 256), ['eefe', 'c', 'ee'])
  assert.deepEqual(cutsOf('cce', 256), ['c', 'c', 'e'])
  assert.deepEqual(cutsOf('eeeee', 2), ['ee', 'ee', 'e'])
  assert.deepEqual(cutsOf('eec', 2), ['ee', 'c'])
  assert.deepEqual(cutsOf('', 2), [])
})

test('nothing is admitted before what is in front of it has been taken', () => {
  const admitted: bigint[] = []
  const record = (offset: bigint): LogRecord => ({
    topic: 'events', partition: 0, offset, key: 'k', value: null, headers: {}, timeMs: 0,
  }) // prettier-ignore
  const cuts = cut([record(0n), record(1n), record(2n)], 2, (each) => {
    admitted.push(each.offset)
    return { kind: 'event', record: each, event: {} as Event }
  })
  cuts.next()
  assert.deepEqual(admitted, [0n, 1n])
})
