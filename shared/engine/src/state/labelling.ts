import type { ClaimedLabels, EventOf, ToolLabels } from '@plimsoll/contracts'
import { fallbackLabels } from '../labels/refined.js'
import { type StepLabels, joinLabels, raiseLabels, stepLabelsOf } from '../labels/safety-state.js'
import type { Rules, ToolRule } from '../rules.js'
import type { PendingCall, SessionState } from './session.js'

export interface Labelling {
  readonly labels: StepLabels
  /** Whether the tool is known; else the labels are the policy's stand-in, raised. */
  readonly labelled: boolean
  /** Whether the labels are those that the client derived from the arguments. */
  readonly derived: boolean
}

type RefinedState = Pick<SessionState, 'refined'>

/**
 * The labels of a step: the catalogue's, or the stand-in for what nothing labels, raised by what the client claims. Where the catalogue says what the
 * tool does at least, whole labels of the client's count as they are, never below that. Source: docs/decisions/20261122-evidence.md.
 */
export function labelsFor(
  { refined }: RefinedState,
  step: Pick<EventOf<'step.proposed'>, 'tool' | 'labels'>,
  rules: Rules,
): Labelling {
  const { labels, least } = rules.tool(step.tool)
  if (labels && least && coversAllLabels(step.labels))
    return { labels: joinLabels(least, stepLabelsOf(step.labels)), labelled: true, derived: true }
  const known = labels ?? fallbackLabels(step.tool, refined, rules)
  return { labels: raiseLabels(known, step.labels), labelled: labels !== undefined, derived: false }
}

/** A pending call's labelling as it is known by now: since it was asked about the session may have been moved, or a judge have answered. */
export function relabelled({ refined }: RefinedState, call: PendingCall, rules: Rules): Labelling {
  const rule = rules.tool(call.tool)
  const derived = call.derived && rule.least !== undefined
  const known = derived ? leastOf(rule) : rule.labels
  const labels = known ?? (call.labelled ? call.labels : fallbackLabels(call.tool, refined, rules))
  const labelled = call.labelled || rule.labels !== undefined
  return { labels: joinLabels(call.labels, labels), labelled, derived }
}

const leastOf = ({ labels, least }: ToolRule): StepLabels | undefined => least ?? labels

const coversAllLabels = (claimed: ClaimedLabels | undefined): claimed is ToolLabels =>
  claimed?.capability !== undefined && claimed.reversibility !== undefined
