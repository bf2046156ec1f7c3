import { createNames } from './module-parts.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy } from '@plimsoll/contracts'
import { SAMPLE_CATALOGUE, samplePolicy } from '../testing.js'
import { toAlloy } from './to-alloy.js'

const DEPTH = 4

const textOf = (...specs: Policy['specs']): string =>
  toAlloy(samplePolicy(...specs), SAMPLE_CATALOGUE, { depth: DEPTH }).text

/** The translation of each condition: lines that the module must contain. */
const CASES: readonly (readonly [string, Policy['specs'][number], readonly string[]])[] = [
  [
    'a plain blocklist spec',
    { id: 'no-mail', tier: 'blocklist', tools: ['send_*'] },
    ['send_any in s.tool -- send_*', 'not (no_mail_speaks[s])'],
  ],
  [
    'an unknown match counts if it is to the disadvantage of the session',
    { id: 'out', tier: 'blocklist', capability: ['network'], recipient: 'external', where: 'args.a == 1' },
    ['s.recipient != Inside', 'where_1 in s.mayHold', 'one sig where_1 extends Where {} -- args.a == 1'],
  ],
  [
    'an unknown match does not count in favour of the session',
    {
      id: 'must',
      tier: 'mustlist',
      requires: { tools: ['ask'], recipient: 'internal', where: 'args.a == 1' },
    },
    ['s.recipient = Inside', 'where_1 in s.holds', 'no e: back.(s.prevs) | must_requires[e]'],
  ],
  [
    'a window of steps',
    { id: 'late', tier: 'blocklist', after: { tools: ['read_a'], within: { steps: 2 } } },
    [
      'fun last_2_before [s: Step]: set Step { s.prev + s.prev.prev }',
      'some e: last_2_before[s] | late_after[e]',
    ],
  ],
  [
    'a window of seconds is a free choice',
    { id: 'late', tier: 'blocklist', before: { tools: ['read_a'], within: { seconds: 60 } } },
    ['last_60_seconds: set Step', 'no e: s.last_60_seconds_back | late_before[e]'],
  ],
  [
    'counts',
    { id: 'twice', tier: 'blocklist', tools: ['send_a'], atMost: { times: 2, per: 'session' } },
    ['#{e: s.prevs | twice_own[e]} >= 2'],
  ],
  [
    'sums are a free choice',
    { id: 'much', tier: 'blocklist', tools: ['send_a'], sum: { of: 'args.amount', max: 5, per: 'session' } },
    ['sig much_sum in Step {}', 's in much_sum'],
  ],
  [
    'between',
    { id: 'shut', tier: 'blocklist', between: { from: { tools: ['a'] }, to: { tools: ['b'] } } },
    ['some f: s.prevs | shut_from[f] and no t: f.nexts & back.(s.prevs) | shut_to[t]'],
  ],
  [
    'a flow carries labels',
    {
      id: 'leak',
      tier: 'blocklist',
      flow: { from: { confidentiality: ['sensitive'] }, to: { tools: ['send_a'] } },
    },
    ['leak_carries: set Label', 'some s.leak_carries & (Sensitive)'],
  ],
  [
    'an obligation',
    {
      id: 'tell',
      tier: 'mustlist',
      tools: ['a'],
      followedBy: { step: { tools: ['b'] }, within: { steps: 2 } },
    },
    [
      'tell_owes_since: lone Step',
      's in s.tell_owes_since.next.next.*next',
      'tell_late[s] and not s in tell_exit',
    ],
  ],
]

for (const [title, spec, lines] of CASES)
  test(`in Alloy: ${title}`, () => {
    const text = textOf(spec)
    for (const line of lines) assert.ok(text.includes(line), `${line}\n— is not in\n${text}`)
  })

test('has commands for each hazard without the policy, with it, and without approvals', () => {
  const reached = { sequence: [{ tools: ['send_a'] }] }
  const policy: Policy = {
    ...samplePolicy(),
    analysis: { hazards: [{ id: 'H-1', text: 'x', reached }], goals: [{ id: 'G1', text: 'y', reached }] },
  }
  const { text, commands: questions } = toAlloy(policy, SAMPLE_CATALOGUE, { depth: DEPTH })
  assert.deepEqual(
    questions.map(({ command }) => command),
    [
      'hazard_H_1_policy_off',
      'hazard_H_1_policy_on',
      'hazard_H_1_policy_on_unasked',
      'goal_G1_policy_on',
      'goal_G1_policy_on_unasked',
    ],
  )
  for (const { command } of questions) assert.match(text, new RegExp(`^(run|check) ${command} `, 'm'))
})

test('the check of an end says that it excludes sessions with an alert', () => {
  const reached = { endsAfter: { tools: ['send_a'] }, without: { tools: ['send_b'] } }
  const policy: Policy = { ...samplePolicy(), analysis: { hazards: [{ id: 'H1', text: 'x', reached }] } }
  const { text } = toAlloy(policy, SAMPLE_CATALOGUE, { depth: DEPTH })
  assert.match(
    text,
    /^-- sessions that end with an alert are excluded.*\ncheck hazard_H1_policy_on \{.* and not owedAtEnd\)/m,
  )
})

test('identifiers are valid in Alloy and unique', () => {
  const name = createNames()
  assert.deepEqual(
    ['send.mail', 'send-mail', 'no', '1st', 'send_mail'].map((each) => name(each)),
    ['send_mail', 'send_mail_2', 'no_2', 'x_1st', 'send_mail_3'],
  )
})

test('a text of several lines stays a comment', () => {
  const text = textOf({
    id: 'a',
    tier: 'blocklist',
    message: 'one\npred enforced { some none }',
    tools: ['x'],
  })
  assert.ok(text.includes('-- blocklist `a`: one pred enforced'))
})
