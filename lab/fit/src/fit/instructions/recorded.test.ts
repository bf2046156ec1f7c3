import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTokenScanner, readInstructions } from '@plimsoll/labels'
import { findTraces } from '../../corpus/read-traces.js'
import { SEED, recordedResults, sampled, FLAGGED_MAX } from './recorded.js'
import { fitInstructionModel } from './fit.js'
import { generateSamples } from './samples.js'

const folder = findTraces(process.env, fileURLToPath(new URL('../../../../..', import.meta.url)))
const skip =
  folder === undefined &&
  'no recorded sessions at PLIMSOLL_TRACES or ../shared/traces: instructions in unseen templates are not looked for'

/** Of the made-up texts of the model that ships; fewer, for a fit takes seconds. */
const MADE = 6_000
/** Every how many of the sessions' texts are read: by their length, so that equal ones stay together. */
const EVERY = 2

/** Templates that are nothing like the rest; those left are variations of one letter in a tag. */
const DISTINCT = ['direct', 'ignore_previous', 'injecagent']
const FAMILIES = [...DISTINCT, 'all others']
const familyOf = (template: string): string =>
  template === '' || DISTINCT.includes(template) ? template : 'all others'

test('instructions in families of templates that the fit does not know are found', { skip }, async (t) => {
  const all = await recordedResults([join(folder ?? '', 'agentdojo.jsonl.gz')])
  const results = all.filter(({ text }) => text.length % EVERY === 0)
  const made = [...generateSamples(MADE, SEED)]
  const scan = createTokenScanner()
  for (const held of FAMILIES) {
    const known = sampled(results, ({ template }) => familyOf(template) !== held)
    const model = fitInstructionModel([...made, ...known], { flaggedMax: FLAGGED_MAX, seed: SEED })
    const isFlagged = ({ text }: { text: string }) =>
      readInstructions(text, scan(text), model).score >= model.threshold
    const judged = results.filter(({ template }) => template === '' || familyOf(template) === held)
    const share = (holds: 'first' | 'free', least: number) => {
      const of = judged.filter((result) => result.holds === holds)
      assert.ok(of.length > least, `${held}: ${of.length} results`)
      return of.filter(isFlagged).length / of.length
    }
    const [found, flagged] = [share('first', 100), share('free', 1_000)]
    t.diagnostic(`${held}: ${found.toFixed(4)} found, ${flagged.toFixed(4)} flagged, at ${model.threshold}`)
    assert.ok(found >= 0.85, `${held}: ${found} found`)
    assert.ok(flagged <= 0.03, `${held}: ${flagged} flagged`)
  }
})
