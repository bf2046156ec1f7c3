import type { Clock } from '@plimsoll/runtime'
import type { Applied, ReadStore } from '../store/read-store.js'
import type { LiveFeed } from './live-feed.js'

/** Publishes what was applied to the read model, as the page shows it. */
export function createPublishApplied(store: ReadStore, feed: LiveFeed, clock: Clock) {
  return async ({ sessions, steps, opened, closed }: Applied): Promise<void> => {
    // An appeal changes a step, and not its session.
    const rows = await store.sessionsById([...new Set([...sessions, ...steps.keys()])], clock.now())
    const tenants = new Map(rows.map((row) => [row.id, row.tenant]))
    for (const row of rows.filter(({ id }) => sessions.has(id)))
      feed.publish('session', { sessionId: row.id, tenant: row.tenant }, row)
    for (const [sessionId, events] of steps) {
      const tenant = tenants.get(sessionId)
      if (tenant === undefined) continue
      for (const step of await store.stepsByEvent(sessionId, [...events]))
        feed.publish('step', { sessionId, tenant }, { sessionId, tenant, step })
    }
    for (const id of opened) {
      const found = await store.question(id)
      if (found && !found.closed) feed.publish('question', found.question, found.question)
    }
    for (const id of closed) {
      const found = await store.question(id)
      if (!found?.closed) continue
      const { answer, verdict } = found.closed.by
      const { sessionId } = found.question
      feed.publish('answered', found.question, {
        decisionId: id,
        sessionId,
        ...(answer && { answer }),
        ...(verdict && { verdict }),
      })
    }
  }
}
