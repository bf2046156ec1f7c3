import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { parseDocument } from './documents.js'

const HEAD = `schema: 1
kind: plimsoll.policy
name: mine
`
const TAIL = `
line: { present: block, absent: allow, unknown: confirm }
hazard: [warn, confirm, block]
forward: { verdicts: [allow, warn, confirm], hysteresis: 0.05 }
unlabelled:
  verdict: confirm
  labels: { capability: execute, reversibility: partial }
approvals: { ttlSeconds: 900 }
`

/** Specs begin in line 5, what stands before them in line 4. */
const withSpecs = (specs: string): string => `${HEAD}specs:\n${specs}${TAIL}`
const withMore = (more: string): string => `${HEAD}${more}\nspecs: []${TAIL}`

function problemsOf(text: string, name = 'mine.yaml'): readonly string[] {
  try {
    parseDocument('policy', text, name)
    return []
  } catch (error) {
    assert.ok(error instanceof PlimsollError && error.code === 'document_invalid')
    assert.doesNotMatch(error.message, /\n/)
    assert.ok(error.message.startsWith(`policy \`${name}\`: `))
    const problems = error.details['problems'] as readonly string[]
    assert.equal(error.message, `policy \`${name}\`: ${problems.join('; ')}`)
    return problems
  }
}

const FORM: [string, string[]][] = [
  [
    '  - { id: a, tier: blocklist, tols: [x] }',
    ['line 5, column 31: specs.0.tols (spec `a`): there is no such member: did you mean `tools`?'],
  ],
  [
    '  - id: a\n    tier: blocklst\n    tools: [x]',
    [
      'line 6, column 5: specs.0.tier (spec `a`): expected one of `blocklist`, `confirmation`, `allowlist`, `mustlist`, got `blocklst`: did you mean `blocklist`?',
    ],
  ],
  [
    '  - id: a\n    tools: [x]',
    [
      'line 5, column 5: specs.0.tier (spec `a`): is missing: expected one of `blocklist`, `confirmation`, `allowlist`, `mustlist`',
    ],
  ],
  [
    '  - id: a\n    tier: blocklist\n    tools: [x]\n    after: { tools: [y], within: { step: 3 } }',
    [
      'line 8, column 36: specs.0.after.within.step (spec `a`): there is no such member: did you mean `steps`?',
    ],
  ],
  [
    '  - { id: a, tier: mustlist, tools: [x], followedBy: { step: { tools: [y] }, within: { steps: 0 } } }',
    [
      'line 5, column 88: specs.0.followedBy.within.steps (spec `a`): expected at least 1, got 0: a window reaches some way, a deadline lies ahead',
    ],
  ],
  [
    '  - { id: a, tier: mustlist, tools: [x], followedBy: { step: { tools: [y] }, within: { seconds: -60 } } }',
    [
      'line 5, column 88: specs.0.followedBy.within.seconds (spec `a`): expected at least 1, got -60: a window reaches some way, a deadline lies ahead',
    ],
  ],
  [
    '  - { id: a, tier: mustlist, tools: [x], followedBy: { step: { tools: [y] }, within: { steps: 1.5 } } }',
    ['line 5, column 88: specs.0.followedBy.within.steps (spec `a`): expected a whole number, got 1.5'],
  ],
  [
    '  - { id: a, tier: mustlist, tools: [x], followedBy: { step: { tools: [y] }, within: 2020-01-01 } }',
    [
      'line 5, column 78: specs.0.followedBy.within (spec `a`): expected `session` or members named `steps`, `seconds`, got `2020-01-01`',
    ],
  ],
  [
    '  - { id: a, tier: mustlist, tools: [x], followedBy: { step: { tools: [y] }, within: { steps: 3, seconds: 9 } } }',
    ['line 5, column 98: specs.0.followedBy.within.seconds (spec `a`): cannot stand here beside `steps`'],
  ],
  [
    '  - { id: a, tier: mustlist, tools: [x], requires: {} }',
    [
      'line 5, column 42: specs.0.requires (spec `a`): expected at least one of `tools`, `capability`, `confidentiality`, `trust`, `reversibility`, `tags`, `act`, `object`, `reach`, `recipient`, `where`',
    ],
  ],
  [
    '  - { id: a, tier: allowlist, tools: [x], lifts: [line], atMost: { times: 1, per: session } }',
    [
      'line 5, column 58: specs.0.atMost (spec `a`): there is no such member of a spec of the allowlist; there are `id`, `requirements`, `message`, `tools`, `capability`, `confidentiality`, `trust`, `reversibility`, `tags`, `act`, `object`, `reach`, `recipient`, `where`, `counts`, `after`, `before`, `between`, `tier`, `lifts`',
    ],
  ],
  [
    '  - { id: a, tier: blocklist, capability: [wirte] }',
    [
      'line 5, column 44: specs.0.capability.0 (spec `a`): expected one of `read`, `write`, `execute`, `network`, got `wirte`: did you mean `write`?',
    ],
  ],
  [
    '  - { id: a, tier: blocklist, tools: [] }\n  - { id: a b, tier: blocklist, tools: x }',
    [
      'line 5, column 31: specs.0.tools (spec `a`): expected at least 1 entry, got 0',
      'line 6, column 7: specs.1.id: expected 1–64 letters, digits, `.`, `_`, `-`',
      'line 6, column 33: specs.1.tools: expected a list, got `x`',
    ],
  ],
  [
    '  - { id: a, tier: blocklist, tools: [x] }\n  - { id: a, tier: blocklist, tools: [y] }',
    ['line 6, column 7: specs.1.id (spec `a`): spec `a` stands twice'],
  ],
]

