import { logged, eventSchema, type Decision, type Event, type Topics } from '@plimsoll/contracts'
import { advance, type Facts, type RuleBook, type SessionState } from '@plimsoll/engine'
import type { EventLog, LogRecord } from '@plimsoll/runtime'

/** The deciding half of a monitor: folds events and publishes decisions, all in memory. For tests. */
export interface FoldLoop {
  /** Every event that reached the log, in its order, those that were lost too. */
  readonly events: readonly Event[]
  readonly faults: readonly string[]
  /** Resolves with the first event, past or to come, that `matches`. */
  whenEvent(matches: (event: Event) => boolean): Promise<Event>
  stateOf(sessionId: string): SessionState | undefined
  /** Loses the record of a session. */
  forget(sessionId: string): void
  /** Publishes again everything that was decided so far. */
  repeatDecisions(): Promise<void>
}

export interface FoldLoopOptions {
  readonly log: EventLog
  readonly topics: Topics
  readonly book: RuleBook
  /** Whether the log is to have lost `event`. */
  readonly isLost?: (event: Event) => boolean
  /** What the loop is told from outside at each event. */
  readonly facts?: () => Facts
  /** Awaited before each batch is decided. */
  readonly gate?: () => Promise<void>
}

export async function startFoldLoop(options: FoldLoopOptions): Promise<FoldLoop> {
  const { log, topics, book, isLost = () => false, facts, gate } = options
  const states = new Map<string, SessionState>()
  const events: Event[] = []
  const faults: string[] = []
  const decided: Decision[] = []
  const watchers = new Set<(event: Event) => void>()

  function take({ value, timeMs }: LogRecord): Decision[] {
    const event = eventSchema.parse(JSON.parse(String(value)))
    events.push(event)
    for (const watch of watchers) watch(event)
    if (isLost(event)) return []
    const outcome = advance(states.get(event.sessionId), logged(event, timeMs), book, facts?.())
    if (outcome.state) states.set(event.sessionId, outcome.state)
    if (outcome.fault) faults.push(outcome.fault.code)
    return outcome.decision ? [outcome.decision] : []
  }

  const publish = (decisions: readonly Decision[]) =>
    log.produce(
      topics.decisions,
      decisions.map((decision) => ({ key: decision.sessionId, value: JSON.stringify(decision) })),
    )

  await log.consume({
    topic: topics.events,
    group: 'fold-loop',
    onBatch: async (batch) => {
      await gate?.()
      const { records } = batch
      const decisions = records.flatMap(take)
      decided.push(...decisions)
      await publish(decisions)
      await batch.commit(records.at(-1)?.offset ?? 0n)
    },
  })

  return {
    events,
    faults,
    whenEvent: (matches) =>
      new Promise((resolve) => {
        const found = events.find(matches)
        if (found) return resolve(found)
        const watch = (event: Event) => {
          if (!matches(event)) return
          watchers.delete(watch)
          resolve(event)
        }
        watchers.add(watch)
      }),
    stateOf: (sessionId) => states.get(sessionId),
    forget: (sessionId) => void states.delete(sessionId),
    repeatDecisions: () => publish(decided),
  }
}
