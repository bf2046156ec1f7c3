import type { Target } from '../sessions/truth.js'
import { FLOW_OPTIONS, type FlowOptions } from './fit-flow.js'
import type { ScorerInputs } from './scorer-inputs.js'

/** All that the cascade looks at: where the session stands, and what the step is. */
export const CASCADE_INPUTS: ScorerInputs = {
  'state.exposure': 1,
  'state.escalation': 1,
  'state.level': 1,
  'step.exposure': 1,
  'step.escalation': 1,
  'step.reversibility': 0,
}

/** What a step's evidence says is of the *observed* target; whether a step is violated by the cascade follows from labels alone. */
export const flowOptionsFor = (target: Target, options: FlowOptions = FLOW_OPTIONS): FlowOptions =>
  target === 'observed' ? options : { ...options, hazardInputs: CASCADE_INPUTS }
