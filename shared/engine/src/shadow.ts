import type { EventOf, Verdict } from '@plimsoll/contracts'
import { judge, verdictOf } from './judge.js'
import { contextOf, toldBy } from './proposal.js'
import { NO_FACTS, type Rules } from './rules.js'
import type { SessionState } from './session.js'
import { admitUnanswered } from './step.js'

/** What some rules make of a proposed step, whatever was asked about in the session before. */
export interface ShadowJudgement {
  readonly verdict: Verdict
  /** The category whose chain was read, or `aggregate`. */
  readonly category: string
  readonly hazard: number
  readonly probability: number
  /** 0…3: how many forward thresholds `probability` has reached. */
  readonly band: number
}

/** What the rules of a session and those of a candidate make of the same step. */
export interface Shadow {
  readonly active: ShadowJudgement
  readonly candidate: ShadowJudgement
}

/**
 * Judges `proposal` by the rules that its session is pinned to and by a candidate's, side by side. Pure, and of no effect: the candidate keeps
 * nothing of its own. Whatever its bundle, the session's safety state, level, taint and marks are the same, and where the step arrives is
 * computed from them. What a session remembers of its own bundle alone, the band that was asked about, counts for neither side: each
 * speaks as if this were the first step to reach its band. Stops and modes count for neither.
 *
 * @param state the session before the proposal
 * @param candidate rules that differ from `active` in their bundle alone
 */
export function shadowOf(
  state: SessionState,
  proposal: EventOf<'tool.proposed'>,
  active: Rules,
  candidate: Rules,
): Shadow {
  const admitted = admitUnanswered(state, proposal, active)
  const unasked = admitted.band === 0 ? admitted : { ...admitted, band: 0 }
  // Labels and provenance are of policy, catalogue and session: the same for both.
  const told = toldBy(unasked, proposal, active)
  const judged = (rules: Rules): ShadowJudgement => {
    const context = contextOf(unasked, { rules, facts: NO_FACTS, time: state.time }, told)
    const { chain, hazard, probability, band } = context.prospect
    return { verdict: verdictOf(judge(context)), category: chain.name, hazard, probability, band }
  }
  return { active: judged(active), candidate: judged(candidate) }
}
