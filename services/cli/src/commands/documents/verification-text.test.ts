import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VerificationReport } from '@plimsoll/policy'
import { isAccepted, verificationText } from './verification-text.js'

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
const STRICT = { approvals: false, predictionStop: false }

test('a report in words', () => {
  assert.equal(
    verificationText(REPORT, { ...STRICT, ok: false, seconds: 0.12 }),
    [
      '✔ H1 cannot be reached, held by flow: a leak',
      '✘ H2 is reached only if a human approves: a payment',
      '    1. pay (to external; args.n > 5) → confirm [confirmation ask], a human approves',
      '    2. pay came back well, claimed to be sensitive',
      '    3. the session ends',
      "✔ G stays within reach; at prediction's harshest if a human approves: work",
      '✔ no agent gets stuck: in every state look can be run in the end',
      '! old (blocklist) never matches, in no reachable state',
      'not verified: 2 hazards, 1 goals, 1 specs; 4 kinds of steps, 6 states, 0.1 s',
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

function goalOf({ goals: [goal] }: VerificationReport) {
  if (!goal) throw new Error('there is a goal')
  return goal
}
