import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Evidence, type Signals, type Verdict, ACTS as ACT_NAMES } from '@plimsoll/contracts'
import { requestedActs } from '../labels/safety-state.js'
import { ESCALATIONS, REVERSIBILITIES } from '../labels/words.js'
import {
  type Group,
  type Matches,
  type Origin,
  GROUPS,
  MATCHES_LENGTH,
  ORIGINS,
} from '../provenance/matches.js'
import type { ToolRule } from '../rules.js'
import { FOR_EVER } from '../spec-rule.js'
import {
  type RulesOptions,
  type SampleTool,
  codesOf,
  createSampleSession,
  sampleChain,
  sampleRules,
  spec,
} from '../testing.js'
import { type IntegrityStep, categoryOf, integrityReason, irreversibleReason } from './judge.js'

type Lifts = ToolRule['allowlist'][number]['lifts']
const allow = (...lifts: Parameters<Lifts['has']>[0][]) => [{ id: 'known', lifts: new Set(lifts) }]

/** Verdict and reasons of `tool`, proposed after `before` ran. */
function judged(
  tool: string,
  options: RulesOptions = {},
  before: readonly string[] = [],
  evidence?: Evidence,
) {
  const session = createSampleSession({ rules: sampleRules(options) })
  for (const earlier of before) session.propose(earlier)
  const outcome = session.propose(tool, evidence ? { evidence: { sensitive: evidence } } : {})
  return [outcome.decision?.verdict, codesOf(outcome)] as const
}

const LINE = 'line:outgoing_after_sensitive'
const CODE = 'line:unknown_code_after_sensitive'

test('the line is judged on this step: it may send, and something sensitive was read before', () => {
  const rows: [string, string[], Evidence | undefined, Verdict, string[]][] = [
    ['send_email', ['read_secret'], undefined, 'confirm', [LINE]],
    ['send_email', ['read_secret'], 'unknown', 'confirm', [LINE]],
    ['send_email', ['read_secret'], 'present', 'block', [LINE]],
    ['send_email', ['read_secret'], 'absent', 'allow', [LINE]],
    ['send_email', ['read_keys', 'read_public'], 'present', 'block', [LINE]],
    ['send_email', ['read_file'], 'present', 'allow', []],
    ['send_email', [], 'present', 'allow', []],
    ['fetch_page', ['read_secret'], 'present', 'block', [LINE]],
    ['fetch_page', ['read_secret'], 'absent', 'allow', []],
    ['fetch_page', ['read_secret'], 'unknown', 'allow', []],
    ['run_code', ['read_secret'], 'present', 'block', [CODE]],
    ['run_code', ['read_secret'], 'unknown', 'confirm', [CODE]],
    ['run_code', ['read_secret'], 'absent', 'confirm', [CODE]],
    ['run_code', ['read_file'], 'unknown', 'allow', []],
    ['write_file', ['read_secret'], 'present', 'allow', []],
    ['read_keys', ['read_secret'], 'present', 'allow', []],
  ]
  for (const [tool, before, evidence, verdict, codes] of rows)
    assert.deepEqual(judged(tool, {}, before, evidence), [verdict, codes], `${tool} after ${before.join()}`)
})

test('the policy sets the verdict of the line', () => {
  const line = { present: 'warn', absent: 'confirm', unknown: 'block' } as const
  for (const evidence of ['present', 'absent', 'unknown'] as const)
    assert.deepEqual(judged('send_email', { line }, ['read_secret'], evidence), [line[evidence], [LINE]])
})

test('a more severe reason counts beyond the reasons listed per tier', () => {
  const warns = Array.from({ length: 40 }, (_, i) => ({ id: `warn-${i}`, verdict: 'warn' as const }))
  const [verdict, codes] = judged('tool', {
    tools: { tool: { confirmation: [...warns, { id: 'ask' }, { id: 'more' }] } },
  })
  assert.deepEqual([verdict, codes.length, codes.at(-1)], ['confirm', 33, 'confirmation:ask'])
  const owing = { requires: { cell: 1, ...FOR_EVER } }
  const mustlist = [...warns, { id: 'block', verdict: 'block' as const }].map((each) => ({
    ...each,
    ...owing,
  }))
  assert.deepEqual(judged('tool', { tools: { tool: { mustlist } } })[0], 'block')
})

