import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedLabels, Declassifier, Spec } from '@plimsoll/contracts'
import { answerTo, CATALOGUE, happeningsOf, policyOf, values, type Case } from '../hand-made.js'
import { naiveAnswer } from './naive-policy.js'

const sensitive = (confidentiality: ClaimedLabels['confidentiality'] = 'sensitive') => ({
  claimed: { confidentiality },
})
const LEAK: Spec = {
  id: 'leak',
  tier: 'blocklist',
  flow: { from: { confidentiality: ['sensitive'] }, to: { tools: ['send'] }, declassifiers: ['redacted'] },
}
const REDACTED: Declassifier = { id: 'redacted', step: { tools: ['redact'] }, from: 'sensitive' }
const THRICE: Spec = {
  id: 'thrice',
  tier: 'blocklist',
  tools: ['look'],
  atMost: { times: 2, per: { steps: 8 } },
}
const SURE: Spec = {
  id: 'sure',
  tier: 'blocklist',
  tools: ['pay'],
  where: 'args.amount > 10',
}

const CASES: readonly Case[] = [
  {
    name: 'a violating argument',
    specs: [SURE],
    past: [],
    tool: 'pay',
    reported: { args: { amount: 11 } },
    expect: ['sure block'],
  },
  {
    name: 'an argument within its limit',
    specs: [SURE],
    past: [],
    tool: 'pay',
    reported: { args: { amount: 10 } },
    expect: [],
  },
  { name: 'an unreported argument', specs: [SURE], past: [], tool: 'pay', expect: ['sure block'] },
  {
    name: 'a flow of data that was read',
    specs: [LEAK],
    past: ['ran 1 read'],
    tool: 'send',
    expect: ['leak block'],
  },
  {
    name: 'no flow of data that was not read',
    specs: [LEAK],
    past: ['ran 1 look', 'ok 1'],
    tool: 'send',
    expect: [],
  },
  {
    name: 'a result raises the labels of a read',
    specs: [LEAK],
    past: ['ran 1 look', { line: 'ok 1', ...sensitive() }],
    tool: 'send',
    expect: ['leak block'],
  },
  {
    name: 'redacted after the read',
    specs: [LEAK],
    declassifiers: [REDACTED],
    past: ['ran 1 read', 'ok 1', 'ran 2 redact', 'ok 2'],
    tool: 'send',
    expect: [],
  },
  {
    name: 'redacted while the read was in flight',
    specs: [LEAK],
    declassifiers: [REDACTED],
    past: ['ran 1 read', 'ran 2 redact', 'ok 2', 'ok 1'],
    tool: 'send',
    expect: ['leak block'],
  },
  {
    name: 'a failed redaction',
    specs: [LEAK],
    declassifiers: [REDACTED],
    past: ['ran 1 read', 'ok 1', 'ran 2 redact', 'failed 2'],
    tool: 'send',
    expect: ['leak block'],
  },
  {
    name: 'a redaction in flight',
    specs: [LEAK],
    declassifiers: [REDACTED],
    past: ['ran 1 read', 'ok 1', 'ran 2 redact'],
    tool: 'send',
    expect: ['leak block'],
  },
  {
    name: 'redacted before the read',
    specs: [LEAK],
    declassifiers: [REDACTED],
    past: ['ran 2 redact', 'ran 1 read', 'ok 2'],
    tool: 'send',
    expect: ['leak block'],
  },
  {
    name: 'absent evidence stops a match by values',
    specs: [
      { ...LEAK, flow: { from: { confidentiality: ['sensitive'] }, to: { tools: ['send'] }, by: 'values' } },
    ],
    past: ['ran 1 read'],
    tool: 'send',
    values: values('absent'),
    expect: [],
  },
  {
    name: 'evidence by values with labels it does not cover',
    specs: [
      {
        ...LEAK,
        flow: { from: { confidentiality: ['internal', 'sensitive'] }, to: { tools: ['send'] }, by: 'values' },
      },
    ],
    past: ['ran 1 read'],
    tool: 'send',
    values: values('absent'),
    expect: [],
  },
  {
    name: 'a count below its limit',
    specs: [THRICE],
    past: ['ran 1 look', 'ran 2 send'],
    tool: 'look',
    expect: [],
  },
  {
    name: 'steps in flight count',
    specs: [THRICE],
    past: ['ran 1 look', 'ran 2 look'],
    tool: 'look',
    expect: ['thrice block'],
  },
  {
    name: 'blocked steps do not count',
    specs: [THRICE],
    past: ['ran 1 look', 'blocked look'],
    tool: 'look',
    expect: [],
  },
  {
    name: 'failed steps count',
    specs: [THRICE],
    past: ['ran 1 look', 'ran 2 look', 'failed 1', 'failed 2'],
    tool: 'look',
    expect: ['thrice block'],
  },
  {
    name: 'a window of eight steps has slices of one',
    specs: [THRICE],
    past: ['ran 1 look', 'ran 2 look', ...Array.from({ length: 6 }, (_, i) => `ran ${i + 3} send`)],
    tool: 'look',
    expect: ['thrice block'],
  },
  {
    name: 'a window of eight steps ends',
    specs: [THRICE],
    past: ['ran 1 look', 'ran 2 look', ...Array.from({ length: 7 }, (_, i) => `ran ${i + 3} send`)],
    tool: 'look',
    expect: [],
  },
  {
    name: 'a sum above its maximum',
    specs: [
      { id: 's', tier: 'blocklist', tools: ['pay'], sum: { of: 'args.amount', max: 10, per: 'session' } },
    ],
    past: [
      { line: 'ran 1 pay', args: { amount: 6 } },
      { line: 'ran 2 pay', args: { amount: -9 } },
    ],
    tool: 'pay',
    reported: { args: { amount: 5 } },
    expect: ['s block'],
  },
  {
    name: 'a sum at its maximum',
    specs: [
      { id: 's', tier: 'blocklist', tools: ['pay'], sum: { of: 'args.amount', max: 10, per: 'session' } },
    ],
    past: [{ line: 'ran 1 pay', args: { amount: 6 } }],
    tool: 'pay',
    reported: { args: { amount: 4 } },
    expect: [],
  },
  {
    name: 'too many distinct values',
    specs: [
      { id: 'd', tier: 'blocklist', tools: ['pay'], distinct: { of: 'args.to', max: 2, per: 'session' } },
    ],
    past: [{ line: 'ran 1 pay', args: { to: ['a', 'b'] } }],
    tool: 'pay',
    reported: { args: { to: 'c' } },
    expect: ['d block'],
  },
  {
    name: 'repeated values',
    specs: [
      { id: 'd', tier: 'blocklist', tools: ['pay'], distinct: { of: 'args.to', max: 2, per: 'session' } },
    ],
    past: [{ line: 'ran 1 pay', args: { to: ['a', 'b'] } }],
    tool: 'pay',
    reported: { args: { to: 'b' } },
    expect: [],
  },
  {
    name: 'too many other sessions',
    specs: [{ id: 'f', tier: 'confirmation', fleet: { sessions: 2, seconds: 60 } }],
    past: [],
    tool: 'look',
    readings: { 'spec:f': 2 },
    expect: ['f confirm'],
  },
  {
    name: 'few other sessions within the limit',
    specs: [{ id: 'f', tier: 'confirmation', fleet: { sessions: 2, seconds: 60 } }],
    past: [],
    tool: 'look',
    readings: { 'spec:f': 1 },
    expect: [],
  },
  {
    name: 'a step between two others',
    specs: [
      {
        id: 'b',
        tier: 'blocklist',
        tools: ['pay'],
        between: { from: { tools: ['look'] }, to: { tools: ['send'] } },
      },
    ],
    past: ['ran 1 look', 'ran 2 send'],
    tool: 'pay',
    expect: ['b block'],
  },
  {
    name: 'a step after the end of between',
    specs: [
      {
        id: 'b',
        tier: 'blocklist',
        tools: ['pay'],
        between: { from: { tools: ['look'] }, to: { tools: ['send'] } },
      },
    ],
    past: ['ran 1 look', 'ran 2 send', 'ok 2'],
    tool: 'pay',
    expect: [],
  },
  {
    name: 'after, one second too late',
    specs: [
      { id: 'a', tier: 'blocklist', tools: ['pay'], after: { tools: ['look'], within: { seconds: 2 } } },
    ],
    past: ['ran 1 look', 'ran 2 send', 'ran 3 send'],
    tool: 'pay',
    expect: [],
  },
  {
    name: 'after, at the last moment',
    specs: [
      { id: 'a', tier: 'blocklist', tools: ['pay'], after: { tools: ['look'], within: { seconds: 2 } } },
    ],
    past: ['ran 1 look', 'ran 2 send'],
    tool: 'pay',
    expect: ['a block'],
  },
  {
    name: 'a step without a verdict, with an unproven argument',
    specs: [
      { id: 'a', tier: 'blocklist', tools: ['pay'], after: { tools: ['look'], where: 'args.amount > 10' } },
    ],
    past: [{ line: 'anyway 1 look', args: { amount: 1 } }],
    tool: 'pay',
    expect: ['a block'],
  },
]

for (const each of CASES)
  test(`the interpreter: ${each.name}`, () => assert.deepEqual(answerTo(each), each.expect))

test('the interpreter: an allowlist spec matches only with certainty', () => {
  const spec: Spec = {
    id: 'fine',
    tier: 'allowlist',
    tools: ['pay'],
    between: { from: { tools: ['look'] }, to: { tools: ['fetch'] } },
    lifts: ['line'],
  }
  const documents = { policy: policyOf([spec], []), catalogue: CATALOGUE }
  const step = { callId: 'new', tool: 'pay' }
  const ask = (...past: string[]) =>
    naiveAnswer(documents, happeningsOf(past), { step, time: 9000, values: values('unknown'), readings: {} })
      .lifting.length > 0
  assert.equal(ask('ran 1 look'), false)
  assert.equal(ask('ran 1 look', 'ok 1'), true)
  assert.equal(ask('ran 1 look', 'ran 2 fetch', 'ok 1'), false)
})