test('what is wrong in the form of a spec names line, column, spec and the fix', () => {
  for (const [specs, expected] of FORM) assert.deepEqual(problemsOf(withSpecs(specs)), expected)
})

const MEANING: [string, string[]][] = [
  [
    '  - { id: a, tier: blocklist }',
    [
      'line 5, column 5: specs.0 (spec `a`): does not say which steps it matches: give `tools` or another member of a pattern, `tools: ["*"]` for every step',
    ],
  ],
  [
    '  - { id: a, tier: mustlist, tools: [x] }',
    [
      'line 5, column 5: specs.0 (spec `a`): does not say what must be done: give `requires` (before these steps) or `followedBy` (after them), or move it to another tier',
    ],
  ],
  [
    '  - { id: a, tier: mustlist, tools: [x], requires: { tools: [y] }, followedBy: { step: { tools: [z] }, within: session } }',
    [
      'line 5, column 5: specs.0 (spec `a`): has both `requires` and `followedBy`: make two specs of it, an id each',
    ],
  ],
  [
    '  - { id: a, tier: blocklist, tools: [x], where: "args.amount >" }',
    [
      'line 5, column 43: specs.0.where (spec `a`): expression `args.amount >`: unexpected token: EOF, at character 14',
    ],
  ],
  [
    '  - { id: a, tier: blocklist, tools: [x], where: size(args.to), sum: { of: "args.to == 1", max: 3, per: session } }',
    [
      'line 5, column 43: specs.0.where (spec `a`): gives a number: write an expression that gives true or false',
      'line 5, column 72: specs.0.sum.of (spec `a`): gives true or false: write an expression that gives a number',
    ],
  ],
  [
    '  - { id: a, tier: blocklist, tools: [x], after: { where: no.such }, between: { from: { where: "1" }, to: { where: "2" } } }',
    [
      'line 5, column 52: specs.0.after.where (spec `a`): expression `no.such`: unknown variable: no, at character 1',
      'line 5, column 89: specs.0.between.from.where (spec `a`): gives a number: write an expression that gives true or false',
      'line 5, column 109: specs.0.between.to.where (spec `a`): gives a number: write an expression that gives true or false',
    ],
  ],
  [
    '  - { id: a, tier: blocklist, flow: { from: { trust: [untrusted] }, to: { tools: [x] }, declassifiers: [wash] } }',
    [
      'line 5, column 105: specs.0.flow.declassifiers.0 (spec `a`): there is no declassifier `wash`; the document lists none',
    ],
  ],
  [
    '  - { id: a, tier: blocklist, tools: [x], atMost: { times: 20, per: { steps: 10 } } }',
    [
      'line 5, column 53: specs.0.atMost.times (spec `a`): never matches: no window of 10 steps has more than 20 of them; lower `times` or widen `per`',
    ],
  ],
  ['  - { id: a, tier: blocklist, tools: [x], atMost: { times: 17, per: { steps: 10 } } }', []],
  [
    '  - { id: a, tier: blocklist, requirements: [free text has no place, R-1], tools: [x] }',
    ['line 5, column 46: specs.0.requirements.0 (spec `a`): expected 1–64 letters, digits, `.`, `_`, `-`'],
  ],
  ['  - { id: a, tier: blocklist, requirements: [R-1], tools: [x] }', []],
]

