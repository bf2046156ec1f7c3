import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenScanner, readInstructions, shippedInstructionModel } from '@plimsoll/labels'
import { developerSamples, developerTexts } from './developer-texts.js'

const scan = createTokenScanner()
const model = shippedInstructionModel()
const isFlagged = ({ text }: { text: string }): boolean =>
  readInstructions(text, scan(text), model).score >= model.threshold

/** Share of the texts that read like instructions to the model that ships. */
const shareOf = (texts: readonly { text: string }[]): number => texts.filter(isFlagged).length / texts.length

const heldOut = developerTexts().filter((text) => text.heldOut)

test('code of packages that no fit learned from hardly ever reads like instructions, manuals sometimes do', (t) => {
  for (const [kind, most] of [
    ['code', 0.12],
    ['types', 0.12],
    ['data', 0.03],
    ['page', 0.4],
  ] as const) {
    const texts = heldOut.filter((text) => text.kind === kind)
    assert.ok(texts.length >= 100, `${kind}: ${texts.length} texts`)
    const share = shareOf(texts)
    t.diagnostic(`${kind}: ${share.toFixed(3)} of ${texts.length}`)
    assert.ok(share <= most, `${kind}: ${share}`)
  }
})

test('instructions that stand in comments, strings and manuals of such packages are found', (t) => {
  const samples = developerSamples(heldOut, 99).filter(({ instructed }) => instructed)
  const share = shareOf(samples)
  t.diagnostic(`${share.toFixed(3)} of ${samples.length}`)
  assert.ok(share >= 0.75, `${share}`)
})

test('the same packages and seed give the same samples', () => {
  assert.deepEqual(developerSamples(heldOut.slice(0, 20), 3), developerSamples(heldOut.slice(0, 20), 3))
})
