import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedLabels } from '@plimsoll/contracts'
import { stepLabelsOf } from '../labels/safety-state.js'
import { createSampleSession, sampleRules } from '../testing.js'
import { labelsFor } from './labelling.js'

const labels = stepLabelsOf({
  capability: 'network',
  confidentiality: 'sensitive',
  reversibility: 'irreversible',
})
const least = stepLabelsOf({ capability: 'read', confidentiality: 'public', reversibility: 'partial' })
const rules = sampleRules({ tools: { shell: { labels, least }, plain: { labels } } })

const of = (tool: string, claimed?: ClaimedLabels) => {
  const labelling = labelsFor(
    { refined: [] },
    { tool, ...(claimed && { labels: claimed }) },
    rules.tool(tool),
    rules,
  )
  const { exposure, escalation, reversibility, untrusted } = labelling.labels
  return [exposure, escalation, reversibility, untrusted, labelling.derived]
}

test('whole labels of the client count where the catalogue has `least`, and never below it', () => {
  assert.deepEqual(of('shell'), [3, 3, 2, false, false])
  assert.deepEqual(of('shell', { capability: 'read', reversibility: 'reversible' }), [1, 0, 1, false, true])
  assert.deepEqual(
    of('shell', {
      capability: 'write',
      reversibility: 'irreversible',
      confidentiality: 'credentials',
      trust: 'untrusted',
    }),
    [4, 1, 2, true, true],
  )
})

test('labels that lack a part, and those of tools without `least`, only raise', () => {
  for (const claimed of [{ capability: 'read' }, { reversibility: 'reversible' }, {}] as const)
    assert.deepEqual(of('shell', claimed), [3, 3, 2, false, false])
  const lower = { capability: 'read', reversibility: 'reversible' } as const
  assert.deepEqual(of('plain', lower), [3, 3, 2, false, false])
  assert.deepEqual(of('mystery', { ...lower, trust: 'untrusted' }), [2, 2, 1, true, false])
})

test('an approved step keeps the labels of its approval request', () => {
  const asking = sampleRules({
    tools: { shell: { labels, least, confirmation: [{ id: 'ask', message: 'ask' }] } },
  })
  const session = createSampleSession({ rules: asking })
  const claimed = { capability: 'write', reversibility: 'partial' } as const
  const asked = session.propose('shell', { labels: claimed }).decision
  assert.deepEqual([asked?.risk?.exposure, asked?.risk?.escalation], ['public', 'file_write'])
  const approved = session.approve(asked?.id ?? '').decision
  assert.deepEqual([approved?.verdict, approved?.risk], ['allow', asked?.risk])
})

test("after an upgrade to a catalogue without `least` the catalogue's labels count", () => {
  const confirmation = [{ id: 'ask', message: 'ask' }]
  const session = createSampleSession({
    rules: sampleRules({ tools: { shell: { labels, least, confirmation } } }),
  })
  const asked = session.propose('shell', {
    labels: { capability: 'write', reversibility: 'partial' },
  }).decision
  session.use(sampleRules({ tools: { shell: { labels, confirmation } } }))
  assert.equal(session.approve(asked?.id ?? '').decision?.risk?.escalation, 'network')
})