test('what a spec cannot mean names line, column, spec and the fix', () => {
  for (const [specs, expected] of MEANING) assert.deepEqual(problemsOf(withSpecs(specs)), expected)
})

const REST: [string, string[]][] = [
  [
    'analysis:\n  losses: [{ id: L-1, text: t, stakeholders: [S-1] }]\n  hazards: [{ id: H-1, text: t, losses: [L-2] }]',
    [
      'line 5, column 47: analysis.losses.0.stakeholders.0 (loss `L-1`): there is no stakeholder `S-1`; the document lists none',
      'line 6, column 42: analysis.hazards.0.losses.0 (hazard `H-1`): there is no loss `L-2`: did you mean `L-1`?',
    ],
  ],
  [
    'analysis:\n  hazards: [{ id: H-1, text: t }, { id: H-1, text: t, reached: { sequnce: [] } }]',
    [
      'line 5, column 66: analysis.hazards.1.reached.sequnce (hazard `H-1`): there is no such member: did you mean `sequence`?',
    ],
  ],
  [
    'analysis:\n  hazards: [{ id: H-1, text: t }, { id: H-1, text: t, reached: { sequence: [{ where: "3" }] } }]\n  requirements: [{ id: R, text: t, hazards: [H-1, other], unsafeControlActions: [U] }]',
    [
      'line 5, column 37: analysis.hazards.1.id (hazard `H-1`): `H-1` is used twice: give one of them another id',
      'line 6, column 51: analysis.requirements.0.hazards.1 (requirement `R`): there is no hazard `other`: list it among the hazards, or name another',
      'line 6, column 82: analysis.requirements.0.unsafeControlActions.0 (requirement `R`): there is no unsafe control action `U`; the document lists none',
      'line 5, column 79: analysis.hazards.1.reached.sequence.0.where (hazard `H-1`): gives a number: write an expression that gives true or false',
    ],
  ],
  [
    'declassifiers:\n  - { id: up, step: { tools: [x] }, from: internal, to: sensitive }\n  - { id: same, step: { tools: [x] }, from: pii, to: pii }',
    [
      'line 5, column 53: declassifiers.0.to (declassifier `up`): turns `internal` into `sensitive`, which is no lower: name a lower confidentiality, or leave `to` out',
      'line 6, column 50: declassifiers.1.to (declassifier `same`): goes in a circle, `pii` → `pii`: nothing would ever be declassified; take one of these declassifiers out',
    ],
  ],
  [
    'declassifiers:\n  - { id: a, step: { tools: [x] }, from: one, to: two }\n  - { id: b, step: { tools: [x] }, from: two, to: three }\n  - { id: c, step: { tools: [x] }, from: three, to: two }',
    [
      'line 7, column 49: declassifiers.2.to (declassifier `c`): goes in a circle, `two` → `three` → `two`: nothing would ever be declassified; take one of these declassifiers out',
    ],
  ],
  ['anlysis: {}', ['line 4, column 1: anlysis: there is no such member: did you mean `analysis`?']],
]

test('what is wrong in the rest of a policy', () => {
  for (const [more, expected] of REST) assert.deepEqual(problemsOf(withMore(more)), expected)
})

test('what is missing says what it would be', () => {
  assert.deepEqual(
    problemsOf(withSpecs('  - { id: a, tier: blocklist, tools: [x] }').replace(/line: .*\n/, '')),
    ['line 1, column 1: line: is missing: expected members named `present`, `absent`, `unknown`'],
  )
})

