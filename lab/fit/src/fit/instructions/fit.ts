import { logistic, seededRandom } from '@plimsoll/chains'
import { type InstructionModel, createTokenScanner, fitting } from '@plimsoll/labels'
import { type Logistic, type Row, fitLogistic } from './logistic.js'

const { CONTEXT_COUNT, FEATURE_COUNT, LEXICON_HASH, PAIR, SURFACE } = fitting
const { createContext, createOutliner, createScorer, hashOf, wholeOf } = fitting

/** A text, and whether it hides an instruction. */
export interface InstructionSample {
  readonly text: string
  readonly instructed: boolean
  /** Where the instruction is, if known; else it is taken to be what no text without one has. */
  readonly passages?: readonly (readonly [start: number, end: number])[]
  /** Made up: it says nothing of how often real texts are flagged, and the threshold does not look at it if there are others. */
  readonly made?: boolean
  /** How often it was seen, 1 if not given: a text that many sessions read is flagged as many times. */
  readonly count?: number
}

export interface InstructionFitOptions {
  /** Share of the texts without an instruction that may be flagged, 0.01 if not given; sets the threshold. */
  readonly flaggedMax?: number
  readonly seed?: number
}

/** One segment of a sample, cut out once: the fit goes over it many times. */
interface Cut {
  readonly features: Int32Array
  readonly key: number
  label: Label
}
type Label = 'instruction' | 'other' | 'unsure'

/** Below this a segment that was only guessed to be part of an instruction is left out of the second round. */
const GUESS_MIN = 0.25

/**
 * Fits a model to samples. Twice over segments: in the second round those go that were only guessed to be instructions and do not
 * look it. Then over segments among their neighbours, and last the threshold, at which `flaggedMax` of the texts without an
 * instruction are flagged. Deterministic in the samples and the seed.
 */
export function fitInstructionModel(
  samples: Iterable<InstructionSample>,
  options: InstructionFitOptions = {},
): InstructionModel {
  const { flaggedMax = 0.01, seed = 1 } = options
  const kept = [...samples]
  const cuts = cutAll(kept)
  let segments = fitSegments(cuts, seed)
  dropGuesses(kept, cuts, segments)
  segments = fitSegments(cuts, seed)
  const draft: InstructionModel = {
    format: 1,
    lexicon: LEXICON_HASH,
    bias: rounded(segments.bias),
    segment: Array.from(segments.weights, (weight) => rounded(weight)),
    context: Array.from({ length: CONTEXT_COUNT }, (_, index) => (index === 1 ? 1 : 0)),
    threshold: 0.5,
  }
  const context = fitContext(kept, cuts, draft, seed)
  const model = { ...draft, context }
  return { ...model, threshold: thresholdOf(kept, model, flaggedMax) }
}

const rounded = (weight: number): number => Math.round(weight * 1_000) / 1_000

function cutAll(samples: readonly InstructionSample[]): Cut[][] {
  const scan = createTokenScanner()
  const outlineOf = createOutliner()
  const clean = new Set<number>()
  const cuts = samples.map((sample) => {
    const outline = outlineOf(sample.text, scan(sample.text))
    return Array.from({ length: outline.count }, (_, s): Cut => {
      const start = outline.start[s] ?? 0
      const end = outline.end[s] ?? 0
      const key = textKey(sample.text, start, end)
      if (!sample.instructed) clean.add(key)
      const inside = sample.passages?.some(
        ([from, to]) => Math.min(end, to) - Math.max(start, from) > (end - start) / 2,
      )
      const label =
        !sample.instructed || inside === false ? 'other' : inside === true ? 'instruction' : 'unsure'
      return { features: outline.features.slice(outline.from[s], outline.from[s + 1]), key, label }
    })
  })
  for (const [index, sample] of samples.entries())
    if (sample.instructed && sample.passages === undefined)
      for (const cut of cuts[index] ?? []) cut.label = clean.has(cut.key) ? 'other' : 'instruction'
  return cuts
}