test('each tier, alone and together', () => {
  const blocklist = [spec('never')]
  const confirmation = [spec('ask')]
  const rows: [SampleTool, Verdict, string[]][] = [
    [{ blocklist }, 'block', ['blocklist:never']],
    [{ confirmation }, 'confirm', ['confirmation:ask']],
    [{ blocklist, confirmation }, 'block', ['blocklist:never', 'confirmation:ask']],
    [{ confirmation, allowlist: allow('confirmation') }, 'allow', ['-confirmation:ask']],
    [{ confirmation, allowlist: allow('line') }, 'confirm', ['confirmation:ask']],
    [{ blocklist, allowlist: allow('confirmation', 'line', 'hazard') }, 'block', ['blocklist:never']],
    [
      { blocklist, confirmation, allowlist: allow('confirmation') },
      'block',
      ['blocklist:never', '-confirmation:ask'],
    ],
    [{ confirmation: [spec('a'), spec('b')] }, 'confirm', ['confirmation:a', 'confirmation:b']],
  ]
  for (const [rule, verdict, codes] of rows)
    assert.deepEqual(judged('read_file', { tools: { read_file: rule } }), [verdict, codes])
})

test('an allowlist lifts what it names and lists it: the line, a hazard, a forward risk', () => {
  const chain = sampleChain({ hazard: () => 0.9, probability: () => 0.9 })
  const tools = (...lifts: Parameters<typeof allow>) => ({ send_email: { allowlist: allow(...lifts) } })
  const plain = judged('send_email', { chain }, [])
  assert.deepEqual(plain, ['block', ['hazard:step_hazard', 'forward:band_3']])
  const lifted = judged('send_email', { chain, tools: tools('hazard') }, [])
  assert.deepEqual(lifted, ['confirm', ['-hazard:step_hazard', 'forward:band_3']])
  const both = judged('send_email', { chain, tools: tools('hazard', 'forward') }, [])
  assert.deepEqual(both, ['allow', ['-hazard:step_hazard', '-forward:band_3']])
  const line = judged('send_email', { tools: tools('line') }, ['read_secret'], 'present')
  assert.deepEqual(line, ['allow', [`-${LINE}`]])
})

test('the hazard speaks on every step, by its thresholds', () => {
  const rows: [number, Verdict, string[]][] = [
    [0.19, 'allow', []],
    [0.2, 'warn', ['hazard:step_hazard']],
    [0.4, 'confirm', ['hazard:step_hazard']],
    [0.6, 'block', ['hazard:step_hazard']],
    [1, 'block', ['hazard:step_hazard']],
  ]
  for (const [value, verdict, codes] of rows)
    assert.deepEqual(judged('read_file', { chain: sampleChain({ hazard: () => value }) }), [verdict, codes])
})

test('an unlabelled tool gets its default, unless a spec names it', () => {
  assert.deepEqual(judged('mystery'), ['confirm', ['unlabelled:tool_unlabelled']])
  const named: SampleTool[] = [{ confirmation: [spec('ask')] }, { allowlist: allow('line') }]
  const verdicts = named.map((rule) => judged('mystery', { tools: { mystery: rule } })[0])
  assert.deepEqual(verdicts, ['confirm', 'allow'])
  const unlabelled = { ...sampleRules().unlabelled, verdict: 'block' as const }
  assert.deepEqual(judged('mystery', { unlabelled }), ['block', ['unlabelled:tool_unlabelled']])
})

test('an unlabelled tool that plainly reads needs no approval, unless its arguments do more', () => {
  const readAs = { exposure: 2, escalation: 0, reversibility: 0, untrusted: true }
  const rules = sampleRules({ tools: { look: { readAs } } })
  const propose = (more: object) => createSampleSession({ rules }).propose('look', more).decision
  const plain = propose({})
  assert.deepEqual(
    [plain?.verdict, plain?.risk?.escalation, plain?.risk?.exposure],
    ['allow', 'read_only', 'internal'],
  )
  assert.match(
    plain?.reasons[0]?.message ?? '',
    /no catalogue labels the tool `look`; by its name it only reads/,
  )
  assert.equal(propose({ signals: { doesDelete: 1 } })?.verdict, 'confirm')
  assert.equal(propose({ labels: { capability: 'write', reversibility: 'partial' } })?.verdict, 'confirm')
})

test("an unlabelled tool gets the policy's labels, raised by claims", () => {
  const session = createSampleSession({
    rules: sampleRules({ tools: { mystery: { allowlist: allow('line') } } }),
  })
  const plain = session.propose('mystery').decision?.risk
  assert.deepEqual(
    [plain?.exposure, plain?.escalation, plain?.reversibility],
    ['internal', 'code_exec', 'partial'],
  )
  const labels = { capability: 'read', confidentiality: 'sensitive' } as const
  const raised = session.propose('mystery', { labels }).decision?.risk
  assert.deepEqual([raised?.exposure, raised?.escalation], ['sensitive', 'code_exec'])
})

