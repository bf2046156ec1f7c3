import { setMaxListeners } from 'node:events'
import type { PlimsollClient } from '@plimsoll/client'
import { type AgentOptions, type Pace, createPauses, playSession } from './agent.js'
import { type Scenario, SCENARIOS, playbill } from './scenario.js'

type AgentSettings = 'obeys' | 'statesEvidence' | 'onSession' | 'onDecision' | 'onEnd' | 'onFull'

/** `obeys` and `statesEvidence` are true by default. */
export interface FleetOptions extends Partial<Pick<AgentOptions, AgentSettings>> {
  readonly client: PlimsollClient
  readonly scenarios?: readonly Scenario[]
  /** The same seed plays the same sessions, which then get the same verdicts. */
  readonly seed: number
  /** Sessions at a time. */
  readonly concurrency: number
  /** No pauses by default. */
  readonly pace?: Pace
  /** Ends after so many sessions; without it, at the abort. */
  readonly sessions?: number
  readonly signal?: AbortSignal
  /** Prefix of session ids; `fleet-<seed>` by default. The ids must be unused. */
  readonly name?: string
  /** Number of agents; 8 by default. */
  readonly agents?: number
  /** Tenants of the sessions; none by default. */
  readonly tenants?: readonly string[]
  readonly submitReview?: AgentOptions['submitReview']
}

const ignore = (): void => undefined

/**
 * Plays seeded agents at their tasks through a client until `sessions` are played or `signal` aborts; running sessions are then
 * cancelled. Rejects with the client's first error, once the other agents have stopped.
 */
export async function runFleet(options: FleetOptions): Promise<{ readonly sessions: number }> {
  const { client, seed, concurrency, sessions = Infinity, submitReview } = options
  const { scenarios = SCENARIOS, name = `fleet-${seed}`, agents = 8, tenants = [] } = options
  const { pace = createPauses(0), obeys = true, statesEvidence = true } = options
  const { onSession = ignore, onDecision = ignore, onEnd = ignore, onFull = ignore } = options
  const failure = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, failure.signal]) : failure.signal
  // Every agent listens to it.
  setMaxListeners(0, signal)
  const listeners = { onSession, onDecision, onEnd, onFull }
  const agent: AgentOptions = { client, pace, obeys, statesEvidence, signal, submitReview, ...listeners }
  const performances = playbill({ scenarios, seed, name, agents, tenants })
  let played = 0
  const play = async (): Promise<void> => {
    while (played < sessions && !signal.aborted) {
      const next = performances.next()
      if (next.done) return
      played++
      await playSession(next.value, agent)
    }
  }
  const plays = Array.from({ length: concurrency }, () =>
    play().catch((error: unknown) => {
      failure.abort()
      throw error
    }),
  )
  const outcomes = await Promise.allSettled(plays)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return { sessions: played }
}
