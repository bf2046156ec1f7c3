import { EVENT_SCHEMA, sign, type EventOf } from '@plimsoll/contracts'
import { deadlineIdOf, NO_MEMORY_RULES, owedIn, type Rules, type SessionState } from '@plimsoll/engine'
import type { DueKind, DueSession } from '@plimsoll/runtime'

type Deadline = EventOf<'deadline.reached'>

/**
 * What there is to say of a session that is due: nothing where its state knows nothing of it. Whoever says it says it in the same words.
 *
 * @param rules those of the session; without them nobody knows what it owes
 * @param now milliseconds since 1970
 */
export function deadlinesOf(
  { id: sessionId, atMs }: DueSession,
  kind: DueKind,
  state: SessionState,
  rules: Rules | undefined,
  now: number,
  signingKey: string,
): Deadline[] {
  const say = (due: Deadline['due'], dueAt: number): Deadline =>
    sign<Deadline>(
      {
        schema: EVENT_SCHEMA,
        id: deadlineIdOf(due),
        sessionId,
        producer: PRODUCER,
        seq: 0,
        time: dueAt,
        type: 'deadline.reached',
        due,
        dueAt,
      },
      signingKey,
    )
  if (state.ended) return []
  if (kind === 'idle') return [say({ kind, heardAt: state.time }, atMs)]
  if (kind === 'obligation')
    return owedIn(state.memory, rules?.memory ?? NO_MEMORY_RULES).flatMap(
      ({ spec, since, overdueMs = Infinity, isTold }) =>
        !isTold && overdueMs <= now ? [say({ kind, spec: spec.id, since }, overdueMs)] : [],
    )
  return state.calls.flatMap((call) =>
    call.status === 'pending' && call.expiresAt <= now
      ? [say({ kind, decisionId: call.decisionId }, call.expiresAt)]
      : [],
  )
}

const PRODUCER = 'plimsoll-monitor'
