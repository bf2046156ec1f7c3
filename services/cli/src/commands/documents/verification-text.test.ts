import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HazardResult, VerificationReport } from '@plimsoll/policy'
import { type Accepts, hazardOutcomes, isAccepted, verificationText } from './verification-text.js'

const REPORT: VerificationReport = {
  policy: 'p',
  catalogue: 'c',
  claims: 'results',
  failOpen: [],
  hazards: [
    { id: 'H1', text: 'a leak', result: 'proved', heldBy: ['flow'], states: 3 },
    {
      id: 'H2',
      text: 'a payment',
      result: 'by_approval',
      heldBy: [],
      states: 2,
      trace: [
        {
          event: 'proposed',
          tool: 'pay',
          recipient: 'external',
          effects: [{ act: 'pay', object: 'account', reach: 'live' }],
          where: { 'args.n > 5': true },
          verdict: 'confirm',
          reasons: [{ source: 'confirmation', code: 'ask', verdict: 'confirm' }],
          approved: true,
        },
        { event: 'completed', tool: 'pay', outcome: 'ok', claims: { confidentiality: 'sensitive' } },
        { event: 'ended' },
      ],
    },
  ],
  goals: [{ id: 'G', text: 'work', result: 'reachable', harshest: 'by_approval', states: 1 }],
  wedge: { result: 'none', always: ['look'], states: 0 },
  specs: [{ id: 'old', tier: 'blocklist', finding: 'never_speaks' }],
  kinds: 4,
  states: 6,
}
const STRICT = { approvals: false, onlyProved: false, predictionStop: false }

test('a report in words', () => {
  assert.equal(
    verificationText(REPORT, { ...STRICT, ok: false, seconds: 0.12 }),
    [
      '✔ H1 cannot be reached, held by flow: a leak',
      '✘ H2 needs a human: it is reached only after an approval: a payment',
      '    1. pay (to external; pay account live; args.n > 5) → confirm [confirmation ask], a human approves',
      '    2. pay came back well, claimed to be sensitive',
      '    3. the session ends',
      "✔ G stays within reach; at prediction's harshest if a human approves: work",
      '✔ no agent gets stuck: in every state look can be run in the end',
      '! old (blocklist) never matches, in no reachable state',
      '✔ 1 is proved: H1',
      '✘ 1 needs a human: H2',
      'not verified: 1 of 2 hazards proved; 1 goals, 1 specs; 4 kinds of steps, 6 states, 0.1 s',
      '',
    ].join('\n'),
  )
})

test('what is accepted', () => {
  assert.equal(isAccepted(REPORT, STRICT), false)
  assert.equal(isAccepted(REPORT, { ...STRICT, approvals: true }), true)
  const stopped: VerificationReport = { ...REPORT, hazards: [], wedge: { result: 'prediction', states: 1 } }
  assert.equal(isAccepted(stopped, STRICT), false)
  assert.equal(isAccepted(stopped, { ...STRICT, predictionStop: true }), true)
  assert.equal(
    isAccepted({ ...REPORT, hazards: [], goals: [{ ...goalOf(REPORT), result: 'unreachable' }] }, STRICT),
    false,
  )
})

test('counts hazards by result, one line each, and calls only proofs verified', () => {
  const hazard = (id: string, result: HazardResult) => ({ id, text: id, result, heldBy: [], states: 1 })
  const report = {
    ...REPORT,
    hazards: [
      hazard('H1', 'proved'),
      hazard('H2', 'not_stated'),
      hazard('H3', 'by_approval'),
      hazard('H4', 'alerted'),
      hazard('H5', 'proved'),
      hazard('H6', 'not_stated'),
    ],
  }
  const accepts = { ...STRICT, approvals: true }
  assert.deepEqual(hazardOutcomes(report, accepts), [
    { result: 'proved', hazards: ['H1', 'H5'], accepted: true, text: '2 are proved: H1, H5' },
    { result: 'by_approval', hazards: ['H3'], accepted: true, text: '1 needs a human: H3' },
    { result: 'alerted', hazards: ['H4'], accepted: true, text: '1 is reached with an alert: H4' },
    { result: 'not_stated', hazards: ['H2', 'H6'], accepted: true, text: '2 are never stated: H2, H6' },
  ])
  const lines = verificationText(report, { ...accepts, ok: true, seconds: 1 }).split('\n')
  assert.deepEqual(lines.slice(-6, -1), [
    '✔ 2 are proved: H1, H5',
    '! 1 needs a human: H3',
    '! 1 is reached with an alert: H4',
    '– 2 are never stated: H2, H6',
    'accepted, not all verified: 2 of 6 hazards proved; 1 goals, 1 specs; 4 kinds of steps, 6 states, 1.0 s',
  ])
  const proved = { ...report, hazards: [hazard('H1', 'proved')] }
  assert.match(
    verificationText(proved, { ...accepts, ok: true, seconds: 1 }),
    /^verified: 1 of 1 hazards proved/m,
  )
})

test('--only-proved accepts nothing but proofs', () => {
  const only = { ...STRICT, approvals: true, onlyProved: true }
  const results = ['proved', 'by_approval', 'alerted', 'not_stated', 'reached', 'bounded'] as const
  const accepted = (accepts: Accepts) =>
    results.filter((result) =>
      isAccepted({ ...REPORT, hazards: [{ id: 'H', text: '', result, heldBy: [], states: 1 }] }, accepts),
    )
  assert.deepEqual(accepted(only), ['proved'])
  assert.deepEqual(accepted(STRICT), ['proved', 'alerted', 'not_stated'])
  assert.deepEqual(accepted({ ...STRICT, approvals: true }), [
    'proved',
    'by_approval',
    'alerted',
    'not_stated',
  ])
})

function goalOf({ goals: [goal] }: VerificationReport) {
  if (!goal) throw new Error('there is a goal')
  return goal
}