test('a category without a chain reads the aggregate and says so', () => {
  const session = createSampleSession({ category: 'gardening' })
  const outcome = session.propose('read_file')
  assert.equal(outcome.decision?.risk?.category, 'aggregate')
  assert.deepEqual(codesOf(outcome), ['forward:category_unknown'])
  assert.equal(outcome.decision?.verdict, 'allow')
  assert.deepEqual(codesOf(createSampleSession({ category: '' }).propose('read_file')), [])
})

const found = { category: 'sysadmin', confidence: 0.95 }
const cases: readonly [
  name: string,
  reported: Partial<Parameters<typeof categoryOf>[0]>,
  expected: string,
][] = [
  ['nothing is known', {}, ''],
  ['declared', { category: 'data_handling' }, 'data_handling'],
  ['found', { found }, '~sysadmin'],
  ['declared and found: declared wins', { category: 'data_handling', found }, 'data_handling'],
  ['found in what an agent wrote', { found, inherits: { taint: 'none' } }, ''],
  ['found in a session below another root', { found, root: 'r' }, ''],
  ['its own root', { found, root: 's' }, '~sysadmin'],
  ['declared by the delegating session', { category: 'data_handling', root: 'r' }, 'data_handling'],
]
for (const [name, reported, expected] of cases)
  test(name, () => assert.equal(categoryOf({ sessionId: 's', ...reported }), expected))

type Seen = Partial<Record<Group, Partial<Record<Origin, number>>>>

/** How many fingerprints of each group were seen where. */
function matchesOf(seen: Seen): Matches {
  const matches = Array.from({ length: MATCHES_LENGTH }, () => 0)
  for (const [g, group] of GROUPS.entries())
    for (const [o, origin] of ORIGINS.entries()) matches[g * ORIGINS.length + o] = seen[group]?.[origin] ?? 0
  return matches
}

const labelsOf = (escalation: string, reversibility: string): IntegrityStep['labels'] => ({
  exposure: 0,
  escalation: ESCALATIONS.findIndex((each) => each === escalation),
  reversibility: REVERSIBILITIES.findIndex((each) => each === reversibility),
  untrusted: false,
})
const CHANGE = labelsOf('file_write', 'partial')
const FINAL = labelsOf('file_write', 'irreversible')
const RULES = {
  integrity: { untrusted: 'warn', instructed: 'confirm', irreversible: 'block' },
  irreversible: 'confirm',
} as const

interface Step {
  readonly labels?: IntegrityStep['labels']
  readonly seen?: Seen | 'no report'
  readonly asks?: Signals
  readonly does?: Signals
  readonly rules?: IntegrityStep['rules']
}

const stepOf = ({ labels = CHANGE, seen = {}, asks, does, rules = RULES }: Step): IntegrityStep => ({
  state: { asked: requestedActs(asks) },
  labels,
  matches: seen === 'no report' ? undefined : matchesOf(seen),
  signals: does,
  rules,
})
const directed = (step: Step) => {
  const reason = integrityReason(stepOf(step))
  return reason && `${reason.code} ${reason.verdict}`
}
const unasked = (step: Step) => irreversibleReason(stepOf(step))?.verdict

const INSTRUCTED = { instructedOnly: 1, untrustedOnly: 1, total: 1 }
const UNTRUSTED = { untrustedOnly: 1, total: 1 }
const BY_INSTRUCTIONS = 'directed_by_instructions confirm'
const BY_UNTRUSTED = 'directed_by_untrusted warn'

