import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type EventOf,
  type IdentityClaims,
  PROOF_HEADER,
  digestOf,
  issueToken,
  proofOf,
  sessionKeyOf,
  sign,
} from '@plimsoll/contracts'
import { type LogRecord, partitionOf } from '@plimsoll/runtime'
import { identityRulesOf } from './identity.js'
import { type AdmissionRules, validateRecord } from './validate.js'

const KEY = 'the identity key of this deployment'
const OTHER_KEY = 'the identity key of somebody else'
const ISSUED_S = 1_795_000_000
const HOUR_MS = 3_600_000
const PARTITIONS = 8
const rules = (isRequired: boolean, keys: readonly string[] = [KEY]): AdmissionRules => ({
  eventBytesMax: 8_000,
  signingKey: 'the key of this deployment',
  identity: identityRulesOf({ keys, isRequired }, { endedTtlMs: HOUR_MS }),
  partitions: PARTITIONS,
})
const REQUIRED = rules(true)
const OPTIONAL = rules(false)

const CLAIMS: IdentityClaims = {
  sub: 'bots',
  sid: 'acme~s1',
  tenant: 'acme',
  cat: 'communication',
  agt: 'bob',
  root: 'acme~s0',
  par: 'acme~s0',
  iat: ISSUED_S,
}

const started: EventOf<'session.started'> = {
  schema: 1,
  id: 'e0',
  sessionId: 'acme~s1',
  producer: 'p',
  seq: 0,
  time: 0,
  type: 'session.started',
  category: 'communication',
  agent: 'bob',
  root: 'acme~s0',
  inherits: { taint: 'data' },
}

const proposed: EventOf<'step.proposed'> = {
  schema: 1,
  id: 'e1',
  sessionId: 'acme~s1',
  producer: 'p',
  seq: 1,
  time: 0,
  type: 'step.proposed',
  callId: 'c1',
  tool: 'read_file',
  argumentsDigest: digestOf({}),
}

interface Sent {
  readonly sessionId: string
  readonly [member: string]: unknown
}

interface Over {
  readonly proof?: string | undefined
  readonly timeMs?: number
}

function recordOf(event: Sent, over: Over = {}): LogRecord {
  const value = Buffer.from(JSON.stringify(event))
  const { sessionId } = event
  const proof = 'proof' in over ? over.proof : proofOf(value, sessionKeyOf(sessionId, KEY))
  return {
    topic: 'events',
    partition: partitionOf(sessionId, PARTITIONS),
    offset: 5n,
    key: sessionId,
    value,
    headers: proof === undefined ? {} : { [PROOF_HEADER]: proof },
    timeMs: over.timeMs ?? ISSUED_S * 1000,
  }
}

const start = (over: object = {}, claims: Partial<IdentityClaims> = {}, key = KEY) => ({
  ...started,
  identity: issueToken({ ...CLAIMS, ...claims }, key),
  ...over,
})

function codeOf(record: LogRecord, by: AdmissionRules): string {
  const admitted = validateRecord(record, by)
  assert.deepEqual(validateRecord(record, by), admitted, 'a redelivery is read as it was')
  return admitted.kind === 'fault' ? admitted.fault.code : admitted.kind
}

describe('a start', () => {
  test('with a token that says what it says is taken', () => {
    for (const by of [REQUIRED, OPTIONAL, rules(true, ['the identity key that comes next', KEY])])
      assert.equal(codeOf(recordOf(start()), by), 'event')
  })

  test('of a session of its own needs say nothing of parent and root', () => {
    const { inherits: _, root: __, ...alone } = started
    const identity = issueToken({ sub: 'bots', sid: 'acme~s1', tenant: 'acme', cat: 'communication', agt: 'bob', iat: ISSUED_S }, KEY) // prettier-ignore
    assert.equal(codeOf(recordOf({ ...alone, identity }), REQUIRED), 'event')
    assert.equal(codeOf(recordOf({ ...alone, root: 'acme~s1', identity }), REQUIRED), 'event')
  })

  const stranger = { sessionId: 'acme~s2' }
  const forged: readonly [string, LogRecord, string][] = [
    ['without a token', recordOf(started), 'identity_missing'],
    ['with a token that somebody else issued', recordOf(start({}, {}, OTHER_KEY)), 'identity_invalid'],
    ['with a token that is none', recordOf(start({ identity: `a.b.${'c'.repeat(43)}` })), 'identity_invalid'],
    ['with the token of another session', recordOf(start(stranger)), 'identity_invalid'],
    ['in another category', recordOf(start({ category: 'research_comms' })), 'identity_invalid'],
    ['in no category', recordOf(start({ category: undefined })), 'identity_invalid'],
    ['in a category, where none was vouched for', recordOf(start({}, { cat: undefined })), 'identity_invalid'],
    ['of another agent', recordOf(start({ agent: 'eve' })), 'identity_invalid'],
    ['of another tenant', recordOf(start({}, { tenant: 'umbrella' })), 'identity_invalid'],
    ['of another root', recordOf(start({ root: 'acme~s9' })), 'identity_invalid'],
    ['as its own root', recordOf(start({ root: undefined })), 'identity_invalid'],
    ['that does not inherit from who delegated to it', recordOf(start({ inherits: undefined })), 'identity_invalid'],
    ['long after its token was issued', recordOf(start(), { timeMs: ISSUED_S * 1000 + HOUR_MS }), 'identity_invalid'],
    ['long before its token was issued', recordOf(start(), { timeMs: ISSUED_S * 1000 - HOUR_MS }), 'identity_invalid'],
    ['with a token and no proof', recordOf(start(), { proof: undefined }), 'proof_invalid'],
    ['with the proof of another value', recordOf(start(), { proof: proofOf('{}', sessionKeyOf('acme~s1', KEY)) }), 'proof_invalid'],
  ] // prettier-ignore
  for (const [what, record, code] of forged)
    test(`${what} is refused: \`${code}\``, () => {
      assert.equal(codeOf(record, REQUIRED), code)
      const isBare = code === 'identity_missing'
      assert.equal(codeOf(record, OPTIONAL), isBare ? 'event' : code)
      assert.equal(codeOf(record, { ...REQUIRED, identity: undefined }), 'event')
    })

  test('is good for no longer than an ended session is remembered, less how far clocks may differ', () => {
    const age = (endedTtlMs: number) =>
      identityRulesOf({ keys: [KEY], isRequired: true }, { endedTtlMs })?.tokenAgeMsMax
    assert.deepEqual([HOUR_MS, 20 * 60_000, 1_000].map(age), [50 * 60_000, 15 * 60_000, 0])
  })
})

