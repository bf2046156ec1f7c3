import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SampleTool, createSampleSession, sampleRules, spec } from '../../testing.js'
import { allow, judged } from '../testing.js'

test('an unlabelled tool gets its default, unless a spec names it', () => {
  assert.deepEqual(judged('mystery'), ['confirm', ['unlabelled:tool_unlabelled']])
  const named: SampleTool[] = [{ confirmation: [spec('ask')] }, { allowlist: allow('line') }]
  const verdicts = named.map((rule) => judged('mystery', { tools: { mystery: rule } })[0])
  assert.deepEqual(verdicts, ['confirm', 'allow'])
  const unlabelled = { ...sampleRules().unlabelled, verdict: 'block' as const }
  assert.deepEqual(judged('mystery', { unlabelled }), ['block', ['unlabelled:tool_unlabelled']])
})

test('an unlabelled tool that plainly reads needs no approval, unless its arguments do more', () => {
  const byName = { exposure: 2, escalation: 0, reversibility: 0, untrusted: true }
  const rules = sampleRules({ tools: { look: { byName } } })
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

test('an unlabelled tool that reads may be given a URL, and may not change anything there', () => {
  const byName = { exposure: 2, escalation: 0, reversibility: 0, untrusted: true }
  const rules = sampleRules({
    tools: { look: { byName } },
    unlabelled: { ...sampleRules().unlabelled, byName: 'warn' },
  })
  const verdictOf = (more: object) => {
    const { decision } = createSampleSession({ rules }).propose('look', more)
    return decision?.reasons.find(({ source }) => source === 'unlabelled')?.verdict
  }
  const fetched = { capability: 'network', reversibility: 'reversible' }
  assert.equal(verdictOf({ labels: fetched }), 'warn')
  assert.equal(verdictOf({ labels: { ...fetched, reversibility: 'partial' } }), 'confirm')
  assert.equal(verdictOf({ labels: fetched, signals: { doesDelete: 1 } }), 'confirm')
  assert.equal(verdictOf({ labels: { capability: 'execute', reversibility: 'reversible' } }), 'confirm')
})

test('an unlabelled tool whose name says what it changes gets the verdict of those, unless its arguments do more', () => {
  const byName = { exposure: 2, escalation: 3, reversibility: 1, untrusted: true }
  const least = { exposure: 2, escalation: 0, reversibility: 0, untrusted: true }
  const tools = { add_note: { byName }, run_bash: { byName: { ...byName, escalation: 2 }, least } }
  const rules = sampleRules({ tools, unlabelled: { ...sampleRules().unlabelled, byName: 'warn' } })
  const ofName = (tool: string, more: object) => {
    const { decision } = createSampleSession({ rules }).propose(tool, more)
    return decision?.reasons.find(({ source }) => source === 'unlabelled')?.verdict
  }
  assert.equal(ofName('add_note', {}), 'warn')
  const final = { capability: 'network', reversibility: 'irreversible' } as const
  assert.equal(ofName('add_note', { labels: final }), 'confirm')
  // What a shell runs is known only if its client has understood it.
  assert.equal(ofName('run_bash', {}), 'confirm')
  const reads = { capability: 'read', reversibility: 'reversible' } as const
  assert.equal(ofName('run_bash', { labels: reads }), 'allow')
  assert.equal(ofName('run_bash', { labels: { ...reads, capability: 'write' } }), 'warn')
  const before = sampleRules({ tools })
  assert.equal(createSampleSession({ rules: before }).propose('add_note', {}).decision?.verdict, 'confirm')
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
