import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue } from '@plimsoll/contracts'
import { normalised } from '../verify/hazards/restated.js'
import { traceabilityOf } from '../verify/traceability.js'
import { LINT_CODES } from './findings.js'
import { lintText } from './lint-text.js'
import { covers, toolsMeet } from './patterns.js'

const TAIL = `
line: { present: block, absent: allow, unknown: confirm }
integrity: { untrusted: warn, instructed: confirm, irreversible: block }
irreversible: confirm
hazard: [allow, allow, allow]
forward: { verdicts: [allow, warn, confirm], hysteresis: 0.05 }
unlabelled:
  verdict: confirm
  labels: { capability: execute, reversibility: partial }
approvals: { ttlSeconds: 900 }
`
const policyOf = (body: string): string => `schema: 1\nkind: plimsoll.policy\nname: mine\n${body}${TAIL}`

/** Without findings of its own. */
const ANALYSIS = `analysis:
  stakeholders: [{ id: S1, text: the owner }]
  losses: [{ id: L1, text: a leak, stakeholders: [S1] }]
  hazards: [{ id: H1, text: it goes out, losses: [L1], reached: { sequence: [{ confidentiality: [sensitive] }, { capability: [network] }] } }]
  unsafeControlActions: [{ id: U1, text: a mail too much, hazards: [H1] }]
  requirements: [{ id: R1, text: nothing goes out, unsafeControlActions: [U1] }]
specs:
`
const CATALOGUE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'own',
  tools: [
    {
      tools: ['read_*'],
      labels: {
        capability: 'read',
        confidentiality: 'sensitive',
        trust: 'trusted',
        reversibility: 'reversible',
        tags: ['pii'],
      },
    },
    {
      tools: ['send_mail'],
      labels: {
        capability: 'network',
        confidentiality: 'none',
        trust: 'trusted',
        reversibility: 'irreversible',
      },
    },
  ],
}

/** Its results are labelled in part, or not at all. */
const BARE: Catalogue = {
  ...CATALOGUE,
  tools: [
    ...CATALOGUE.tools,
    {
      tools: ['look', 'find'],
      labels: { capability: 'read', trust: 'trusted', reversibility: 'reversible' },
    },
    {
      tools: Array.from({ length: 9 }, (_, n) => `look_${n}`),
      labels: { capability: 'read', reversibility: 'reversible' },
    },
  ],
}

/** `line code`, in the order of the document. */
const codesOf = (text: string, catalogue = CATALOGUE): string[] =>
  lintText(text, 'mine.yaml', catalogue).findings.map(({ code, place }) => `${place?.line} ${code}`)

