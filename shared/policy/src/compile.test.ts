import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionOf } from '@plimsoll/contracts'
import { compileRules, createRuleBook, versionsOf } from './compile.js'
import { SAMPLE_BUNDLE, SAMPLE_CATALOGUE, SAMPLE_CHAIN, samplePolicy } from './sample-documents.js'

const documents = { bundle: SAMPLE_BUNDLE, policy: samplePolicy(), catalogue: SAMPLE_CATALOGUE }

test('P(h) of a proposed step is its hazard, and what comes after where it is survived', () => {
  const { chain } = compileRules(documents)
  const expected = [0.05, 0.19, 0.4, 0.65, 1]
  assert.deepEqual([...chain('nothing').probability], expected)
  assert.deepEqual([...chain('nothing').hazard], SAMPLE_CHAIN.hazard)
  assert.deepEqual([...chain('data').probability], [0.05, 0.1, 0.25, 0.5, 1])
  assert.deepEqual(chain('data').stepsToViolation, [null, 4, 3, 2, 1])
})

test('with a horizon of one step P(h) is the hazard alone', () => {
  const { chain } = compileRules({ ...documents, bundle: { ...SAMPLE_BUNDLE, horizon: 1 } })
  assert.deepEqual([...chain('nothing').probability], SAMPLE_CHAIN.hazard)
})

test('a category without a chain reads the aggregate, whatever it is called', () => {
  const { chain } = compileRules(documents)
  assert.equal(chain('data').name, 'data')
  for (const category of ['', 'other', '__proto__', 'constructor'])
    assert.equal(chain(category).name, 'aggregate')
})

test("the policy's answers come through", () => {
  const rules = compileRules(documents)
  assert.deepEqual(rules.line, { present: 'block', absent: 'allow', unknown: 'confirm' })
  assert.deepEqual(rules.hazard, ['warn', 'confirm', 'block'])
  assert.deepEqual(rules.forward, ['allow', 'warn', 'confirm'])
  assert.deepEqual([rules.horizon, rules.hysteresis, rules.approvalTtlMs], [2, 0.05, 90_000])
  assert.deepEqual(rules.unlabelled, {
    verdict: 'warn',
    labels: { exposure: 0, escalation: 2, reversibility: 1, untrusted: false },
  })
})

test('a version is of what a document says, not of the order it says it in', () => {
  const versions = versionsOf(documents)
  const { tools, name, kind, schema } = SAMPLE_CATALOGUE
  assert.equal(versions.catalogue, versionOf({ tools, name, kind, schema }))
  const renamed = versionsOf({ ...documents, policy: { ...documents.policy, name: 'other' } })
  assert.notEqual(renamed.policy, versions.policy)
  assert.deepEqual([renamed.bundle, renamed.catalogue], [versions.bundle, versions.catalogue])
})

test('a book gives new sessions the active rules and pinned ones their own', () => {
  const old = compileRules(documents)
  const active = compileRules({ ...documents, policy: { ...documents.policy, name: 'other' } })
  const book = createRuleBook(active, [old])
  assert.equal(book.active, active)
  assert.equal(book.pinned(active.versions), active)
  assert.equal(book.pinned({ ...old.versions }), old)
  assert.equal(book.pinned({ ...old.versions, bundle: 'none' }), undefined)
})
