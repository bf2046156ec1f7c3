/**
 * Prints how many texts without an instruction the shipped detector flags, and how many instructions it finds:
 * node scripts/instruction-figures.mjs
 *
 * Of packages that no fit has seen, made-up texts of another seed, wordings of our own, and recorded sessions (at PLIMSOLL_TRACES, else
 * ../shared/traces) of sources or folds that are not in its fit. For docs/decisions/20261129-texts-of-developers.md.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { prepare, root } from './prepare.mjs'

await prepare()
const lab = await import('../lab/fit/dist/index.js')
const { createTokenScanner, readInstructions, shippedInstructionModel } =
  await import('../shared/labels/dist/index.js')

const SEED = 99
const MADE = 4_000
/** Of the first, only the sessions that no fit sees; the others are not in it at all. */
const RECORDINGS = ['agentdojo', 'livemcp', 'odcv_bench', 'toolemu', 'openagentsafety']

const model = shippedInstructionModel()
const scan = createTokenScanner()
const share = (texts) => {
  const flagged = texts.filter((text) => readInstructions(text, scan(text), model).score >= model.threshold)
  return `${flagged.length} of ${texts.length} (${((100 * flagged.length) / texts.length).toFixed(1)}%)`
}
const say = (what, texts) => process.stdout.write(`${what}: ${share(texts)}\n`)
const textsOf = (samples) => samples.map(({ text }) => text)
const isInstructed = ({ instructed }) => instructed

const heldOut = lab.developerTexts().filter((text) => text.heldOut)
for (const kind of ['code', 'types', 'page', 'data'])
  say(`flagged, ${kind} of packages held out`, textsOf(heldOut.filter((text) => text.kind === kind)))
say('found, in packages held out', textsOf(lab.developerSamples(heldOut, SEED).filter(isInstructed)))
say('found, made up', textsOf([...lab.generateSamples(MADE, SEED)].filter(isInstructed)))
const wordings = JSON.parse(readFileSync(path.join(root, 'shared/labels/expected/wordings.json'), 'utf8'))
say('found, wordings of our own', wordings.instructed)

const folder = lab.findTraces(process.env, root)
if (folder === undefined)
  process.stderr.write('no recorded sessions at PLIMSOLL_TRACES or ../shared/traces\n')
for (const name of folder === undefined ? [] : RECORDINGS) {
  const results = await lab.recordedResults([path.join(folder, `${name}.jsonl.gz`)])
  const unseen = results.filter((result) => name !== 'agentdojo' || result.heldOut)
  say(`flagged, ${name}`, textsOf(unseen.filter(({ holds }) => holds === 'free')))
  if (name === 'agentdojo') say(`found, ${name}`, textsOf(unseen.filter(({ holds }) => holds === 'first')))
}
