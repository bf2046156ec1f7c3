import type { StateSpace } from '@plimsoll/contracts'
import type { Target } from '../sessions/truth.js'
import { isHeldOut, type Trace } from '../traces/trace.js'
import type { BuiltChain, BuiltChains } from './chains.js'
import type { Counted } from './count.js'
import { rounded } from './tables.js'
import type { Tally } from './tally.js'
import { SAFE_SESSIONS_MIN, type ChosenThreshold, type ThresholdRules } from './thresholds.js'

export interface OriginFacts {
  readonly target: Target
  readonly space: StateSpace
  readonly kappa: number
  readonly catalogueVersion: string
  readonly heldOut: (trace: Trace) => boolean
  readonly counted: Counted
  readonly chains: BuiltChains
  readonly rules: ThresholdRules
}

const ATTACK_HEAVY =
  'figures are of recorded sessions, most of them attacked on purpose: base rates lie far above those of everyday work'

const NOTES: Readonly<Record<Target, readonly string[]>> = {
  observed: [
    ATTACK_HEAVY,
    'violated is what the recording says, at the step it names; sessions assumed benign count as survivals',
    'a source that does not name the violating step is left out whole: its safe sessions alone would lower the base rate',
  ],
  modelled: [
    ATTACK_HEAVY,
    'violated is what the cascade says, whatever the recording says: hazards are 0 or 1',
  ],
}

/** What a bundle tells of where it comes from, in plain JSON. */
export function originOf(facts: OriginFacts): Record<string, unknown> {
  const { target, space, kappa, catalogueVersion, heldOut, counted, chains } = facts
  const tallies = [['aggregate', counted.aggregate], ...counted.categories] as [string, Tally][]
  const built = [['aggregate', chains.aggregate], ...chains.categories] as [string, BuiltChain][]
  return {
    notes: NOTES[target],
    method: `order 1 over ${space}, absorbing in violated and ended; rows and hazards are shrunk from category to aggregate to risk level to all, kappa each`,
    kappa,
    catalogue: catalogueVersion,
    heldOut: heldOut === isHeldOut ? 'split `test` and fold 4' : 'as the caller said',
    sources: counted.sources,
    baseRates: Object.fromEntries(tallies.map(([name, tally]) => [name, baseRateOf(tally)])),
    thresholds: {
      rule: `the lowest score that safe training sessions reach within the budgets, at least the floors; the aggregate's for fewer than ${SAFE_SESSIONS_MIN} safe sessions`,
      ...facts.rules,
      chosen: Object.fromEntries(built.map(([name, chain]) => [name, chosenIn(chain)])),
    },
  }
}

const baseRateOf = ({ violations, traces }: Tally): number => rounded(violations / Math.max(1, traces))

function chosenIn({ chosen }: BuiltChain): Record<keyof BuiltChain['chosen'], ChosenThreshold[]> {
  return { hazard: chosen.hazard.map(roundedThreshold), forward: chosen.forward.map(roundedThreshold) }
}

const roundedThreshold = ({ threshold, falsePositives, detection }: ChosenThreshold): ChosenThreshold => ({
  threshold,
  falsePositives: rounded(falsePositives),
  detection: rounded(detection),
})