test('judges a step that changes something by the origin of its target', () => {
  const rows: readonly (readonly [what: string, step: Step, answer: string | undefined])[] = [
    ['a target out of instructions', { seen: { target: INSTRUCTED } }, BY_INSTRUCTIONS],
    ['a path or an id out of instructions', { seen: { reference: INSTRUCTED } }, BY_INSTRUCTIONS],
    ['for good', { labels: FINAL, seen: { target: INSTRUCTED } }, 'directed_by_instructions block'],
    ['a name alone', { seen: { name: INSTRUCTED, tool: { total: 2, task: 1, instructed: 1 } } }, undefined],
    [
      'a name, and the tool',
      { seen: { name: INSTRUCTED, tool: { total: 2, instructed: 2, task: 1 } } },
      BY_INSTRUCTIONS,
    ],
    [
      'the tool, which the task does not name',
      { seen: { tool: { total: 2, instructed: 2 } } },
      BY_INSTRUCTIONS,
    ],
    ['the tool in part', { seen: { tool: { total: 2, instructed: 1 } } }, undefined],
    ['a target of an untrusted result', { seen: { target: UNTRUSTED } }, BY_UNTRUSTED],
    [
      'and the task asks for such a step',
      { seen: { target: UNTRUSTED }, asks: { asksPay: 1 }, does: { doesPay: 1 } },
      undefined,
    ],
    [
      'and for another',
      { seen: { target: UNTRUSTED }, asks: { asksPay: 1 }, does: { doesDelete: 1 } },
      BY_UNTRUSTED,
    ],
    ['and the task names the tool', { seen: { target: UNTRUSTED, tool: { total: 1, task: 1 } } }, undefined],
    ['what the task names', { seen: { target: { task: 1, total: 1 } } }, undefined],
    ['a step without a report', { seen: 'no report' }, undefined],
    ['a read', { labels: labelsOf('read_only', 'reversible'), seen: { target: INSTRUCTED } }, undefined],
    [
      'a request that reads, elsewhere',
      { labels: labelsOf('network', 'reversible'), seen: { target: INSTRUCTED } },
      BY_INSTRUCTIONS,
    ],
    [
      'a request that reads, by a path',
      { labels: labelsOf('network', 'reversible'), seen: { reference: INSTRUCTED } },
      undefined,
    ],
    [
      'a local program',
      { labels: labelsOf('code_exec', 'partial'), seen: { target: INSTRUCTED }, does: { program: 1 } },
      undefined,
    ],
    [
      'a program that deletes',
      {
        labels: labelsOf('code_exec', 'partial'),
        seen: { reference: INSTRUCTED },
        does: { program: 1, doesDelete: 1 },
      },
      BY_INSTRUCTIONS,
    ],
    ['a policy that does not judge it', { seen: { target: INSTRUCTED }, rules: {} }, undefined],
    [
      'a policy that lets it',
      { seen: { target: INSTRUCTED }, rules: { integrity: { ...RULES.integrity, instructed: 'allow' } } },
      undefined,
    ],
  ]
  for (const [what, step, answer] of rows) assert.equal(directed(step), answer, what)
})

test('judges an irreversible step by what the task asks for', () => {
  const rows: readonly (readonly [what: string, step: Step, answer: string | undefined])[] = [
    ['nothing is asked', { labels: FINAL, does: { doesDelete: 1 } }, 'confirm'],
    ['just that is', { labels: FINAL, does: { doesDelete: 1 }, asks: { asksDelete: 1 } }, undefined],
    ['another act is', { labels: FINAL, does: { doesDelete: 1 }, asks: { asksSend: 1 } }, 'confirm'],
    [
      'one of two is',
      { labels: FINAL, does: { doesDelete: 1, doesGrant: 1 }, asks: { asksDelete: 1 } },
      'confirm',
    ],
    ['its acts are not reported', { labels: FINAL, asks: { asksDelete: 1, asksSend: 1 } }, 'confirm'],
    ['it can be taken back', { does: { doesDelete: 1 } }, undefined],
    ['it reads', { labels: labelsOf('read_only', 'irreversible') }, undefined],
    ['a program without signals', { labels: FINAL, does: { program: 1 } }, undefined],
    ['a program that deletes', { labels: FINAL, does: { program: 1, doesDelete: 1 } }, 'confirm'],
    ['a policy that does not judge it', { labels: FINAL, rules: {} }, undefined],
  ]
  for (const [what, step, answer] of rows) assert.equal(unasked(step), answer, what)
})

test('payments and grants are confirmed if a recipient was never seen before', () => {
  for (const act of ['Pay', 'Grant']) {
    const asked = { labels: FINAL, asks: { [`asks${act}`]: 1 }, does: { [`does${act}`]: 1 } }
    assert.equal(unasked({ ...asked, seen: { target: { total: 1, task: 1 } } }), undefined)
    assert.equal(unasked({ ...asked, seen: { target: { total: 1, nowhere: 1 } } }), 'confirm')
    assert.equal(unasked({ ...asked, seen: 'no report' }), 'confirm')
  }
  const sent = {
    labels: FINAL,
    asks: { asksSend: 1 },
    does: { doesSend: 1 },
    seen: { target: { total: 1, nowhere: 1 } },
  }
  assert.equal(unasked(sent), undefined)
})

test('every act is read from its signals, and nothing else is', () => {
  const bits = ACT_NAMES.map((act) =>
    requestedActs({ [`asks${act.charAt(0).toUpperCase()}${act.slice(1)}`]: 1 }),
  )
  assert.deepEqual(
    bits,
    ACT_NAMES.map((_, i) => 1 << i),
  )
  for (const signals of [undefined, {}, { asksdelete: 1 }, { asksDelete: 0 }, { asks: 1 }, { doesDelete: 1 }])
    assert.equal(requestedActs(signals), 0)
})
