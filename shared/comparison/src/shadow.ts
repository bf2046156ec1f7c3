import type { EventOf, Reason, Verdict } from '@plimsoll/contracts'
import {
  type Facts,
  type Rules,
  type SessionState,
  type StepReport,
  NO_FACTS,
  contextOf,
  judge,
  recordReportedRuns,
  reportOfProposal,
  verdictOf,
} from '@plimsoll/engine'
import { type CandidateMemory, adopt } from './candidate-memory.js'

/** How one set of rules judges a proposed step. */
export interface ShadowJudgement {
  readonly verdict: Verdict
  /** The category whose chain was read, or `aggregate`. */
  readonly category: string
  readonly hazard: number
  readonly probability: number
  /** 0…3: how many forward thresholds `probability` has reached. */
  readonly band: number
  /** In the order of the verdict sources. */
  readonly reasons: readonly Reason[]
}

/** One step, judged by the session's own rules and by a candidate's. */
export interface Shadow {
  readonly active: ShadowJudgement
  readonly candidate: ShadowJudgement
}

/**
 * Judges `proposal` by the rules that its session is pinned to and by a candidate's, without effect on the session. Both sides start from
 * the same session state, and both ignore:
 * - the band that was already confirmed: each judges as if this were the first step to reach its band;
 * - stops and modes;
 * - fleet-wide limits without a reading, because nothing is counted for a candidate.
 *
 * @param state the session before the proposal
 * @param candidate rules from another bundle, policy, catalogue, or several of them
 * @param at append time of the proposal, and the fleet readings that the session's own rules had
 * @param memory what the candidate's specs remember of the session; left out if that is what the session's own specs remember
 */
export function shadowOf(
  state: SessionState,
  proposal: EventOf<'step.proposed'>,
  active: Rules,
  candidate: Rules,
  at: ShadowMoment,
  memory?: CandidateMemory,
): Shadow {
  const own = basisOf(state, proposal, active)
  // Labels and provenance depend on policy, catalogue and session only.
  const isLabelledAlike =
    active.versions.policy === candidate.versions.policy &&
    active.versions.catalogue === candidate.versions.catalogue
  const isAlike = isLabelledAlike && !memory
  const other = isAlike ? own : basisOf(memory ? adopt(state, memory) : state, proposal, candidate)
  return { active: judgeBy(active, own, at), candidate: judgeBy(candidate, other, at) }
}

/** When a step is judged. */
export interface ShadowMoment {
  /** Milliseconds since 1970. */
  readonly timeMs: number
  readonly readings: Facts['readings']
}

interface Basis {
  readonly session: SessionState
  readonly reported: StepReport
}

/** The session just before the proposal, its band reset, and the proposal's report. */
function basisOf(state: SessionState, proposal: EventOf<'step.proposed'>, rules: Rules): Basis {
  const admitted = recordReportedRuns(state, proposal, rules, state.time)
  const session = admitted.band === 0 ? admitted : { ...admitted, band: 0 }
  return { session, reported: reportOfProposal(session, proposal, rules) }
}

function judgeBy(
  rules: Rules,
  { session, reported }: Basis,
  { timeMs, readings }: ShadowMoment,
): ShadowJudgement {
  const time = Math.max(timeMs, session.time)
  const facts: Facts = { ...NO_FACTS, readings: { ...unread(rules, reported.tool), ...readings } }
  const context = contextOf(session, { rules, facts, time }, reported)
  const { chain, hazard, probability, band } = context.stepRisk
  const reasons = judge(context)
  return { verdict: verdictOf(reasons), category: chain.name, hazard, probability, band, reasons }
}

/** Readings at which no fleet-wide limit is reached. */
function unread(rules: Rules, tool: string): Facts['readings'] {
  const { blocklist, confirmation } = rules.tool(tool)
  const fleets = [...blocklist, ...confirmation].flatMap(({ fleet }) => (fleet ? [[fleet.reading, -1]] : []))
  return fleets.length === 0 ? undefined : Object.fromEntries(fleets)
}
