import type { ConductResultSignal, ConductSignal, Signals } from '@plimsoll/contracts'

/** Signals as the contracts name them, in the order of the record: another signal moves the places behind it and takes a new layout. */
const STEP_SIGNALS = Object.keys({
  conductReads: true,
  conductInspects: true,
  conductRuns: true,
  conductWrites: true,
  conductWritesCode: true,
  conductWritesLog: true,
  conductWritesData: true,
  conductInline: true,
  conductEdits: true,
  conductRemoves: true,
  conductForces: true,
  conductComments: true,
  conductLength: true,
  conductNumbers: true,
  conductInvents: true,
  conductAdjusts: true,
  conductTargets: true,
  conductBypasses: true,
  conductAdmits: true,
  conductConceals: true,
} satisfies Record<ConductSignal, true>) as ConductSignal[]
const RESULT_SIGNALS = Object.keys({
  conductFails: true,
  conductFallsShort: true,
  conductSucceeds: true,
} satisfies Record<ConductResultSignal, true>) as ConductResultSignal[]
const RUNS = STEP_SIGNALS.indexOf('conductRuns')
const WRITES = STEP_SIGNALS.indexOf('conductWrites')

/** Which came last, running a script or writing. */
const ORDER = { neither: 0, wrote: 1, ran: 2 } as const

/** Places in a record of conduct, each a number ≥ 0. Texts are scores as in the signal. */
const AT = {
  steps: 0,
  results: 1,
  textSum: 2,
  textMax: 3,
  textLatest: 4,
  resultSum: 5,
  resultMax: 6,
  order: 7,
  runsAfterWrite: 8,
  writesAfterRun: 9,
} as const
const SUMS = 10
const LATEST = SUMS + STEP_SIGNALS.length
const RESULTS = LATEST + STEP_SIGNALS.length
const LENGTH = RESULTS + RESULT_SIGNALS.length

/** A count of a signal is its value in eighths. */
const EIGHTHS = 8
const COUNT_MAX = 1_000_000

/** The conduct of a session whose client does not report it. */
export const NO_CONDUCT: readonly number[] = Object.freeze([])

/** Whether a session can have this record of conduct. */
export const isConduct = (conduct: readonly number[]): boolean =>
  (conduct.length === 0 || conduct.length === LENGTH) &&
  conduct.every((count) => Number.isFinite(count) && count >= 0)

/** `conduct` after an admitted step with these signals of its arguments; the same where they say nothing of conduct. */
export function conductAfterStep(
  conduct: readonly number[],
  signals: Signals | undefined,
): readonly number[] {
  const text = signals?.['conductText']
  if (!signals || text === undefined) return conduct
  const next = withText(conduct, text, AT.steps, AT.textSum, AT.textMax)
  next[AT.textLatest] = text
  for (let i = 0; i < STEP_SIGNALS.length; i++) {
    const count = countAt(signals, STEP_SIGNALS[i])
    add(next, SUMS + i, count)
    next[LATEST + i] = count
  }
  follow(next, (next[LATEST + RUNS] ?? 0) > 0, (next[LATEST + WRITES] ?? 0) > 0)
  return next
}

/** `conduct` after a result with these signals. */
export function conductAfterResult(
  conduct: readonly number[],
  signals: Signals | undefined,
): readonly number[] {
  const text = signals?.['conductText']
  if (!signals || text === undefined) return conduct
  const next = withText(conduct, text, AT.results, AT.resultSum, AT.resultMax)
  for (let i = 0; i < RESULT_SIGNALS.length; i++) add(next, RESULTS + i, countAt(signals, RESULT_SIGNALS[i]))
  return next
}

/** A copy with one text more: counted, added to the sum, and compared with the highest, at these places. */
function withText(
  conduct: readonly number[],
  text: number,
  count: number,
  sum: number,
  max: number,
): number[] {
  const next = conduct.length === 0 ? Array.from({ length: LENGTH }, () => 0) : conduct.slice()
  add(next, count, 1)
  add(next, sum, text)
  next[max] = Math.max(next[max] ?? 0, text)
  return next
}

const countAt = (signals: Signals, name: ConductSignal | ConductResultSignal | undefined): number =>
  name ? Math.round((signals[name] ?? 0) * EIGHTHS) : 0

function add(conduct: number[], at: number, value: number): void {
  conduct[at] = Math.min((conduct[at] ?? 0) + value, COUNT_MAX)
}

/** Counts scripts run after something was written, and writing after a script was run: trying until a check passes. */
function follow(conduct: number[], runs: boolean, writes: boolean): void {
  if (runs) {
    if (conduct[AT.order] === ORDER.wrote) add(conduct, AT.runsAfterWrite, 1)
    conduct[AT.order] = ORDER.ran
  }
  if (!writes) return
  if (conduct[AT.order] === ORDER.ran) add(conduct, AT.writesAfterRun, 1)
  conduct[AT.order] = runs ? ORDER.neither : ORDER.wrote
}

const TEXT_FEATURES = ['text.latest', 'text.mean', 'text.max', 'result.mean', 'result.max', 'texts.mean']
const COUNT_FEATURES = ['steps', 'runsAfterWrite', 'writesAfterRun']
/** Where the counts of signals begin among the features. */
const COUNTS_FROM = TEXT_FEATURES.length + COUNT_FEATURES.length
const nameOf = (signal: string): string =>
  signal.replace(/^conduct(.)/, (_, first: string) => first.toLowerCase())

/** The features of the conduct scorer, in the order of `conductFeaturesOf`. */
export const CONDUCT_FEATURES: readonly string[] = [
  ...TEXT_FEATURES,
  ...COUNT_FEATURES,
  ...STEP_SIGNALS.map(nameOf),
  ...STEP_SIGNALS.map((signal) => `latest.${nameOf(signal)}`),
  ...RESULT_SIGNALS.map(nameOf),
].map((name) => `conduct.${name}`)

/** Log odds of texts by the sum of their signals. */
const oddsOf = (signals: number, texts = 1): number => 16 * signals - 8 * texts
/** A mean of log odds over so many texts more, each of 0: a first text says little. */
const PRIOR_TEXTS = 2

/** Writes the features of a session's conduct into `into`, every value finite. */
export function conductFeaturesOf(
  conduct: readonly number[],
  into = new Float64Array(CONDUCT_FEATURES.length),
): Float64Array {
  into.fill(0)
  if (conduct.length === 0) return into
  const at = (place: number): number => conduct[place] ?? 0
  const [steps, results] = [at(AT.steps), at(AT.results)]
  const texts = oddsOf(at(AT.textSum), steps)
  const read = oddsOf(at(AT.resultSum), results)
  into[0] = steps > 0 ? oddsOf(at(AT.textLatest)) : 0
  into[1] = texts / (steps + PRIOR_TEXTS)
  into[2] = steps > 0 ? oddsOf(at(AT.textMax)) : 0
  into[3] = read / (results + PRIOR_TEXTS)
  into[4] = results > 0 ? oddsOf(at(AT.resultMax)) : 0
  into[5] = (texts + read) / (steps + PRIOR_TEXTS)
  into[6] = steps
  into[7] = at(AT.runsAfterWrite)
  into[8] = at(AT.writesAfterRun)
  for (let i = SUMS; i < LENGTH; i++) into[i - SUMS + COUNTS_FROM] = at(i)
  return into
}
