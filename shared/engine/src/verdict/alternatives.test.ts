import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type EventErrorCode,
  type Reason,
  type Verdict,
  ACTS,
  ERRORS,
  EVIDENCES,
  REASON_SOURCES,
} from '@plimsoll/contracts'
import { createSampleSession, eventOf, sampleRules, spec } from '../testing.js'
import { alternativeOfKind } from './alternatives.js'
import { refusalOf } from './refusal.js'

const reasonOf = (source: Reason['source'], code = 'x', verdict: Verdict = 'block'): Reason => ({
  source,
  code,
  verdict,
  message: 'm',
})

const ofReason = (reason: Reason, more: object = {}) =>
  alternativeOfKind({ verdict: reason.verdict, reasons: [reason], ...more })

/** One plain sentence, as it is printed after `instead:`. */
const SENTENCE = /^[a-z`][^\n.]{15,200}[^\n.;,]$/

test('every source of reasons has an alternative, for a block and for a confirmation', () => {
  for (const source of REASON_SOURCES)
    for (const verdict of ['confirm', 'block'] as const)
      assert.match(ofReason(reasonOf(source, 'x', verdict)) ?? '', SENTENCE, source)
})

test('a step that runs gets no alternative', () => {
  for (const verdict of ['allow', 'warn'] as const)
    assert.equal(ofReason(reasonOf('line', 'x', verdict)), undefined)
})

test('acts, evidence and error codes each have an alternative of their own', () => {
  const acts = ACTS.map((act) =>
    ofReason(reasonOf('irreversible'), { signals: { [`does${act[0]?.toUpperCase()}${act.slice(1)}`]: 1 } }),
  )
  const evidences = EVIDENCES.map((evidence) => ofReason(reasonOf('line'), { evidence }))
  const codes = Object.entries(ERRORS).flatMap(([code, { kind }]) =>
    kind === 'event' ? [ofReason(reasonOf('malformed', code))] : [],
  )
  for (const list of [acts, evidences, codes]) {
    assert.equal(new Set(list).size, list.length)
    for (const text of list) assert.match(text ?? '', SENTENCE)
  }
})

test('the alternative answers the most severe reason that counts', () => {
  const lifted = { ...reasonOf('stop'), liftedBy: 'a' }
  const asks = reasonOf('unlabelled', 'tool_unlabelled', 'confirm')
  const blocks = reasonOf('line', 'outgoing_after_sensitive')
  const alternative = alternativeOfKind({
    verdict: 'block',
    reasons: [lifted, asks, blocks],
    evidence: 'present',
  })
  assert.equal(alternative, ofReason(blocks, { evidence: 'present' }))
  assert.match(alternative ?? '', /summary/)
})

test("a spec's alternative precedes the general one, unless the spec is lifted", () => {
  const tools = { pay: { blocklist: [spec('never')], confirmation: [spec('ask', 'send an invoice')] } }
  const { decision } = createSampleSession({ rules: sampleRules({ tools }) }).propose('pay')
  assert.deepEqual([decision?.verdict, decision?.alternative], ['block', 'send an invoice'])
  const bare = createSampleSession({ rules: sampleRules({ tools: { pay: { blocklist: [spec('never')] } } }) })
  assert.equal(bare.propose('pay').decision?.alternative, ofReason(reasonOf('blocklist', 'never')))
})

test('refusals name what the client can do', () => {
  const codes = Object.keys(ERRORS).filter(
    (code) => ERRORS[code as keyof typeof ERRORS].kind === 'event',
  ) as EventErrorCode[]
  for (const code of codes) {
    const decision = refusalOf(eventOf('step.proposed', 3), { code, message: 'm' }, 5)
    assert.equal(decision.alternative, ofReason(reasonOf('malformed', code)), code)
  }
})
