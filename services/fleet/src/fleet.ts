import { setMaxListeners } from 'node:events'
import type { PlimsollClient } from '@plimsoll/client'
import { playSession } from './agent.js'
import type { FleetDecision, SubmitReview, AgentOptions, Ending } from './ask.js'
import { type Pace, type Performance, type Scenario, createPauses, playbill } from './scenario.js'
import { SCENARIOS } from './scenarios.js'

export interface FleetOptions {
  readonly client: PlimsollClient
  readonly scenarios?: readonly Scenario[]
  /** The same seed plays the same sessions; the verdicts are then the same as well. */
  readonly seed: number
  /** Sessions at a time. */
  readonly concurrency: number
  /** Each step at once where it is left out. */
  readonly pace?: Pace
  /** Ends by itself after so many sessions; plays on until the abort where it is left out. */
  readonly sessions?: number
  readonly signal?: AbortSignal
  /** What session ids begin with; `fleet-<seed>` by default. Ids must not have been used before. */
  readonly name?: string
  /** Names of agents that the tasks are divided among; 8 where it is left out. */
  readonly agents?: number
  /** Tenants that the sessions are of; none where it is left out. */
  readonly tenants?: readonly string[]
  /** False: agents go on whatever the verdict. */
  readonly obeys?: boolean
  /**
   * False where the client has a fingerprint key: what the results said is then matched with what is sent. Else some of the hosts say
   * what they saw, as one does that compares texts itself.
   */
  readonly statesEvidence?: boolean
  /** Told of each session that has started. */
  readonly onSession?: (performance: Performance) => void
  readonly onDecision?: (decision: FleetDecision) => void
  readonly onEnd?: (performance: Performance, ending: Ending) => void
  readonly onFull?: () => void
  readonly submitReview?: SubmitReview
}

/**
 * Plays seeded agents at their tasks through a client until `sessions` are played or `signal` aborts; sessions under way are then
 * cancelled. Rejects with the client's first error, once the others have stopped.
 */
export async function runFleet(options: FleetOptions): Promise<{ readonly sessions: number }> {
  const { concurrency, sessions = Infinity } = options
  const failure = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, failure.signal]) : failure.signal
  // Every agent waits on it.
  setMaxListeners(0, signal)
  const agent = agentOptions(options, signal)
  const performances = playbill(castOf(options))
  let played = 0
  const play = async (): Promise<void> => {
    while (played < sessions && !signal.aborted) {
      const next = performances.next()
      if (next.done) return
      played++
      await playSession(next.value, agent)
    }
  }
  const plays = Array.from({ length: concurrency }, () => play().catch(stopOthers(failure)))
  const outcomes = await Promise.allSettled(plays)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return { sessions: played }
}

function castOf(options: FleetOptions) {
  const { scenarios = SCENARIOS, seed, name = `fleet-${seed}`, agents = 8, tenants = [] } = options
  return { scenarios, seed, name, agents, tenants }
}

const ignore = (): void => undefined

function agentOptions(options: FleetOptions, signal: AbortSignal): AgentOptions {
  const { client, pace = createPauses(0), obeys = true, statesEvidence = true, submitReview } = options
  const { onSession = ignore, onDecision = ignore, onEnd = ignore, onFull = ignore } = options
  return { client, pace, obeys, statesEvidence, signal, onSession, onDecision, onEnd, onFull, submitReview }
}

function stopOthers(failure: AbortController): (error: unknown) => never {
  return (error) => {
    failure.abort()
    throw error
  }
}
