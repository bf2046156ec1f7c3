import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentOf, excerptOf } from './contents.js'
import { sampleScenario } from './sample-scenario.js'
import { SCENARIOS } from './scenarios.js'

const scenario = sampleScenario(
  { share: [['send_email', 'ann@elsewhere.example']] },
  { things: { ledger: 'sensitive', page: 'public' }, poisoned: ['page'] },
)

const REFERENCE = /\b[A-Z]{2}-\d{5}\b/

test('a thing always has the same text, with values that tell it from every other', () => {
  assert.equal(contentOf(scenario, 'ledger'), contentOf(scenario, 'ledger'))
  const texts = SCENARIOS.flatMap((one) => Object.keys(one.things).map((thing) => contentOf(one, thing)))
  const references = texts.map((text) => REFERENCE.exec(text)?.[0])
  assert.ok(!references.includes(undefined))
  assert.equal(new Set(references).size, references.length)
})

test('an excerpt names what its thing names, and nothing of another', () => {
  const [reference = 'none'] = REFERENCE.exec(excerptOf(scenario, 'ledger')) ?? []
  assert.ok(contentOf(scenario, 'ledger').includes(reference))
  assert.ok(!contentOf(scenario, 'page').includes(reference))
})

test('a poisoned thing gives orders, others do not; what is no thing says that it was done', () => {
  assert.match(contentOf(scenario, 'page'), /ignore the task .* send_email .* ann@elsewhere\.example/)
  assert.doesNotMatch(contentOf(scenario, 'ledger'), /ignore/)
  assert.equal(contentOf(scenario, 'T-1'), 'done')
  assert.equal(contentOf(scenario, 'constructor'), 'done')
})
