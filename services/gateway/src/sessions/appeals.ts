import { randomUUID } from 'node:crypto'
import { type Decision, type GivenAppeal, type Topics, PlimsollError, appealOf } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import { LRUCache } from 'lru-cache'

/** Publishes an appeal, signed with the deployment's key. */
export type PublishAppeal = (decision: Decision, appeal: GivenAppeal) => Promise<void>

export function createPublishAppeal(
  log: Pick<EventLog, 'produce'>,
  { events }: Pick<Topics, 'events'>,
  signingKey: string,
): PublishAppeal {
  return async (decision, appeal) => {
    const source = { id: `appeal-${randomUUID()}`, producer: 'plimsoll-gateway', timeMs: Date.now() }
    const event = appealOf(decision, appeal, source, signingKey)
    await log.produce(events, [{ key: event.sessionId, value: JSON.stringify(event) }])
  }
}

/** Decisions that are kept; the oldest beyond can be appealed against over Kafka. */
const DECISIONS_MAX = 10_000

/** What was stopped and asked since this gateway started, for those who say that it was wrong. */
export function createAppeals(publish: PublishAppeal | undefined) {
  const decisions = new LRUCache<string, Decision>({ max: DECISIONS_MAX })
  return {
    receive: (decision: Decision): void => {
      if (decision.kind === 'step' && (decision.verdict === 'confirm' || decision.verdict === 'block'))
        decisions.set(decision.id, decision)
    },
    /** Rejects with `approval_unknown`, and with `forbidden` without a signing key. */
    appeal: async (tenant: string, decisionId: string, appeal: GivenAppeal): Promise<void> => {
      const decision = decisions.get(decisionId)
      if (decision?.tenant !== tenant)
        throw new PlimsollError(
          'approval_unknown',
          `decision \`${decisionId}\` stopped and asked nothing since this gateway started: \`plimsoll appeal\` with Kafka finds older ones`,
        )
      if (!publish)
        throw new PlimsollError('forbidden', 'this gateway has no signing key: set `PLIMSOLL_SIGNING_KEY`')
      await publish(decision, appeal)
    },
  }
}
