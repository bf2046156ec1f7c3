import type { Event, EventOf, Fault, LoggedEvent, Verdict } from '@plimsoll/contracts'
import type { Facts, Rules } from '../rules.js'
import { rememberDeclassified } from '../specs/memory.js'
import { type Recent, type SessionState, LIMITS, appendCapped, changed } from '../state/session.js'
import { type Outcome, refuse, unavailable } from '../verdict/outcome.js'

export type SequenceCheck =
  | { readonly kind: 'next' }
  | { readonly kind: 'repeat'; readonly verdict: Verdict }
  | { readonly kind: 'gap' | 'stale'; readonly expected: number }

const NEXT: SequenceCheck = { kind: 'next' }

/** The position of `event` in its producer's numbering. Source: docs/decisions/20261121-ids-and-sequence.md. */
export function checkSequence(state: SessionState, { event, hash }: LoggedEvent): SequenceCheck {
  const expected = state.producers.find(({ name }) => name === event.producer)?.next ?? 0
  if (event.seq === expected) return NEXT
  if (event.seq > expected) return { kind: 'gap', expected }
  const seen = recentOf(state, hash)
  return seen ? { kind: 'repeat', verdict: seen.verdict } : { kind: 'stale', expected }
}

/** The recent event of that hash, if any. Source: contracts, `hashOfEvent`. */
export function recentOf(state: SessionState, hash: string): Recent | undefined {
  return state.recent.find((recent) => recent.hash === hash)
}

/** `outcome` with its event recorded as received; `sequenced` if it is its producer's next. */
export function markReceived(
  outcome: Outcome,
  { event, timeMs, hash }: LoggedEvent,
  sequenced: boolean,
): Outcome {
  const { state, decision } = outcome
  if (!state) return outcome
  const verdict = decision?.verdict ?? 'allow'
  const recent = appendCapped(state.recent, { hash, verdict }, LIMITS.recentMax)
  const producers = sequenced ? producersAfter(state, event) : state.producers
  const after = changed(state, { time: timeMs, producers, recent })
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

/** FNV-1a over the first `length` UTF-16 code units of `text`, 32 bits unsigned; `from` continues an earlier hash. */
export function hash32(text: string, from = 0x811c9dc5, length = text.length): number {
  let hash = from
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

type Granted = EventOf<'declassification.granted'>

/**
 * Applies a declassification: it clears the labels that one flow spec has seen, and nothing else. For `line`, the line stops asking
 * about every step since one with sensitive data was blocked.
 */
export function declassify(
  state: SessionState,
  event: Granted,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  if (recentOf(state, input.hash)) return { state }
  if (state.ended) return refuse(state, input, ended(event), facts)
  if (!rules) return unavailable(state, input, facts)
  const spec = rules.memory.flows.find(({ id }) => id === event.spec)
  if (!spec && event.spec === LINE) return markReceived({ state: { ...state, held: false } }, input, false)
  if (!spec) return refuse(state, input, unknownSpec(event), facts)
  const memory = rememberDeclassified(state.memory, spec, rules.memory)
  return markReceived({ state: { ...state, memory } }, input, false)
}

const LINE = 'line'

export const ended = ({ sessionId }: Event): Fault => ({
  code: 'session_ended',
  message: `session \`${sessionId}\` has ended`,
})

const unknownSpec = ({ sessionId, spec }: Granted): Fault => ({
  code: 'spec_unknown',
  message: `the policy of session \`${sessionId}\` has no flow spec \`${spec}\``,
})
