import { type ConductTextModel, argumentText, fitting, textOf } from '@plimsoll/labels'
import { type About, type Recording } from '../../corpus/recording.js'
import { type Row, fitLogistic } from '../instructions/logistic.js'
import { priorityOf } from '../flow/session-sample.js'
import { INNER_FOLDS, innerFoldOf } from '../flow/training.js'

const { TEXT_WEIGHTS, argumentWords, resultWords, ARGUMENT_UNITS_MAX, RESULT_UNITS_MAX } = fitting

/** The words of one session: buckets of arguments, and of results behind them, each with its mean share of a step. */
export interface ConductSample {
  readonly source: string
  readonly unsafe: boolean
  /** Inner fold of its task. */
  readonly fold: number
  readonly features: Int32Array
  readonly values: Float64Array
}

/** Sessions of one source that are read at most, those of lowest priority. */
const SOURCE_SESSIONS_MAX = 1_500
const PASSES = 30
const RIDGE = 1 / 30
const SEED = 7
const BYTE_MAX = 127

/** Collects what the text model is fitted to: sessions labelled as a whole, and safe ones of every source. */
export function createConductCorpus() {
  const sources = new Map<string, { priority: number; sample: ConductSample }[]>()
  const silent = new Map<string, { unsafe: boolean; named: boolean }>()
  return {
    add: ({ blind, truth, about }: Pick<Recording, 'blind' | 'truth' | 'about'>): void => {
      if (truth.excluded !== undefined) return
      const facts = silent.get(about.source) ?? { unsafe: false, named: false }
      if (truth.unsafe) facts.unsafe = true
      if (truth.violatedAt !== undefined) facts.named = true
      silent.set(about.source, facts)
      // A violation whose step is named has another cause: its session is judged by provenance.
      if (truth.violatedAt !== undefined) return
      const kept = sources.get(about.source) ?? []
      sources.set(about.source, kept)
      kept.push({
        priority: priorityOf(about.source, about.traceId),
        sample: sampleOf({ blind, truth, about }),
      })
      if (kept.length >= 2 * SOURCE_SESSIONS_MAX) prune(kept)
    },
    samples: (): ConductSample[] =>
      [...sources.values()].flatMap((kept) => {
        prune(kept)
        return kept.map(({ sample }) => sample)
      }),
  }
}

function prune(kept: { priority: number }[]): void {
  kept.sort((a, b) => a.priority - b.priority)
  kept.length = Math.min(kept.length, SOURCE_SESSIONS_MAX)
}

function sampleOf({ blind, truth, about }: Pick<Recording, 'blind' | 'truth' | 'about'>): ConductSample {
  const shares = new Map<number, number>()
  const add = ({ count, buckets }: ReturnType<typeof argumentWords>, offset: number): void => {
    const share = 1 / (Math.sqrt(Math.max(1, count)) * blind.steps.length)
    for (let i = 0; i < count; i++) {
      const feature = offset + (buckets[i] ?? 0)
      shares.set(feature, (shares.get(feature) ?? 0) + share)
    }
  }
  for (const { tool, args, result } of blind.steps) {
    add(argumentWords(tool, Object.keys(args), argumentText(args).text.slice(0, ARGUMENT_UNITS_MAX)), 0)
    if (result !== undefined) add(resultWords(textOf(result).slice(0, RESULT_UNITS_MAX)), TEXT_WEIGHTS)
  }
  return {
    source: about.source,
    unsafe: truth.unsafe,
    fold: innerFoldOf(about),
    features: Int32Array.from(shares.keys()),
    values: Float64Array.from(shares.values()),
  }
}

/** The weight of a source of safe sessions only, where one with both kinds has 1 for each. */
const SAFE_ONLY = 0.4

/** Weights of sessions such that every source counts alike, whatever its size, and its unsafe sessions as much as its safe ones; 1 on average. */
export function balancedWeights(
  sessions: readonly { readonly source: string; readonly unsafe: boolean }[],
): Float64Array {
  const counts = new Map<string, { safe: number; unsafe: number }>()
  for (const { source, unsafe } of sessions) {
    const of = counts.get(source) ?? { safe: 0, unsafe: 0 }
    of[unsafe ? 'unsafe' : 'safe']++
    counts.set(source, of)
  }
  const weights = Float64Array.from(sessions, ({ source, unsafe }) => {
    const of = counts.get(source) ?? { safe: 0, unsafe: 0 }
    return (of.unsafe > 0 && of.safe > 0 ? 1 : SAFE_ONLY) / (unsafe ? of.unsafe : of.safe)
  })
  const mean = weights.reduce((a, b) => a + b, 0) / Math.max(1, sessions.length)
  return weights.map((weight) => weight / mean)
}

/** Fits the text model to sessions as they are labelled: the mean score of a session's steps is its log odds. */
export function fitConductText(samples: readonly ConductSample[]): ConductTextModel {
  const weights = balancedWeights(samples)
  const rows = samples.map(({ features, values, unsafe }, n): Row => ({
    features,
    values,
    positive: unsafe,
    weight: weights[n] ?? 0,
  }))
  const { bias, weights: fitted } = fitLogistic(rows, {
    featureCount: 2 * TEXT_WEIGHTS,
    passes: PASSES,
    ridge: () => RIDGE,
    seed: SEED,
    rate: (pass) => 2 / (1 + pass / 5),
  })
  const scale = Number(
    (
      Math.max(
        1e-6,
        fitted.reduce((most, w) => Math.max(most, Math.abs(w)), 0),
      ) / BYTE_MAX
    ).toPrecision(6),
  )
  const bytes = Int8Array.from(fitted, (weight) => Math.round(weight / scale))
  const table = (from: number): string => Buffer.from(bytes.buffer, from, TEXT_WEIGHTS).toString('base64')
  return {
    format: 1,
    bias: Number(bias.toFixed(4)),
    scale,
    arguments: table(0),
    results: table(TEXT_WEIGHTS),
  }
}

/**
 * The text model for each session of a fit: a model that has not seen the session's inner fold. So the scores that later models build on are no
 * better than those of sessions that are new.
 */
export function fitConductTextApart(samples: readonly ConductSample[]): (about: About) => ConductTextModel {
  const models = Array.from({ length: INNER_FOLDS }, (_, fold) =>
    fitConductText(samples.filter((sample) => sample.fold !== fold)),
  )
  const whole = models[0] ?? fitConductText(samples)
  return (about) => models[innerFoldOf(about)] ?? whole
}
