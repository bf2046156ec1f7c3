import type { ClaimedLabels, EventOf, ToolLabels } from '@plimsoll/contracts'
import { fallbackLabels, refinedOf } from '../labels/refined.js'
import { type StepLabels, joinLabels, raiseLabels, stepLabelsOf } from '../labels/safety-state.js'
import type { Rules, ToolRule } from '../rules.js'
import type { PendingCall, SessionState } from './session.js'

export interface Labelling {
  readonly labels: StepLabels
  /** Whether the tool is labelled; else the labels are the policy's `unlabelled` labels, raised. */
  readonly labelled: boolean
  /** Whether the client derived the labels from the arguments. */
  readonly derived: boolean
}

type RefinedState = Pick<SessionState, 'refined'>

/**
 * The labels of a step: the catalogue's, what the tool's name says, or the policy's `unlabelled` labels, raised by what the client claims.
 * If the tool has a minimum, complete labels from the client replace them, never below that minimum; not those of a judge. Source:
 * docs/decisions/20261122-evidence.md.
 */
export function labelsFor(
  { refined }: RefinedState,
  step: Pick<EventOf<'step.proposed'>, 'tool' | 'labels'>,
  { labels, least }: Pick<ToolRule, 'labels' | 'least'>,
  rules: Rules,
): Labelling {
  const isJudged = !labels && refinedOf(refined, step.tool) !== undefined
  if (least && !isJudged && coversAllLabels(step.labels))
    return {
      labels: joinLabels(least, stepLabelsOf(step.labels)),
      labelled: labels !== undefined,
      derived: true,
    }
  const known = labels ?? fallbackLabels(step.tool, refined, rules)
  return { labels: raiseLabels(known, step.labels), labelled: labels !== undefined, derived: false }
}

/** A pending call's current labelling: since the request the session may have moved to other rules, or a judge may have answered. */
export function relabelled({ refined }: RefinedState, call: PendingCall, rules: Rules): Labelling {
  const rule = rules.tool(call.tool)
  const isJudged = !rule.labels && refinedOf(refined, call.tool) !== undefined
  const derived = call.derived && rule.least !== undefined && !isJudged
  const known = derived ? leastOf(rule) : rule.labels
  const labels = known ?? (call.labelled ? call.labels : fallbackLabels(call.tool, refined, rules))
  const labelled = call.labelled || rule.labels !== undefined
  return { labels: joinLabels(call.labels, labels), labelled, derived }
}

const leastOf = ({ labels, least }: ToolRule): StepLabels | undefined => least ?? labels

const coversAllLabels = (claimed: ClaimedLabels | undefined): claimed is ToolLabels =>
  claimed?.capability !== undefined && claimed.reversibility !== undefined
