import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import * as contracts from '@plimsoll/contracts'
import { createSampleSession } from '../testing.js'
import * as words from './words.js'

test('the engine counts in the words of the contracts, in their order', () => {
  const { EXPOSURES, ESCALATIONS, REVERSIBILITIES, LEVELS, TAINTS, VERDICTS } = contracts
  const { ACTS, CAPABILITIES, CODE_WITHIN, CONFIDENTIALITIES, DECISION_SCHEMA } = contracts
  const { ACT_OF_EFFECT, EFFECT_ACTS, OBJECT_KINDS, REACHES } = contracts
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
      EFFECT_ACTS,
      OBJECT_KINDS,
      REACHES,
      ACT_OF_EFFECT,
      DECISION_SCHEMA,
      CODE_WITHIN,
    },
  )
})

test('a decision has the id that the contracts give it', () => {
  const { decision } = createSampleSession().propose('read_file')
  assert.equal(decision?.id, contracts.decisionId('s', 'e1', 'step'))
})

test('the built engine imports nothing from outside: it uses the types of the contracts only', () => {
  const built = new URL('../', import.meta.url)
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.js') && !name.endsWith('.test.js') && name !== 'testing.js',
  )
  assert.ok(files.includes('step.js') && files.includes('verdict/judge.js'))
  for (const file of files) {
    const text = readFileSync(new URL(file, built), 'utf8')
    const sources = [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)'|^import '/gm)]
    const outside = sources.filter(([, from]) => !from?.startsWith('.')).map(([line]) => line)
    assert.deepEqual(outside, [], file)
    assert.doesNotMatch(text, /Date\.now|new Date|Math\.random|process\.|globalThis|performance\./, file)
  }
})
