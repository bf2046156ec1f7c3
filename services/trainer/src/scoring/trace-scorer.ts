import {
  PlimsollError,
  type Documents,
  type Level,
  type Provenance,
  type Taint,
  type Verdict,
} from '@plimsoll/contracts'
import { outlookOf } from '@plimsoll/engine'
import { compileRules } from '@plimsoll/policy'
import { AHEAD } from '../evaluation/forecasts.js'
import type { BlindTrace } from '../traces/blind.js'
import { evaluationObserver, type Sight } from './evaluation-observer.js'
import { play, type Stage } from './play.js'

/** What the engine says of one recorded step. */
export interface ScoredStep {
  /** P(this step is the violation), P(this or one of the next four is): as decided at its proposal. */
  readonly p1: number
  readonly p5: number
  /** P(one of the next five is), once this step's result is in. */
  readonly p5After: number
  readonly level: Level
  readonly verdict: Verdict
  /** As decided at its proposal. */
  readonly taint: Taint
  /** Where its telling values come from; null where it has none. */
  readonly provenance: Provenance | null
  /** Microseconds that proposal and completion took, in client and engine together. */
  readonly us: number
}

export type TraceScorer = (trace: BlindTrace) => ScoredStep[]

/**
 * Scores recorded sessions with a bundle, through the observer and the engine that a deployment runs.
 *
 * @throws PlimsollError `usage_invalid` where the bundle cannot look five steps ahead
 */
export function createTraceScorer(documents: Documents, sight: Sight = {}): TraceScorer {
  const { bundle, catalogue } = documents
  if (bundle.horizonMax < AHEAD)
    throw new PlimsollError(
      'usage_invalid',
      `the bundle looks ${bundle.horizonMax} steps ahead, not ${AHEAD}`,
    )
  const rules = compileRules({ ...documents, bundle: { ...bundle, horizon: AHEAD } })
  const stage: Stage = { rules, observer: evaluationObserver(catalogue, sight) }
  return (trace) => {
    const steps: ScoredStep[] = []
    play(trace, stage, {
      stepped: ({ decision, after, us }) => {
        const { verdict, risk } = decision
        if (!risk) throw new RangeError('a recorded step was not judged')
        const { hazard: p1, probability: p5, level, taint, provenance = null } = risk
        steps.push({ p1, p5, p5After: outlookOf(after, rules), level, verdict, taint, provenance, us })
      },
    })
    return steps
  }
}