/** Of a segment's text without its spaces, so that the same sentence folded otherwise is the same. */
function textKey(text: string, start: number, end: number): number {
  const solid = text.slice(start, end).replaceAll(/[\s\\'"]+/g, '')
  return hashOf(solid, 0, solid.length) ^ (solid.length << 20)
}

/** Segments that say the same count once, and a little more the oftener they come. */
function fitSegments(cuts: readonly (readonly Cut[])[], seed: number): Logistic {
  const groups = new Map<string, { cut: Cut; count: number }>()
  for (const cut of cuts.flat()) {
    if (cut.label === 'unsure') continue
    const key = `${cut.label} ${cut.key}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { cut, count: 1 })
    else group.count++
  }
  const rows = [...groups.values()].map(({ cut, count }): Row => ({
    features: cut.features,
    positive: cut.label === 'instruction',
    weight: 1 + Math.log2(count) / 4,
  }))
  return fitLogistic(rows, {
    featureCount: FEATURE_COUNT,
    passes: 8,
    seed,
    ridge: ridgeOf,
  })
}

const ridgeOf = (feature: number): number => (feature >= PAIR ? 6 : feature >= SURFACE ? 3 : 2)

function dropGuesses(
  samples: readonly InstructionSample[],
  cuts: readonly (readonly Cut[])[],
  fitted: Logistic,
): void {
  for (const [index, sample] of samples.entries()) {
    if (!sample.instructed || sample.passages !== undefined) continue
    for (const cut of cuts[index] ?? [])
      if (cut.label === 'instruction' && logistic(oddsOf(cut, fitted)) < GUESS_MIN) cut.label = 'unsure'
  }
}

function oddsOf(cut: Cut, { bias, weights }: Logistic): number {
  let odds = bias
  for (const feature of cut.features) odds += weights[feature] ?? 0
  return odds
}

/** Most segments are clearly no instruction: of those below these odds, this share represents all. */
const PLAIN_ODDS = -3
const PLAIN_SHARE = 0.2

function fitContext(
  samples: readonly InstructionSample[],
  cuts: readonly (readonly Cut[])[],
  draft: InstructionModel,
  seed: number,
): number[] {
  const scan = createTokenScanner()
  const outlineOf = createOutliner()
  const score = createScorer(draft)
  const contextOf = createContext()
  const chance = seededRandom(seed)
  const rows: Row[] = []
  for (const [index, { text }] of samples.entries()) {
    const outline = outlineOf(text, scan(text))
    const { odds } = score(outline)
    const whole = wholeOf(outline, odds)
    for (const [s, { label }] of (cuts[index] ?? []).entries()) {
      if (label === 'unsure') continue
      const positive = label === 'instruction'
      const plain = !positive && (odds[s] ?? 0) < PLAIN_ODDS
      if (plain && chance() >= PLAIN_SHARE) continue
      const { count, features, values } = contextOf(outline, odds, s, whole)
      const weight = plain ? 1 / PLAIN_SHARE : 1
      rows.push({ features: features.slice(0, count), values: values.slice(0, count), positive, weight })
    }
  }
  const { bias, weights } = fitLogistic(rows, {
    featureCount: CONTEXT_COUNT,
    passes: 4,
    seed,
    ridge: () => 1,
  })
  return Array.from(weights, (weight, index) => rounded(index === 0 ? weight + bias : weight))
}

/** The threshold stays in between: neither few samples nor one text that every session reads may set it elsewhere. */
const THRESHOLD_MIN = 0.1
const THRESHOLD_MAX = 0.8

function thresholdOf(
  samples: readonly InstructionSample[],
  model: InstructionModel,
  flaggedMax: number,
): number {
  const scan = createTokenScanner()
  const outlineOf = createOutliner()
  const score = createScorer(model)
  const plain = samples.filter(({ instructed }) => !instructed)
  const real = plain.filter(({ made }) => made !== true)
  const scored = (real.length > 0 ? real : plain)
    .map(({ text, count = 1 }) => ({ best: score(outlineOf(text, scan(text))).best, count }))
    .sort((a, b) => b.best - a.best)
  let left = scored.reduce((sum, { count }) => sum + count, 0) * flaggedMax
  const above = scored.find(({ count }) => (left -= count) < 0)?.best ?? 0.5
  return Math.min(THRESHOLD_MAX, Math.max(THRESHOLD_MIN, rounded(above + 0.001)))
}
