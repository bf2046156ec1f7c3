import { type Rules, type SessionState, nextDeadline } from '@plimsoll/engine'
import type { RecordWrite } from '@plimsoll/runtime'

export interface Lifetimes {
  /** A session that is heard of no more ends after this. */
  readonly idleTtlMs: number
  /** How long an ended session is remembered. */
  readonly endedTtlMs: number
  /** Whether somebody publishes what comes due: else nothing would ever take a session out of the due-set. */
  readonly withDeadlines: boolean
}

/** So much longer a record lives than its session may be idle, so that its end is an event, even after an outage. */
const MARGIN_MS = 3_600_000

/** How long the record of `state`, judged by `rules`, lives, and when it is due. Source: docs/decisions/20261121-time.md. */
export function lifeOf(
  state: SessionState,
  partition: number,
  lifetimes: Lifetimes,
  rules: Rules | undefined,
): Pick<RecordWrite, 'ttlMs' | 'due'> {
  const ttlMs = ttlOf(state, lifetimes)
  if (!lifetimes.withDeadlines) return { ttlMs }
  if (state.ended) return { ttlMs, due: { partition } }
  const idleMs = state.time + ttlMs
  return { ttlMs: ttlMs + MARGIN_MS, due: { ...nextDeadline(state, rules), partition, idleMs } }
}

/** An approval may come as late as it was told it may, whatever the idle time. */
function ttlOf(state: SessionState, { idleTtlMs, endedTtlMs }: Lifetimes): number {
  if (state.ended) return endedTtlMs
  let ttlMs = idleTtlMs
  for (const call of state.calls)
    if (call.status === 'pending') ttlMs = Math.max(ttlMs, call.expiresAt - state.time)
  return ttlMs
}