test('problems in JSON have lines too; in a single long line they only have the path', () => {
  const policy = parseDocument('policy', withSpecs('  - { id: a, tier: blocklist, tools: [x] }'), 'x')
  const wrong = { ...policy, specs: [{ ...policy.specs[0], tols: [] }] }
  const message = 'specs.0.tols (spec `a`): there is no such member: did you mean `tools`?'
  assert.deepEqual(problemsOf(JSON.stringify(wrong, undefined, 2), 'p.json'), [
    `line 12, column 7: ${message}`,
  ])
  assert.deepEqual(problemsOf(JSON.stringify(wrong), 'p.json'), [message])
})

test('aliases are followed to where they lead', () => {
  const text = withSpecs(
    '  - { id: a, tier: blocklist, tools: [x], after: &read { tools: [y], withn: 3 } }\n  - { id: b, tier: blocklist, tools: [x], before: *read }',
  )
  assert.deepEqual(
    problemsOf(text).map((problem) => problem.slice(0, 24)),
    ['line 5, column 70: specs', 'line 5, column 70: specs'],
  )
})

test('hundreds of problems are counted, not listed', () => {
  const specs = Array.from({ length: 100 }, (_, i) => `  - { id: s${i}, tier: blocklist, tols: [x] }`)
  const problems = problemsOf(withSpecs(specs.join('\n')))
  assert.equal(problems.length, 21)
  assert.equal(problems.at(-1), 'and 80 more')
})

test('a spec that exceeds the number of distinguishable tags is rejected', () => {
  const tagged = (count: number) =>
    Array.from({ length: count }, (_, i) => `  - { id: s${i}, tier: blocklist, tags: [tag-${i}] }`).join('\n')
  assert.deepEqual(problemsOf(withSpecs(tagged(31))), [])
  assert.deepEqual(problemsOf(withSpecs(tagged(33))), [
    'line 36, column 5: specs.31 (spec `s31`): from here on the policy names more than 31 tags, 33 in all, and no more are distinguished: give tools that are meant alike one tag',
  ])
})

test('a flow with more labels than can be distinguished is rejected', () => {
  const washers = Array.from(
    { length: 20 },
    (_, i) => `  - { id: d${i}, step: { tools: [x] }, from: a${i}, to: b${i} }`,
  )
  const names = washers.map((_, i) => `d${i}`).join(', ')
  const flow = `{ from: { tags: [a0] }, to: { tools: [y] }, declassifiers: [${names}] }`
  const text = `${HEAD}declassifiers:\n${washers.join('\n')}\nspecs:\n  - { id: a, tier: blocklist, flow: ${flow} }${TAIL}`
  assert.deepEqual(problemsOf(text), [
    'line 26, column 31: specs.0.flow (spec `a`): names 40 labels, with those of its declassifiers; at most 31 are distinguished: split it into two flows',
  ])
})

test('names with control characters do not break the line', () => {
  assert.match(problemsOf(withMore('"a\\nb": 1')).join(), /^line 4, column 1: a b: there is no such member/)
})

test('10,000 specs are checked, and a memory that is too large is refused', () => {
  const specs = (more: string) =>
    Array.from(
      { length: 10_000 },
      (_, i) => `  - { id: s${i}, tier: blocklist, tools: [tool_${i}]${more} }`,
    ).join('\n')
  assert.deepEqual(problemsOf(withSpecs(specs(', where: args.amount > 100'))), [])
  assert.deepEqual(problemsOf(withSpecs(specs(', atMost: { times: 3, per: session }'))), [
    'line 2052, column 5: specs.2047 (spec `s2047`): from here on a session would have to keep 10001 numbers, and it keeps at most 2048: use fewer conditions on time, counts and flows, counts per session instead of in windows, or a smaller `distinct`',
  ])
  assert.match(
    problemsOf(withSpecs(`${specs('')}\n  - { id: z, tier: blocklist, tools: [x] }`)).join(),
    /: specs: expected at most 10000 entries, got 10001$/,
  )
})
