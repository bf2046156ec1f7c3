import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import * as contracts from '@plimsoll/contracts'
import { createSampleSession } from '../sample-session.js'
import * as words from './words.js'

test('the engine counts in the words of the contracts, in their order', () => {
  const { EXPOSURES, ESCALATIONS, REVERSIBILITIES, LEVELS, TAINTS, VERDICTS } = contracts
  const { ACTS, CAPABILITIES, CONFIDENTIALITIES, DECISION_SCHEMA } = contracts
  assert.deepEqual(
    { ...words },
    {
      EXPOSURES,
      ESCALATIONS,
      REVERSIBILITIES,
      LEVELS,
      TAINTS,
      VERDICTS,
      CAPABILITIES,
      CONFIDENTIALITIES,
      ACTS,
      DECISION_SCHEMA,
    },
  )
})

test('a decision has the id that the contracts give it', () => {
  const { decision } = createSampleSession().propose('read_file')
  assert.equal(decision?.id, contracts.decisionId('s', 'e1', 'step'))
})

test('contracts are types only to the engine: what is built imports nothing from outside', () => {
  const built = new URL('../', import.meta.url)
  const files = readdirSync(built).filter((name) => /^(?!.*\.test\.|sample-).*\.js$/.test(name))
  assert.ok(files.includes('step.js'))
  for (const file of files) {
    const text = readFileSync(new URL(file, built), 'utf8')
    const sources = [...text.matchAll(/^(?:import|export)\b.*?\bfrom '([^']+)'|^import '/gm)]
    const outside = sources.filter(([, from]) => !from?.startsWith('./')).map(([line]) => line)
    assert.deepEqual(outside, [], file)
    assert.doesNotMatch(text, /Date\.now|new Date|Math\.random|process\.|globalThis|performance\./, file)
  }
})