const ROWS: [string, string[]][] = [
  [`${ANALYSIS}  - { id: a, tier: blocklist, requirements: [R1], tools: [send_mail] }`, []],
  [
    `${ANALYSIS}  - { id: a, tier: blocklist, tools: [send_mail] }`,
    ['9 requirement-without-spec', '11 spec-without-requirement'],
  ],
  [
    `analysis:\n  stakeholders: [{ id: S1, text: t }]\n  losses: [{ id: L1, text: t }]\n  hazards: [{ id: H1, text: t }]\n  unsafeControlActions: [{ id: U1, text: t, hazards: [H1] }]\nspecs: []`,
    [
      '5 stakeholder-without-loss',
      '6 loss-without-hazard',
      '7 hazard-without-requirement',
      '7 hazard-not-reached',
      '8 action-without-requirement',
    ],
  ],
  ['specs: []', ['1 no-analysis']],
  ['specs: [{ id: a, tier: blocklst }]', ['4 invalid']],
  ['specs: [', ['5 invalid']],
  [
    'specs:\n  - { id: a, tier: blocklist, flow: { from: { confidentiality: [sensitive] }, to: { tools: [send_mail] } } }',
    ['1 no-analysis', '5 flow-without-credentials'],
  ],
  [
    'specs:\n  - { id: a, tier: blocklist, flow: { from: { tags: [pii] }, to: { tools: [send_mail] }, by: values } }\n  - { id: b, tier: blocklist, flow: { from: { confidentiality: [internal, sensitive, credentials] }, to: { tools: [send_mail] }, by: values } }',
    ['1 no-analysis', '5 flow-never-silenced', '6 flow-never-silenced'],
  ],
  [
    'declassifiers:\n  - { id: d, step: { tools: [read_x] }, from: untrusted, to: trusted }\n  - { id: e, step: { tools: [read_x] }, from: pii }\nspecs:\n  - { id: a, tier: blocklist, flow: { from: { confidentiality: [credentials, sensitive] }, to: { tools: [send_mail] }, declassifiers: [e] } }',
    ['1 no-analysis', '5 declassifier-unused', '5 endorser-to-trusted', '8 declassifier-idle'],
  ],
  [
    'specs:\n  - { id: a, tier: blocklist, tools: [send_*] }\n  - { id: b, tier: mustlist, tools: [read_x], followedBy: { step: { tools: [send_mail] }, within: session } }\n  - { id: c, tier: mustlist, tools: [read_y], requires: { tools: [send_mail], within: { steps: 3 } } }\n  - { id: d, tier: confirmation, tools: [send_mail] }\n  - { id: e, tier: blocklist, tools: [send_mail], after: { tools: [read_x] } }',
    [
      '1 no-analysis',
      '6 required-and-blocked',
      '7 required-and-blocked',
      '8 spec-shadowed',
      '9 spec-shadowed',
    ],
  ],
  [
    'specs:\n  - { id: a, tier: blocklist, tools: [send_mail] }\n  - { id: b, tier: mustlist, tools: [read_x], followedBy: { step: { capability: [network] }, within: session } }\n  - { id: c, tier: mustlist, tools: [read_x], requires: { capability: [network, read] } }',
    ['1 no-analysis', '6 required-and-blocked'],
  ],
  [
    'specs:\n  - { id: a, tier: blocklist, tools: [send_mail] }\n  - { id: b, tier: blocklist, tools: [send_mail] }',
    ['1 no-analysis', '6 spec-shadowed'],
  ],
  [
    'specs:\n  - { id: a, tier: mustlist, tools: [read_x], requires: { tools: [read_y] } }\n  - { id: b, tier: mustlist, tools: [read_y], requires: { tools: [read_x] } }\n  - { id: c, tier: mustlist, tools: [send_*], requires: { tools: [send_mail] } }',
    ['1 no-analysis', '6 requires-circle', '7 requires-circle'],
  ],
  [
    'specs:\n  - { id: a, tier: allowlist, tools: [read_x], lifts: [hazard, line] }\n  - { id: b, tier: allowlist, tools: [read_x], lifts: [confirmation] }',
    ['1 no-analysis', '5 lifts-nothing', '6 lifts-nothing'],
  ],
  [
    'specs:\n  - { id: a, tier: blocklist, tools: [read_x], where: "1 < 2", counts: proposals }\n  - { id: b, tier: blocklist, tools: [read_x], counts: proposals, atMost: { times: 1, per: { steps: 9 } } }',
    ['1 no-analysis', '5 where-constant', '5 counts-without-window'],
  ],
  [
    'specs:\n  - { id: a, tier: confirmation, tools: [send_mial, read_x] }\n  - { id: b, tier: confirmation, tools: [read_x], capability: [write] }\n  - { id: c, tier: confirmation, tags: [ppi] }\n  - { id: d, tier: confirmation, confidentiality: [internal] }\n  - { id: e, tier: confirmation, confidentiality: [internal, sensitive, credentials] }',
    ['1 no-analysis', '5 matches-no-tool', '6 matches-no-tool', '7 label-of-no-tool', '8 label-of-no-tool'],
  ],
]

const LEAKING = policyOf('specs: []').replace(
  'present: block, absent: allow, unknown: confirm',
  'present: warn, absent: allow, unknown: allow',
)

const UNJUDGED = policyOf('specs: []').replace(/^(integrity|irreversible): .*\n/gm, '')

test('a line that lets data out is found', () => {
  const found = codesOf(LEAKING).filter((code) => code.includes('line-'))
  assert.deepEqual(
    found.map((code) => code.split(' ')[1]),
    ['line-lets-leaks-run', 'line-lets-unknown-run'],
  )
})

