import type { Event, LoggedEvent, Verdict } from '@plimsoll/contracts'
import {
  type Draft,
  type Recent,
  type SessionState,
  LIMITS,
  appendCapped,
  draftOf,
} from '../state/session.js'
import type { Outcome } from '../verdict/outcome.js'

export type SequenceCheck =
  | { readonly kind: 'next' }
  | { readonly kind: 'repeat'; readonly verdict: Verdict }
  | { readonly kind: 'gap' | 'stale'; readonly expected: number }

const NEXT: SequenceCheck = { kind: 'next' }

/** The position of `event` in its producer's numbering. Source: docs/decisions/20261121-ids-and-sequence.md. */
export function checkSequence(state: SessionState, { event, hash }: LoggedEvent): SequenceCheck {
  const expected = nextOf(state, event.producer)
  if (event.seq === expected) return NEXT
  if (event.seq > expected) return { kind: 'gap', expected }
  const seen = recentOf(state, hash)
  return seen ? { kind: 'repeat', verdict: seen.verdict } : { kind: 'stale', expected }
}

function nextOf({ producers }: SessionState, producer: string): number {
  for (const { name, next } of producers) if (name === producer) return next
  return 0
}

/** The recent event of that hash, if any. Source: contracts, `hashOfEvent`. */
export function recentOf(state: SessionState, hash: string): Recent | undefined {
  return state.recent.find((recent) => recent.hash === hash)
}

/**
 * `outcome` with its event recorded as received; `sequenced` if it is its producer's next.
 *
 * @param before the state that the event met, if the outcome's was made from it alone: another one is nobody else's, and is written into
 */
export function markReceived(
  outcome: Outcome,
  { event, timeMs, hash }: LoggedEvent,
  sequenced: boolean,
  before?: SessionState,
): Outcome {
  const { state, decision } = outcome
  if (!state) return outcome
  const verdict = decision?.verdict ?? 'allow'
  const recent = appendCapped(state.recent, { hash, verdict }, LIMITS.recentMax)
  const producers = sequenced ? producersAfter(state, event) : state.producers
  const isOwn = before !== undefined && state !== before
  const after = isOwn ? (state as Draft) : draftOf(state)
  after.time = timeMs
  after.recent = recent
  after.producers = producers
  // A literal is faster than a spread, and faults are rare.
  if (outcome.fault) return { ...outcome, state: after }
  return decision ? { state: after, decision } : { state: after }
}

function producersAfter(state: SessionState, event: Event) {
  const received = { name: event.producer, next: event.seq + 1 }
  if (state.producers.length === 1 && state.producers[0]?.name === event.producer) return [received]
  const others = state.producers.filter(({ name }) => name !== event.producer)
  return appendCapped(others, received, LIMITS.producersMax)
}
