import type { Answer, PlimsollClient, Session } from '@plimsoll/client'
import { type Decision, PlimsollError } from '@plimsoll/contracts'
import { pause } from '@plimsoll/runtime'
import { type PlayedStep, type Review, createPlayer } from './player.js'
import { type Performance, type Random, createRandom } from './scenario.js'

/** When the next step of an agent is due. */
export interface Pace {
  /**
   * Resolves when the agent may take its next step, or at the abort. The value is when the step was due (milliseconds of
   * `performance.now()`), undefined without a schedule.
   */
  turn(random: Random, signal: AbortSignal): Promise<number | undefined>
}

/** Each agent pauses `pauseMs` ± 50% before a step. With 0 the next step follows at once. */
export function createPauses(pauseMs: number): Pace {
  return {
    turn: async (random, signal) => {
      const ms = pauseMs * (0.5 + random())
      if (ms > 0) await pause(ms, signal)
      return undefined
    },
  }
}

/**
 * Steps at a fixed rate over all agents: an open loop. A turn that no agent was free to take when it was due is taken late, and its
 * latency counts from when it was due, so that a stall shows in every step that it delayed.
 */
export function createSchedule(stepsPerSecond: number, now: () => number = () => performance.now()): Pace {
  const begun = now()
  let turns = 0
  return {
    turn: async (_random, signal) => {
      const due = begun + (turns++ * 1000) / stepsPerSecond
      const ms = due - now()
      if (ms > 0) await pause(ms, signal)
      return due
    },
  }
}

/** One answer: to a proposed step, or to a step after its review. */
export interface FleetDecision {
  readonly performance: Performance
  readonly step: PlayedStep
  readonly answer: Answer
  readonly answers: 'proposal' | 'review'
  /** When the step was due, was proposed and was answered: milliseconds of `performance.now()`. */
  readonly dueAt: number
  readonly proposedAt: number
  readonly answeredAt: number
}

/** Submits a reviewer's answer; the agent then waits for the new decision. */
export type SubmitReview = (decision: Decision, review: Review) => Promise<void>

/** How a session ended, in the simulated world. */
export interface Ending {
  readonly outcome: 'completed' | 'failed' | 'cancelled'
  /** Whether a step that ran raised the session to the level `violated`, which looks at tools alone. */
  readonly isViolated: boolean
  /** Whether something sensitive left. The simulation knows, whatever the labels say. */
  readonly hasLeaked: boolean
}

export interface AgentOptions {
  readonly client: PlimsollClient
  readonly pace: Pace
  /** False: agents run every step whatever the verdict. */
  readonly obeys: boolean
  /** False: hosts never state evidence themselves; the fingerprints of results provide it. */
  readonly statesEvidence: boolean
  readonly signal: AbortSignal
  readonly onSession: (performance: Performance) => void
  readonly onDecision: (decision: FleetDecision) => void
  readonly onEnd: (performance: Performance, ending: Ending) => void
  /** Called each time that the client's queue is full; the agent tries again. */
  readonly onFull: () => void
  /** Undefined: steps that need an approval do not run. */
  readonly submitReview: SubmitReview | undefined
}

/** Pause before another attempt when the client's queue is full. */
const WAIT_MS = 100

/** Reviews of one step: a new judgement after an approval may need another approval. */
const REVIEWS_MAX = 3

/** How long an agent waits for the decision that follows a review. A refused review has none. */
const RESOLUTION_MS = 60_000

/**
 * Runs `work`, again after a pause while it rejects with `queue_full`; calls `onFull` each time. Resolves with undefined after the abort.
 * Rejects with any other error.
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
  // Made up, so that it may be seen.
  const started = { id, agent, category: scenario.category, task: scenario.goal, sendTask: true }
  const session = await whenRoom(() => client.startSession(started), signal, onFull)
  if (!session) return
  options.onSession(performance)
  const seen = { isViolated: false, hasLeaked: false }
  const outcome = await playSteps(session, performance, seen, options).catch((error: unknown) => {
    // Aborted while it waited for an answer: that step does not run.
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
  const { pace, signal, onFull, obeys } = options
  const player = createPlayer(performance.scenario, performance.seed)
  // Separate from the player's, so that pauses do not change what the agent does.
  const random = createRandom(performance.seed)
  let step = player.next()
  for (let number = 1; step; number++) {
    const dueAt = await pace.turn(random, signal)
    if (signal.aborted) return 'cancelled'
    const current = step
    const answer = await propose(session, performance, `call-${number}`, current, dueAt, options)
    if (answer.mayRun || !obeys) {
      seen.isViolated ||= answer.decision?.risk?.level === 'violated'
      seen.hasLeaked ||= current.carries && current.result.outcome === 'ok'
      await whenRoom(() => session.complete(answer, current.result), signal, onFull)
      player.ran(current)
    } else player.stopped(current)
    step = player.next()
  }
  return player.isDone() ? 'completed' : 'failed'
}

/** Proposes a step, requests a review where it needs approval and a reviewer is there, and returns the last answer. */
async function propose(
  session: Session,
  played: Performance,
  callId: string,
  step: PlayedStep,
  dueAt: number | undefined,
  { signal, submitReview, statesEvidence, obeys, onDecision }: AgentOptions,
): Promise<Answer> {
  const proposedAt = performance.now()
  const report = (answer: Answer, answers: FleetDecision['answers']) =>
    onDecision({
      performance: played,
      step,
      answer,
      answers,
      dueAt: dueAt ?? proposedAt,
      proposedAt,
      answeredAt: performance.now(),
    })
  const { tool, arguments: args, evidence, review } = step
  const proposal = {
    tool,
    callId,
    ...(args && { arguments: args }),
    ...(statesEvidence && evidence && { evidence }),
  }
  let answer = await session.propose(proposal, { signal })
  report(answer, 'proposal')
  if (!submitReview || !review || answer.mayRun || !obeys) return answer
  for (let reviews = 0; reviews < REVIEWS_MAX && !signal.aborted; reviews++) {
    if (answer.verdict !== 'confirm' || !answer.decision) break
    const submitted = submitReview(answer.decision, review)
    const resolution = session.resolution(answer, { signal, timeoutMs: RESOLUTION_MS })
    const [resolved] = await Promise.all([resolution, submitted])
    report(resolved, 'review')
    if (resolved.decision?.id === answer.decision.id) return resolved
    answer = resolved
  }
  return answer
}
