import { logged, type Decision, type Versions } from '@plimsoll/contracts'
import { shadowOf, type ControlView, type Facts, type Rules } from '@plimsoll/engine'
import type { RuleShelf } from '@plimsoll/policy'
import type { Folded } from '../fold.js'
import { createFollower } from './follower.js'
import type { FollowedSessions } from './followed.js'
import { changeIn, nameOf, type Comparison } from './record.js'

/** Why a step was not judged by the candidate: its rules are not at hand or cannot be computed here, or they failed on the step. */
export type ShadowFailure = 'unavailable' | 'failed'

export interface ShadowSink {
  compared(comparison: Comparison): void
  failed(candidate: string, reason: ShadowFailure): void
  /** A step of a session of which the candidate's specs do not know what it did. */
  unfollowed(candidate: string): void
}

/** What sessions are compared on. */
export interface ShadowGround {
  /** It has rules of its own, so that a candidate takes no place from those that sessions are judged by. */
  readonly shelf: Pick<RuleShelf, 'rules'>
  readonly followed: FollowedSessions
  readonly sink: ShadowSink
}

/**
 * Judges the proposals of what was `folded` by the candidate of `view` as well, and tells `sink`. Called behind the commit: no answer waits
 * for it, nothing is stored, and whatever goes wrong in it is told and ends there. Where there is no candidate it costs a look. A session of
 * which the candidate's specs would have to remember what they have not seen is told apart, never judged.
 */
export function compareFolded(view: CandidateView, folded: Iterable<Folded>, ground: ShadowGround): void {
  const candidates = new Map<Rules, Candidate | undefined>()
  for (const each of folded) {
    const { rules } = each
    if (!rules) continue
    if (!candidates.has(rules)) candidates.set(rules, candidateFor(rules, view, ground.shelf))
    const candidate = candidates.get(rules)
    if (candidate) compareSession(each, rules, candidate, ground)
  }
}

/** What is tried. */
export type CandidateView = Pick<ControlView, 'candidate' | 'shadowOf'>

interface Candidate {
  readonly name: string
  readonly versions: Versions
  readonly rules: Rules | undefined
}

function candidateFor(
  active: Rules,
  view: CandidateView,
  shelf: Pick<RuleShelf, 'rules'>,
): Candidate | undefined {
  const versions = view.shadowOf(active.versions)
  if (!versions || !view.candidate) return undefined
  const name = nameOf(view.candidate)
  try {
    return { name, versions, rules: shelf.rules(versions) }
  } catch {
    return { name, versions, rules: undefined }
  }
}

function compareSession(session: Folded, active: Rules, candidate: Candidate, ground: ShadowGround): void {
  const { sink } = ground
  const { name, versions, rules } = candidate
  const follower = rules && createFollower(session, active, rules, ground.followed)
  let { before } = session
  for (const [i, outcome] of session.outcomes.entries()) {
    const told = session.events[i]
    if (!told) continue
    const { event } = told
    const { decision } = outcome
    if (before && event.type === 'step.proposed' && decision?.kind === 'step') {
      if (!rules || !follower) sink.failed(name, 'unavailable')
      else if (!follower.isKnown()) sink.unfollowed(name)
      else
        try {
          const at = { timeMs: told.record.timeMs, readings: readingsIn(decision) }
          const shadow = shadowOf(before, event, active, rules, at, follower.followed())
          const change = changeIn(shadow)
          sink.compared({ decision, name, active: active.versions, candidate: versions, shadow, change })
        } catch {
          sink.failed(name, 'failed')
        }
    }
    follower?.take(before, logged(event, told.record.timeMs), outcome)
    before = outcome.state
  }
  follower?.done()
}

/** What was read of the fleet when the decision was made. */
function readingsIn({ facts }: Decision): Facts['readings'] {
  const numbers = Object.entries(facts).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers)
}
