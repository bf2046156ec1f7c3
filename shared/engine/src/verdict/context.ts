import type { Evidence, Signals } from '@plimsoll/contracts'
import type { StepEffect } from '../effects/effects.js'
import type { StepLabels } from '../labels/safety-state.js'
import type { Matches } from '../provenance/matches.js'
import type { Own } from '../provenance/own.js'
import type { StepRisk } from '../risk/risk.js'
import type { Facts, Rules, ToolRule } from '../rules.js'
import type { SpecStep } from '../specs/matching.js'
import type { SessionState } from '../state/session.js'

/** Everything a verdict source can look at. */
export interface StepContext {
  readonly state: SessionState
  readonly rules: Rules
  readonly facts: Facts
  readonly tool: string
  readonly rule: ToolRule
  readonly labels: StepLabels
  /** Whether the tool is labelled, rather than by the policy's `unlabelled` labels. */
  readonly labelled: boolean
  /** Whether the client derived the labels from the arguments. */
  readonly derived: boolean
  readonly evidence: Evidence
  /** The evidence for the line: of reversible requests, only their content. */
  readonly lineEvidence: Evidence
  /** Where the step's fingerprints were seen before; undefined if it has none. */
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
  /** What it does to what; undefined if its client does not report it. */
  readonly effects: readonly StepEffect[] | undefined
  /** What the session will have made once the step completes with `ok`; see own. */
  readonly made: Own
  readonly stepRisk: StepRisk
  /** The context of the policy's specs. */
  readonly specs: SpecStep
}
