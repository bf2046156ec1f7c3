import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { digestOf, sign, type EventOf } from '@plimsoll/contracts'
import { partitionOf, type LogRecord } from '@plimsoll/runtime'
import { admit, type AdmissionRules } from './admit.js'

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
    const admitted = admit(recordOf(text({})), RULES)
    assert.equal(admitted.kind, 'event')
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
      const admitted = admit(record, RULES)
      assert.ok(admitted.kind === 'fault')
      assert.equal(admitted.fault.code, code)
      assert.equal(admitted.refusal?.reasons[0]?.code, isAnswered ? code : undefined)
      assert.deepEqual(admit(record, RULES), admitted)
    })

  test('takes an approval with the signature of the deployment, and no other', () => {
    const signed = (key: string) =>
      recordOf(JSON.stringify(sign<EventOf<'approval.resolved'>>(approval, key)))
    assert.equal(admit(signed(RULES.signingKey ?? ''), RULES).kind, 'event')
    for (const rules of [
      { ...RULES, signingKey: 'another key' },
      { ...RULES, signingKey: undefined },
    ]) {
      const admitted = admit(signed(RULES.signingKey ?? ''), rules)
      assert.ok(admitted.kind === 'fault')
      assert.equal(admitted.fault.code, 'signature_invalid')
    }
    const altered = {
      ...sign<EventOf<'approval.resolved'>>(approval, RULES.signingKey ?? ''),
      by: 'eve',
    }
    assert.equal(admit(recordOf(JSON.stringify(altered)), RULES).kind, 'fault')
  })
})
