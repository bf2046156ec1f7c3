import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evidence, Verdict } from '@plimsoll/contracts'
import type { ToolRule } from './rules.js'
import { sampleChain, sampleRules, spec, type RulesOptions, type SampleTool } from './sample-rules.js'
import { codesOf, createSampleSession } from './sample-session.js'
import { FOR_EVER } from './specs/spec-rule.js'

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

test('the policy says what the line answers', () => {
  const line = { present: 'warn', absent: 'confirm', unknown: 'block' } as const
  for (const evidence of ['present', 'absent', 'unknown'] as const)
    assert.deepEqual(judged('send_email', { line }, ['read_secret'], evidence), [line[evidence], [LINE]])
})

test('beyond the reasons that are told of a tier one that is more severe still counts', () => {
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

test('an unlabelled tool that plainly reads is not asked about, unless its arguments do more', () => {
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

test('an unlabelled tool is taken to be what the policy says, raised by claims', () => {
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
