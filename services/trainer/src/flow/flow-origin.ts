import type { SourceLine } from '../evaluation/source-census.js'
import { KAPPA } from '../fit/fit.js'
import { rounded } from '../fit/tables.js'
import { SAFE_SESSIONS_MIN, type ChosenThreshold, type ThresholdRules } from '../fit/thresholds.js'
import { isHeldOutAbout, type About } from '../traces/recording.js'
import type { FlowOptions } from './fit-flow.js'
import type { FlowChains } from './flow-chains.js'
import { ASSUMED_WEIGHT } from './flow-method.js'
import type { CategoryThresholds, FlowThresholds } from './flow-thresholds.js'
import type { SampleTold } from './session-sample.js'

export interface FlowOriginFacts {
  readonly sources: readonly SourceLine[]
  /** What was left out of the sample that the scorers were grown on, if anything. */
  readonly told: SampleTold | undefined
  readonly madeWith: Readonly<Record<'catalogue' | 'instructions', string>>
  readonly heldOut: (about: About) => boolean
  readonly options: FlowOptions
  readonly thresholds: CategoryThresholds
  readonly chains: FlowChains
  readonly rules: ThresholdRules
}

const NOTES = [
  'figures are of recorded sessions, most of them attacked on purpose: base rates lie far above those of everyday work',
  'violated is what the recording says, at the step it names; steps after it are left out; proposals that never ran are censored',
  `sessions that are only assumed to be safe count, with ${ASSUMED_WEIGHT} of the weight in the scorers`,
  'a source that does not name the violating step is left out whole: its safe sessions alone would lower the base rate',
  'calibration, buckets, chains and thresholds are fitted to what inner models say of attacks that they have not seen',
]

const SAMPLING =
  'scorers were grown on the kept sessions of either kind, each with the weight of those that it stands for, and calibrated on them; chains and thresholds count all'

/** What a bundle of the space `flow` tells of where it comes from, in plain JSON. */
export function flowOriginOf(facts: FlowOriginFacts): Record<string, unknown> {
  const { sources, told, madeWith, heldOut, options, thresholds } = facts
  const chains = [['aggregate', facts.chains.aggregate] as const, ...facts.chains.categories]
  return {
    notes: NOTES,
    method:
      'boosted trees for the hazard of a step and for where a session stands, calibrated isotonically; a chain of order 1 over level × taint × bucket, absorbing in violated and ended',
    kappa: KAPPA,
    ...madeWith,
    heldOut: heldOut === isHeldOutAbout ? 'split `test` and fold 4' : 'as the caller said',
    sessions: facts.chains.aggregate.traces,
    ...(told && { sampled: { rule: SAMPLING, ...told } }),
    sources: Object.fromEntries(sources.map(({ source, ...line }) => [source, line])),
    baseRates: Object.fromEntries(
      chains.map(([name, { violations, traces }]) => [name, rounded(violations / Math.max(1, traces))]),
    ),
    scorers: options,
    thresholds: {
      rule: `the lowest score that safe training sessions reach within the budgets, at least the floors; the aggregate's for fewer than ${SAFE_SESSIONS_MIN} safe sessions`,
      ...facts.rules,
      chosen: Object.fromEntries(
        chains.map(([name]) => [
          name,
          chosenIn(name === 'aggregate' ? thresholds.aggregate : thresholds.of(name)),
        ]),
      ),
    },
  }
}

const chosenIn = ({ hazard, forward }: FlowThresholds) => ({
  hazard: hazard.map(roundedThreshold),
  forward: forward.map(roundedThreshold),
})

const roundedThreshold = ({ threshold, falsePositives, detection }: ChosenThreshold): ChosenThreshold => ({
  threshold,
  falsePositives: rounded(falsePositives),
  detection: rounded(detection),
})
