import type { EventOf, LoggedEvent } from '@plimsoll/contracts'
import { addRefined, unrefinedFor } from '../labels/refined.js'
import {
  type StepLabels,
  SENSITIVE,
  SENSITIVE_EXPOSURE,
  escalationOf,
  exposureOf,
  reversibilityOf,
  riskLevelOf,
  safetyState,
  stepLabelsOf,
} from '../labels/safety-state.js'
import { type Sources, blinded } from '../provenance/sources.js'
import { bucketFor } from '../risk/risk.js'
import { stateLeftAfterResult } from '../risk/transitions.js'
import type { Facts, Rules } from '../rules.js'
import { sessionTimeOf } from '../specs/counters.js'
import { rememberRaised } from '../specs/memory.js'
import { findCall } from '../state/calls.js'
import { type Call, type SessionState, LIMITS, changed } from '../state/session.js'
import type { JudgeContext, Outcome } from '../verdict/outcome.js'
import { unavailable } from '../verdict/refusal.js'
import { markReceived, recentOf } from './sequence.js'

type Refinement = EventOf<'labels.refined'>

/**
 * Applies a judge's labels: later steps with the tool use them, and if the judged step has run, the session is raised at once. An answer
 * that comes too late, or for a tool that the catalogue now has, is no fault.
 */
export function refine(
  state: SessionState,
  event: Refinement,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  if (state.ended || recentOf(state, input.hash)) return { state }
  if (!rules) return unavailable(state, input, facts)
  if (rules.tool(event.tool).labels) return { state }
  const labels = stepLabelsOf(event.labels)
  const next = { tool: event.tool, labels, replaces: event.effect === 'replace' }
  const refined = addRefined(state.refined, next, LIMITS.refinedMax)
  const { timeMs: time } = input
  const raised = mayHaveRun(state, event.callId) ? raisedBy(state, event, labels, { rules, time }) : state
  return markReceived({ state: changed(raised, { refined }) }, input, false)
}

/** A call that is no longer kept counts as completed. */
function mayHaveRun(state: SessionState, callId: string): boolean {
  const call = findCall(state, callId)
  return call === undefined || call.status === 'open'
}

/** Raises exposure, escalation, level and taint by a step that has run; its reversibility only counted while it was the latest. */
function raisedBy(
  state: SessionState,
  { callId, tool }: Refinement,
  labels: StepLabels,
  { rules, time }: Pick<JudgeContext, 'rules' | 'time'>,
): SessionState {
  const safety = safetyState(
    Math.max(exposureOf(state.safety), labels.exposure),
    Math.max(escalationOf(state.safety), labels.escalation),
    reversibilityOf(state.safety),
  )
  const level = Math.max(state.level, riskLevelOf(safety))
  const taint = labels.untrusted ? Math.max(state.taint, 1) : state.taint
  const { steps, history, conduct } = state
  const bucket = bucketFor({ safety, level, taint, steps, history, conduct }, rules)
  const remembered = rememberRefined(state, tool, labels, { rules, time })
  const raised = changed(state, {
    memory: remembered.memory,
    calls: remembered.calls,
    safety,
    level,
    taint,
    bucket,
    leftState: stateLeftAfterResult(state),
  })
  const { exposure } = unrefinedFor(tool, rules)
  if (labels.exposure < SENSITIVE_EXPOSURE || exposure >= SENSITIVE_EXPOSURE) return raised
  return changed(raised, reportedSensitive(raised, callId))
}

/** Updates the spec memory for a step that already ran. */
function rememberRefined(
  state: SessionState,
  tool: string,
  labels: StepLabels,
  { rules, time }: Pick<JudgeContext, 'rules' | 'time'>,
): Pick<SessionState, 'memory' | 'calls'> {
  const { memory, tags } = rules.tool(tool)
  const base = { labels: unrefinedFor(tool, rules), tags }
  return rememberRaised(state, memory, base, { labels, tags: 0 }, sessionTimeOf(state, time), rules.memory)
}

/** Earlier results of the tool were not kept as sensitive; later ones will be. */
function reportedSensitive(
  { calls, sources }: SessionState,
  callId: string,
): { readonly calls: readonly Call[]; readonly sources: Sources } {
  return {
    calls: calls.map((call) =>
      call.status === 'open' && call.callId === callId ? { ...call, source: call.source | SENSITIVE } : call,
    ),
    sources: blinded(sources),
  }
}
