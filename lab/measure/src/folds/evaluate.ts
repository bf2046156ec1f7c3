import { type About, type Corpus, type SessionScores, groupedBy } from '@plimsoll/fit'
import { chooseByCategory } from '../metrics/alarms.js'
import type { Fold } from './folds.js'
import { type Judged, type Ranking, BUDGETS, RANKINGS, judge } from '../metrics/group-figures.js'
import {
  type Fitted,
  type Forecasts,
  type GroupForecasts,
  type Method,
  type MethodFold,
  type NamedThreshold,
  type Spent,
  FORECAST_KINDS,
  addForecasts,
  mapped,
  rankingFoldOf,
} from '../metrics/method-fold.js'
import { sessionRecord } from '../metrics/session-record.js'
import { type MethodFigures, figuresOf } from '../metrics/score-sheet.js'

export const GROUPINGS = ['suite', 'model', 'category', 'source'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface EvaluateOptions {
  readonly corpus: Corpus
  readonly folds: readonly Fold[]
  readonly methods: readonly Method[]
  /** Within what sessions are ranked: figures of a group are of its sessions alone. */
  readonly group: Grouping
  readonly onProgress?: (share: number, note: string) => void
}

export interface MethodResult extends MethodFigures {
  readonly name: string
  readonly spent: Spent
}

/** Fits every method in every fold to what the fold lets it see, and scores the rest. */
export function evaluate(options: EvaluateOptions): MethodResult[] {
  const { methods, folds, onProgress } = options
  return methods.map((method, m) => {
    const parts = folds.map((fold, f) => {
      onProgress?.((m + f / folds.length) / methods.length, `${method.name}, ${fold.name}`)
      return scoreFold(options, method, fold)
    })
    return resultOf(method.name, parts)
  })
}

/** What the folds give of one method, drawn together. */
export function resultOf(name: string, parts: readonly MethodFold[]): MethodResult {
  const spent = { fitMs: sumOf(parts, 'fitMs'), scoreMs: sumOf(parts, 'scoreMs') }
  return { name, ...figuresOf(parts), spent }
}

const sumOf = (parts: readonly MethodFold[], kind: keyof Spent): number =>
  parts.reduce((sum, { spent }) => sum + spent[kind], 0)

/** Fits a method to what a fold lets it see, and scores what the fold holds out. */
export function scoreFold(
  { corpus, group }: Pick<EvaluateOptions, 'corpus' | 'group'>,
  method: Method,
  fold: Fold,
): MethodFold {
  const training = trainingIn(corpus, fold)
  const began = performance.now()
  const fitted = remembering(method.fit(training))
  const fittedAt = performance.now()
  const test = testedIn(corpus, fold).filter((n) => method.covers?.(n) ?? true)
  const rankings = mapped(RANKINGS, (ranking) => {
    const sessions = test.map((n) => judgedAt(corpus, fitted, n, ranking, group))
    return rankingFoldOf(sessions, thresholdsOf(corpus, fitted, training, ranking, group))
  })
  return {
    rankings,
    forecasts: forecastsOf(corpus, fitted, test, group),
    sessions: test.map((n) =>
      sessionRecord(corpus, recordingAt(corpus.recordings, n), fitted.score(n), fitted.verdicts?.(n)),
    ),
    spent: { fitMs: fittedAt - began, scoreMs: performance.now() - fittedAt },
  }
}

/** The sessions that a fold lets methods be fitted to. */
export const trainingIn = (corpus: Corpus, { trains }: Fold): number[] =>
  corpus.judged.filter((n) => corpus.isFittable(n) && trains(aboutOf(corpus, n)))

/** The sessions that a fold lets methods see, those among them whose violating step is not known. */
export const labelledIn = (corpus: Corpus, { trains }: Fold): number[] =>
  corpus.judged.filter((n) => trains(aboutOf(corpus, n)))

/** The sessions that a fold has scored. */
export const testedIn = (corpus: Corpus, { tests }: Fold): number[] =>
  corpus.judged.filter((n) => tests(aboutOf(corpus, n)))

/** Within what session n is ranked. */
export const groupOf = (corpus: Corpus, n: number, group: Grouping): string =>
  groupIn(corpus, aboutOf(corpus, n), group)

/** A session's scores are asked for by each ranking and by the forecasts. */
function remembering({ score, scoreTraining, ...rest }: Fitted): Fitted {
  const remember = (compute: Fitted['score']): Fitted['score'] => {
    const known = new Map<number, SessionScores>()
    return (n) => {
      const scores = known.get(n) ?? compute(n)
      known.set(n, scores)
      return scores
    }
  }
  return {
    ...rest,
    score: remember(score),
    ...(scoreTraining && { scoreTraining: remember(scoreTraining) }),
  }
}

/** A source of many small suites (a task each) is one group: within a handful of sessions nothing can be ranked. */
const groupIn = ({ isOneSuite }: Corpus, about: About, group: Grouping): string =>
  group === 'suite' && isOneSuite(about.source) ? about.source : about[group]

const aboutOf = ({ recordings }: Corpus, n: number): About => recordingAt(recordings, n).about

function recordingAt(recordings: Corpus['recordings'], n: number) {
  const recording = recordings[n]
  if (!recording) throw new RangeError(`no session ${n}`)
  return recording
}

function judgedAt(
  corpus: Corpus,
  { score }: Pick<Fitted, 'score'>,
  n: number,
  ranking: Ranking,
  group: Grouping,
): Judged {
  const { truth, about } = recordingAt(corpus.recordings, n)
  return judge(score(n), truth, ranking, {
    group: groupIn(corpus, about, group),
    category: about.category,
    source: about.source,
  })
}

/** Thresholds by name: the method's own, or one a budget that the training sessions alone have chosen. */
function thresholdsOf(
  corpus: Corpus,
  { score, scoreTraining, thresholds }: Fitted,
  training: readonly number[],
  ranking: Ranking,
  group: Grouping,
): readonly NamedThreshold[] {
  if (thresholds) return thresholds[ranking]
  if (training.length === 0) return []
  const seen = training.map((n) => judgedAt(corpus, { score: scoreTraining ?? score }, n, ranking, group))
  return BUDGETS.map((budget) => ({ name: `${100 * budget}%`, of: chooseByCategory(seen, budget) }))
}

function forecastsOf(
  corpus: Corpus,
  { score }: Fitted,
  test: readonly number[],
  group: Grouping,
): GroupForecasts[] {
  const groups = groupedBy(test, (n) => groupIn(corpus, aboutOf(corpus, n), group))
  return Array.from(groups, ([name, sessions]) => {
    const to = mapped(FORECAST_KINDS, emptyForecasts)
    for (const n of sessions) addForecasts(to, score(n), recordingAt(corpus.recordings, n).truth)
    return { group: name, unsafe: to.session.came.filter((one) => one === 1).length, ...to }
  })
}

export const emptyForecasts = (): Forecasts => ({ probability: [], came: [] })