test('lines of integrity and of irreversible steps that let run are found, and those that are left out', () => {
  const open = policyOf('specs: []')
    .replace('instructed: confirm', 'instructed: warn')
    .replace('irreversible: block', 'irreversible: allow')
    .replace('irreversible: confirm', 'irreversible: warn')
  assert.deepEqual(codesOf(open), [
    '1 no-analysis',
    '6 integrity-lets-run',
    '6 integrity-lets-run',
    '7 irreversible-lets-run',
  ])
  assert.deepEqual(codesOf(UNJUDGED), ['1 no-analysis', '1 integrity-lets-run', '1 irreversible-lets-run'])
})

test('what linting finds', () => {
  for (const [body, expected] of ROWS) {
    const given = codesOf(policyOf(body)).map((code) => code.replace(/^\d+ no-analysis$/, '1 no-analysis'))
    assert.deepEqual(given, expected, body)
  }
})

test('every code is found in these policies', () => {
  const restating = RESTATING.flatMap(([, spec]) =>
    codesOf(policyOf(withHazard('{ sequence: [{ tools: [send_mail] }] }', spec))),
  )
  const found = new Set(
    [
      ...ROWS.flatMap(([body]) => codesOf(policyOf(body))),
      ...codesOf(LEAKING),
      ...codesOf(UNJUDGED),
      ...codesOf(policyOf('specs: []'), BARE),
      ...restating,
    ].map((each) => each.split(' ')[1]),
  )
  assert.deepEqual(
    Object.keys(LINT_CODES).filter((code) => !found.has(code)),
    [],
  )
})

const withHazard = (reached: string, spec: string): string =>
  ANALYSIS.replace(/reached: \{.*\} \}\]/, `reached: ${reached} }]`).concat(
    `  - { id: a, requirements: [R1], ${spec} }`,
  )

const RESTATING: [string, string, boolean][] = [
  ['{ sequence: [{ tools: [send_mail] }] }', 'tier: blocklist, tools: [send_mail]', true],
  ['{ sequence: [{ capability: [network] }] }', 'tier: blocklist, tools: [send_mail]', false],
  [
    '{ sequence: [{ trust: [untrusted, trusted] }, { tools: [send_mail] }] }',
    'tier: blocklist, flow: { from: { trust: [trusted, untrusted], within: { steps: 4 } }, to: { tools: [send_mail] } }',
    true,
  ],
  [
    '{ sequence: [{ tools: [read_x] }, { tools: [send_mail] }] }',
    'tier: confirmation, tools: [send_mail], after: { tools: [read_x] }',
    true,
  ],
  [
    '{ sequence: [{ tools: [read_x] }, { tools: [send_mail] }], unless: { tools: [read_y] } }',
    'tier: blocklist, tools: [send_mail], between: { from: { tools: [read_x] }, to: { tools: [read_y] } }',
    true,
  ],
  [
    '{ endsAfter: { tools: [read_x] }, without: { tools: [send_mail] } }',
    'tier: mustlist, tools: [read_x], followedBy: { step: { tools: [send_mail] }, within: session }',
    true,
  ],
  [
    '{ endsAfter: { capability: [read] }, without: { tools: [send_mail] } }',
    'tier: mustlist, tools: [read_x], followedBy: { step: { tools: [send_mail] }, within: session }',
    false,
  ],
  [
    '{ sequence: [{ tools: [send_mail] }, { tools: [send_mail] }] }',
    'tier: blocklist, tools: [send_mail], atMost: { times: 1, per: session }',
    true,
  ],
]

test('a hazard that merely restates a spec', () => {
  for (const [reached, spec, expected] of RESTATING)
    assert.equal(
      codesOf(policyOf(withHazard(reached, spec))).includes('7 hazard-restates-spec'),
      expected,
      `${reached} / ${spec}`,
    )
})

