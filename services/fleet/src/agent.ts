import type { Session } from '@plimsoll/client'
import { PlimsollError } from '@plimsoll/contracts'
import { pause } from '@plimsoll/runtime'
import { askToRun, runs, type AgentOptions, type Ending } from './ask.js'
import { createPlayer } from './player.js'
import { type Performance, createRandom } from './scenario.js'

/** How long is waited for room before it is tried again, milliseconds. */
const WAIT_MS = 100

/**
 * Does `work`, again and again while the client has no room for what it sends, until the abort; `onFull` is told each time. Undefined
 * where the abort came first. Rejects with any other error.
 */
export async function whenRoom<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onFull: () => void,
): Promise<T | undefined> {
  while (!signal.aborted)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PlimsollError && error.code === 'queue_full')) throw error
      onFull()
      await pause(WAIT_MS, signal)
    }
  return undefined
}

/** Plays one session to its end, or to the abort. */
export async function playSession(performance: Performance, options: AgentOptions): Promise<void> {
  const { client, signal, onFull } = options
  const { sessionId: id, agent, scenario } = performance
  const reported = { id, agent, category: scenario.category, task: scenario.goal }
  const session = await whenRoom(() => client.startSession(reported), signal, onFull)
  if (!session) return
  options.onSession(performance)
  const seen = { isViolated: false, hasLeaked: false }
  const outcome = await playSteps(session, performance, seen, options).catch((error: unknown) => {
    // Aborted while it waited for an answer: the step under way does not run.
    if (signal.aborted) return 'cancelled' as const
    throw error
  })
  await session.end(outcome)
  options.onEnd(performance, { outcome, ...seen })
}

async function playSteps(
  session: Session,
  performance: Performance,
  seen: { isViolated: boolean; hasLeaked: boolean },
  options: AgentOptions,
): Promise<Ending['outcome']> {
  const { pace, signal, onFull } = options
  const player = createPlayer(performance.scenario, performance.seed)
  // Another one than the player's: how long an agent pauses is not to change what it does.
  const random = createRandom(performance.seed)
  let step = player.next()
  for (let number = 1; step; number++) {
    const dueAt = await pace.turn(random, signal)
    if (signal.aborted) return 'cancelled'
    const current = step
    const answer = await askToRun(
      { session, performance, callId: `call-${number}`, step: current, dueAt },
      options,
    )
    if (runs(answer, options)) {
      seen.isViolated ||= answer.decision?.risk?.level === 'violated'
      seen.hasLeaked ||= current.carries && current.result.outcome === 'ok'
      await whenRoom(() => session.complete(answer, current.result), signal, onFull)
      player.ran(current)
    } else player.stopped(current)
    step = player.next()
  }
  return player.isDone() ? 'completed' : 'failed'
}
