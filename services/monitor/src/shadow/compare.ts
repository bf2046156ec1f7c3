import type { Versions } from '@plimsoll/contracts'
import { shadowOf, type ControlView, type Rules } from '@plimsoll/engine'
import type { RuleShelf } from '@plimsoll/policy'
import type { Folded } from '../fold.js'
import { changeIn, nameOf, type Comparison } from './record.js'

/** Why a step was not judged by the candidate: its rules are not at hand or cannot be computed here, or they failed on the step. */
export type ShadowFailure = 'unavailable' | 'failed'

export interface ShadowSink {
  compared(comparison: Comparison): void
  failed(candidate: string, reason: ShadowFailure): void
}

/**
 * Judges the proposals of what was `folded` by the candidate of `view` as well, and tells `sink`. Called behind the commit: no answer waits
 * for it, nothing is stored, and whatever goes wrong in it is told and ends there. Where there is no candidate it costs a look.
 *
 * @param shelf has rules of its own, so that a candidate takes no place from those that sessions are judged by
 */
export function compareFolded(
  view: CandidateView,
  folded: Iterable<Folded>,
  shelf: Pick<RuleShelf, 'rules'>,
  sink: ShadowSink,
): void {
  const candidates = new Map<Rules, Candidate | undefined>()
  for (const each of folded) {
    const { rules } = each
    if (!rules) continue
    if (!candidates.has(rules)) candidates.set(rules, candidateFor(rules, view, shelf))
    const candidate = candidates.get(rules)
    if (candidate) compareSession(each, rules, candidate, sink)
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

function compareSession(
  { before: first, events, outcomes }: Folded,
  active: Rules,
  candidate: Candidate,
  sink: ShadowSink,
): void {
  let before = first
  for (const [i, { state, decision }] of outcomes.entries()) {
    const event = events[i]?.event
    if (before && event?.type === 'tool.proposed' && decision?.kind === 'step') {
      const { name, versions, rules } = candidate
      if (!rules) sink.failed(name, 'unavailable')
      else
        try {
          const shadow = shadowOf(before, event, active, rules)
          const change = changeIn(shadow)
          sink.compared({ decision, name, active: active.versions, candidate: versions, shadow, change })
        } catch {
          sink.failed(name, 'failed')
        }
    }
    before = state
  }
}
