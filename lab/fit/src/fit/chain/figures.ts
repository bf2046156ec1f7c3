import { type Chain, analyseAbsorption, horizonTable, meanVisits, pointsOfNoReturn } from '@plimsoll/chains'
import { type ChainFigures, NO_RETURN } from '@plimsoll/contracts'

export interface FiguresOptions {
  /** In how many sessions each state was the first, S values. */
  readonly starts: ArrayLike<number>
  /** The states that were ever left: others are no points of no return here. */
  readonly left: ReadonlySet<number>
  readonly horizon: number
  readonly horizonMax: number
}

/** Fewer visits are left out. */
const VISITS_MIN = 0.001

/** What a chain says of its sessions from their beginning: the table of SafetyDrift §5, figures rounded to four digits. */
export function chainFigures(
  chain: Chain,
  { starts, left, horizon, horizonMax }: FiguresOptions,
): ChainFigures {
  const start = sharesOf(starts)
  const mean = (values: ArrayLike<number>) =>
    start.reduce((sum, share, s) => sum + share * (values[s] ?? 0), 0)
  const { probability, stepsToViolation } = analyseAbsorption(chain)
  const violated = probability.map((row) => row[0] ?? 0)
  const reached = mean(violated)
  // By each state's own probability of a violation; where that is 0, its mean is not a number and weighs nothing.
  const weighted = mean(violated.map((b, s) => (b > 0 ? b * (stepsToViolation[s] ?? 0) || 0 : 0)))
  const visits = meanVisits(chain, start)
  return {
    start: byState(start, 0),
    ahead: horizonTable(chain, horizonMax)
      .slice(1)
      .map((row) => brief(mean(row))),
    violated: brief(reached),
    steps: brief(visits.reduce((sum, n) => sum + n, 0)),
    stepsToViolation: reached > 0 ? brief(weighted / reached) : null,
    visits: byState(visits, VISITS_MIN),
    noReturn: pointsOfNoReturn(chain, NO_RETURN, horizon)
      .filter(({ state }) => left.has(state))
      .map(({ state, horizon: steps }) => [state, steps]),
  }
}

/** Counts as shares; all in the first state where nothing was counted. */
function sharesOf(counts: ArrayLike<number>): Float64Array {
  const total = Array.from(counts).reduce((sum, n) => sum + n, 0)
  return Float64Array.from(counts, (n, s) => (total > 0 ? n / total : s === 0 ? 1 : 0))
}

const byState = (values: Float64Array, above: number): [state: number, value: number][] =>
  Array.from(values.entries()).flatMap(([s, value]) => (value > above ? [[s, brief(value)]] : []))

const brief = (value: number): number => Number(value.toPrecision(4))
