import { type Bundle, type ChainTables, type Policy, type Verdict, VERDICTS } from '@plimsoll/contracts'

/**
 * What prediction says of every step: nothing, or the harshest that the policy configures. So also the line of integrity and irreversible
 * steps that the task does not ask for: what texts direct and what a task asks for are no part of the model.
 */
export type Prediction = 'mild' | 'harshest'

const tablesOf = (p: number): ChainTables => ({
  traces: 0,
  transitions: 0,
  violations: 0,
  hazard: row(p),
  forward: [row(0), row(p)],
  stepsToViolation: [null, null, null, null, null],
  counts: [],
  thresholds: { hazard: [1, 1, 1], forward: [1, 1, 1] },
})
const row = (p: number): number[] => Array.from({ length: 5 }, () => p)

/** A bundle whose chain says the same of every step. */
export function constantBundle(prediction: Prediction): Bundle {
  return {
    schema: 1,
    kind: 'plimsoll.bundle',
    name: prediction,
    space: 'paper5',
    target: 'observed',
    horizon: 1,
    horizonMax: 1,
    aggregate: tablesOf(prediction === 'mild' ? 0 : 1),
    categories: {},
    origin: {},
  }
}

/** `policy` without the sources that texts decide: whether they restrict a step the model cannot say, so nothing may rest on it. */
export function atItsMildest({
  integrity: _integrity,
  irreversible: _irreversible,
  ...policy
}: Policy): Policy {
  return policy
}

/** `policy` in which prediction, when it speaks, says the harshest that it may, or that a source may which texts decide. */
export function atItsHarshest(whole: Policy): Policy {
  const { integrity, irreversible = 'allow' } = whole
  const policy = atItsMildest(whole)
  const hazard = harshest([...policy.hazard, irreversible, ...Object.values(integrity ?? {})])
  const verdict = harshest(policy.forward.verdicts)
  return {
    ...policy,
    hazard: [hazard, hazard, hazard],
    forward: { ...policy.forward, verdicts: [verdict, verdict, verdict] },
  }
}

const harshest = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((worst, each) => (VERDICTS.indexOf(each) > VERDICTS.indexOf(worst) ? each : worst), 'allow')