describe('an event of a session', () => {
  const bytes = (event: object) => JSON.stringify(event)
  const stolen: readonly [string, LogRecord][] = [
    ['without a proof', recordOf(proposed, { proof: undefined })],
    ['with an empty proof', recordOf(proposed, { proof: '' })],
    ['with the proof of a session of the sender', recordOf(proposed, { proof: proofOf(bytes(proposed), sessionKeyOf('acme~s2', KEY)) })],
    ['with a proof of the event before', recordOf(proposed, { proof: proofOf(bytes(start()), sessionKeyOf('acme~s1', KEY)) })],
    ['with a proof under a key of the sender', recordOf(proposed, { proof: proofOf(bytes(proposed), sessionKeyOf('acme~s1', OTHER_KEY)) })],
    ['that was altered on its way', recordOf({ ...proposed, tool: 'send_email' }, { proof: proofOf(bytes(proposed), sessionKeyOf('acme~s1', KEY)) })],
  ] // prettier-ignore
  for (const [what, record] of stolen)
    test(`${what} is refused, with an answer for its sender`, () => {
      const admitted = validateRecord(record, REQUIRED)
      assert.ok(admitted.kind === 'fault')
      assert.equal(admitted.fault.code, 'proof_invalid')
      assert.equal(admitted.refusal?.verdict, 'block')
      const isBare = record.headers[PROOF_HEADER] === undefined
      assert.equal(codeOf(record, OPTIONAL), isBare ? 'event' : 'proof_invalid')
    })

  test('with its proof is taken; it is known which came without where they may', () => {
    const unproved = (record: LogRecord, by: AdmissionRules) => {
      const admitted = validateRecord(record, by)
      return admitted.kind === 'event' && admitted.isUnproved
    }
    assert.equal(unproved(recordOf(proposed), REQUIRED), false)
    assert.equal(unproved(recordOf(proposed, { proof: undefined }), OPTIONAL), true)
    assert.equal(
      unproved(recordOf(proposed, { proof: undefined }), { ...OPTIONAL, identity: undefined }),
      false,
    )
  })

  test('that is the deployment’s own needs its signature and no proof', () => {
    const event = sign<EventOf<'labels.refined'>>(
      {
        schema: 1,
        id: 'r1',
        sessionId: 'acme~s1',
        producer: 'judge',
        seq: 0,
        time: 0,
        type: 'labels.refined',
        decisionId: 'acme~s1#e1#step',
        callId: 'c1',
        tool: 'read_file',
        labels: {
          capability: 'read',
          confidentiality: 'public',
          trust: 'trusted',
          reversibility: 'reversible',
        },
        effect: 'raise',
        by: 'a model',
      },
      'the key of this deployment',
    )
    assert.equal(codeOf(recordOf(event, { proof: undefined }), REQUIRED), 'event')
    assert.equal(codeOf(recordOf({ ...event, tool: 'x' }), REQUIRED), 'signature_invalid')
  })
})

test('without keys nothing is verified', () => {
  assert.equal(identityRulesOf(undefined, { endedTtlMs: HOUR_MS }), undefined)
  assert.equal(identityRulesOf({ keys: [], isRequired: true }, { endedTtlMs: HOUR_MS }), undefined)
})
