import { wilson, type Proportion } from '@plimsoll/chains'
import type { Bundle } from '@plimsoll/contracts'
import { rounded } from '../fit/tables.js'
import type { LiveTallies, LiveTally } from './live-tally.js'

export interface LiveFacts {
  readonly bundle: Bundle
  /** Of the present bundle. */
  readonly version: string
  readonly months: readonly string[]
  readonly kappa: number
  readonly tallies: LiveTallies
  readonly kept: readonly string[]
}

const NOTES: Readonly<Record<Bundle['target'], readonly string[]>> = {
  observed: [
    'live sessions say where steps lead that are survived; how likely a state is left by a violation is the present bundle’s, for nobody has told of any',
    'hazards are the present bundle’s',
  ],
  modelled: ['violated is what the cascade says, of live sessions too'],
}

const THRESHOLDS =
  'thresholds are the present bundle’s: their false positives were measured on the sessions that it was fitted to, under its own chains'

/** What a bundle that was refitted from live counts tells of where it comes from; what the present one told is in it as `present`. */
export function liveOrigin({
  bundle,
  version,
  months,
  kappa,
  tallies,
  kept,
}: LiveFacts): Record<string, unknown> {
  const named = [['aggregate', tallies.aggregate] as const, ...tallies.categories]
  return {
    notes: [...NOTES[bundle.target], THRESHOLDS],
    method: `chains of \`${bundle.name}\` (${version}) estimated anew from live counts; of each of its rows at most kappa steps count beside them`,
    kappa,
    months,
    live: Object.fromEntries(named.map(([name, tally]) => [name, figuresOf(tally)])),
    keptChains: kept,
    present: { version, ...presentOrigin(bundle) },
  }
}

/** The origin of what was fitted to recordings: refits of refits do not pile up. */
function presentOrigin({ origin }: Bundle): Record<string, unknown> {
  const { present, ...own } = origin
  return typeof present === 'object' && present !== null ? { ...present } : { origin: own }
}

const figuresOf = ({ sessions, steps, ended, violated, told, toldViolated }: LiveTally) => ({
  sessions,
  steps,
  ended,
  violatedByCascade: interval(wilson(violated, sessions)),
  told: { sessions: told, violated: interval(wilson(toldViolated, told)) },
})

const interval = ({ n, rate, low, high }: Proportion) =>
  Number.isNaN(rate) ? { n } : { n, rate: rounded(rate), low: rounded(low), high: rounded(high) }
