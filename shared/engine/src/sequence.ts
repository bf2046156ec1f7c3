import type { Event, Verdict } from '@plimsoll/contracts'
import { LIMITS, appendCapped, type Recent, type SessionState } from './session.js'

export type Order =
  | { readonly kind: 'next' }
  | { readonly kind: 'repeat'; readonly verdict: Verdict }
  | { readonly kind: 'gap' | 'stale'; readonly expected: number }

const NEXT: Order = { kind: 'next' }

/** Where `event` stands in its producer's numbering. Source: docs/decisions/20261121-ids-and-sequence.md. */
export function orderOf(state: SessionState, event: Event): Order {
  const expected = state.producers.find(({ name }) => name === event.producer)?.next ?? 0
  if (event.seq === expected) return NEXT
  if (event.seq > expected) return { kind: 'gap', expected }
  const seen = recentOf(state, event.id)
  return seen ? { kind: 'repeat', verdict: seen.verdict } : { kind: 'stale', expected }
}

export function recentOf(state: SessionState, eventId: string): Recent | undefined {
  const hash = hash32(eventId)
  return state.recent.find((recent) => recent.hash === hash)
}

/** `state` with `event` counted as heard and answered by `verdict`. */
export function hear(state: SessionState, event: Event, verdict: Verdict, sequenced: boolean): SessionState {
  const recent = appendCapped(state.recent, { hash: hash32(event.id), verdict }, LIMITS.recentMax)
  if (!sequenced) return { ...state, recent }
  return { ...state, recent, producers: producersAfter(state, event) }
}

function producersAfter(state: SessionState, event: Event) {
  const heard = { name: event.producer, next: event.seq + 1 }
  const [only] = state.producers
  if (state.producers.length === 1 && only?.name === event.producer) return [heard]
  const others = state.producers.filter(({ name }) => name !== event.producer)
  return appendCapped(others, heard, LIMITS.producersMax)
}

/** FNV-1a over the UTF-16 code units of `text`, 32 bits unsigned. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