test('entries that leave out labels of results are named, with what counts instead', () => {
  const { findings } = lintText(policyOf('specs: []'), 'm', BARE)
  const [confidentiality, trust, ...more] = findings.filter(({ code }) => code === 'label-left-out')
  assert.match(
    confidentiality?.message ?? '',
    /^the catalogue leaves out `confidentiality` of `look`, `find`, `look_0`, .*`look_7` and 1 more: they count as `none`, as set here/,
  )
  assert.match(trust?.message ?? '', /`trust` of `look_0`.*they count as `trusted`, as set here/)
  assert.deepEqual([confidentiality?.severity, more], ['warning', []])
})

test('findings name where they lie and what to do', () => {
  const { findings, policy } = lintText(
    policyOf(`${ANALYSIS}  - { id: a, tier: blocklist, tools: [send_mial] }`),
    'm',
    CATALOGUE,
  )
  assert.ok(policy)
  assert.deepEqual(findings.at(-1), {
    code: 'matches-no-tool',
    severity: 'warning',
    path: ['specs', 0, 'tools', 0],
    place: { line: 11, column: 39 },
    part: 'spec `a`',
    message: 'no tool of the catalogue is called `send_mial`: did you mean `send_mail`?',
  })
})

test('what covers what', () => {
  const rows: [Parameters<typeof covers>[0], Parameters<typeof covers>[1], boolean][] = [
    [{ tools: ['send_*'] }, { tools: ['send_mail', 'send_*_now'] }, true],
    [{ tools: ['send_mail'] }, { tools: ['send_*'] }, false],
    [{ tools: ['*'] }, { capability: ['read'] }, true],
    [{ tools: ['a'] }, { capability: ['read'] }, false],
    [{ capability: ['read', 'write'] }, { capability: ['write'], tools: ['x'] }, true],
    [{ capability: ['read'] }, { tools: ['x'] }, false],
    [{ recipient: 'external' }, { recipient: 'external', tools: ['x'] }, true],
    [{ recipient: 'external' }, { tools: ['x'] }, false],
    [{ tools: ['x'], where: 'args.a' }, { tools: ['x'] }, false],
    [{ tools: ['x'], where: 'args.a' }, { tools: ['x'], where: 'args.a' }, true],
  ]
  for (const [whole, part, expected] of rows)
    assert.equal(covers(whole, part), expected, `${JSON.stringify(whole)} ${JSON.stringify(part)}`)
})

test('whether a name can match two patterns', () => {
  const rows: [string, string, boolean][] = [
    ['send_*', '*_mail', true],
    ['send_*', 'read_*', false],
    ['*a*b*', '*b*a*', true],
    ['a*c', 'a*d', false],
    ['a**', 'a', true],
    ['*', 'x', true],
    ['ab*', 'a', false],
  ]
  for (const [a, b, expected] of rows) {
    assert.equal(toolsMeet(a, b), expected, `${a} ${b}`)
    assert.equal(toolsMeet(b, a), expected, `${b} ${a}`)
  }
})

test('patterns that say the same are the same text', () => {
  assert.equal(
    normalised({ trust: ['trusted', 'untrusted'], tools: ['b', 'a'] }),
    normalised({ tools: ['a', 'b', 'a'], trust: ['untrusted', 'trusted'] }),
  )
  assert.notEqual(normalised({ tools: ['a'] }), normalised({ tags: ['a'] }))
})

test('traceability leads from each hazard to its specs', () => {
  const { policy } = lintText(
    policyOf(`${ANALYSIS}  - { id: a, tier: blocklist, requirements: [R1], tools: [x] }`),
    'm',
  )
  assert.ok(policy)
  const [row] = traceabilityOf(policy).hazards
  assert.deepEqual(
    [
      row?.losses.map(({ id }) => id),
      row?.actions.map(({ id }) => id),
      row?.requirements.map(({ id }) => id),
      row?.specs,
    ],
    [['L1'], ['U1'], ['R1'], ['a']],
  )
})

test('10,000 specs are linted', () => {
  const specs = Array.from(
    { length: 10_000 },
    (_, i) => `  - { id: s${i}, tier: blocklist, requirements: [R1], tools: [read_${i}] }`,
  )
  assert.deepEqual(codesOf(policyOf(`${ANALYSIS}${specs.join('\n')}`)), [])
})
