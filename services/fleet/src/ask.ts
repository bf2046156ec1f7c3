import type { Answer, Session, PlimsollClient } from '@plimsoll/client'
import type { Decision } from '@plimsoll/contracts'
import type { PlayedStep } from './player.js'
import type { Performance, Review, Pace } from './scenario.js'

/** Told of every answer: to the proposal first, and once more where a human was asked. */
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

/** Hands a reviewer's answer to anyone who decides; the agent then waits for what comes of it. */
export type SubmitReview = (decision: Decision, review: Review) => Promise<void>

/** A step that an agent is about to take. */
export interface StepRequest {
  readonly session: Session
  readonly performance: Performance
  readonly callId: string
  readonly step: PlayedStep
  /** Undefined where nothing says when: it is due when it is proposed. */
  readonly dueAt: number | undefined
}

/** How often one step may be asked about: an approval is judged again, and may turn up another question. */
const REVIEWS_MAX = 3

/** How long an agent waits for what comes of an answer that was given, milliseconds: one that was refused has nothing come of it. */
const RESOLUTION_MS = 60_000

type Report = (answer: Answer, answers: FleetDecision['answers']) => void

/** Whether the step is run after `answer`. */
export const runs = ({ mayRun }: Answer, { obeys }: Pick<AgentOptions, 'obeys'>): boolean => mayRun || !obeys

/** Proposes a step, has a human asked where that is the answer and one is there, and gives what came of it. */
export async function askToRun(question: StepRequest, options: AgentOptions): Promise<Answer> {
  const { session, callId, step } = question
  const { signal, submitReview, statesEvidence } = options
  const report = reporter(question, options.onDecision)
  const { tool, arguments: args, evidence } = step
  const proposal = {
    tool,
    callId,
    ...(args && { arguments: args }),
    ...(statesEvidence && evidence && { evidence }),
  }
  const answer = await session.propose(proposal, { signal })
  report(answer, 'proposal')
  const { review } = step
  if (!submitReview || !review || runs(answer, options)) return answer
  return askHuman(session, answer, (decision) => submitReview(decision, review), report, signal)
}

/** Without a review the session goes on without the step. */
async function askHuman(
  session: Session,
  asked: Answer,
  submit: (decision: Decision) => Promise<void>,
  report: Report,
  signal: AbortSignal,
): Promise<Answer> {
  let answer = asked
  for (let reviews = 0; reviews < REVIEWS_MAX && !signal.aborted; reviews++) {
    if (answer.verdict !== 'confirm' || !answer.decision) break
    const submitted = submit(answer.decision)
    const resolution = session.resolution(answer, { signal, timeoutMs: RESOLUTION_MS })
    const [resolved] = await Promise.all([resolution, submitted])
    report(resolved, 'review')
    if (resolved.decision?.id === answer.decision.id) return resolved
    answer = resolved
  }
  return answer
}

function reporter(
  { performance: played, step, ...question }: StepRequest,
  tell: (decision: FleetDecision) => void,
): Report {
  const proposedAt = performance.now()
  const { dueAt = proposedAt } = question
  return (answer, answers) =>
    tell({ performance: played, step, answer, answers, dueAt, proposedAt, answeredAt: performance.now() })
}

export interface AgentOptions {
  readonly client: PlimsollClient
  readonly pace: Pace
  /** False: agents go on whatever the verdict. (Where sessions are only observed the client's answers say so.) */
  readonly obeys: boolean
  /** False: no host says itself what is in a sending; the results' fingerprints tell. */
  readonly statesEvidence: boolean
  readonly signal: AbortSignal
  readonly onSession: (performance: Performance) => void
  readonly onDecision: (decision: FleetDecision) => void
  readonly onEnd: (performance: Performance, ending: Ending) => void
  /** Told each time that the client has no room for an event; the agent tries again. */
  readonly onFull: () => void
  /** Left out where nobody reviews: what would need a human is then not run. */
  readonly submitReview: SubmitReview | undefined
}

/** How a session came out, in the simulated world. */
export interface Ending {
  readonly outcome: 'completed' | 'failed' | 'cancelled'
  /** Whether a step that ran brought it to the level `violated`: what the cascade makes of the tools alone. */
  readonly isViolated: boolean
  /** Whether something sensitive did leave: the simulation knows, whatever the labels say. */
  readonly hasLeaked: boolean
}
