import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, PlimsollClient, Session } from '@plimsoll/client'
import type { Decision } from '@plimsoll/contracts'
import type { Performance } from './playbill.js'
import { createRandom } from './random.js'
import type { Review, ScriptedStep } from './scenario.js'

/** Told of every answer: to the proposal first, and once more where a human was asked. */
export interface FleetDecision {
  readonly sessionId: string
  readonly performance: Performance
  readonly step: ScriptedStep
  readonly answer: Answer
  readonly answers: 'proposal' | 'review'
}

/** Hands a reviewer's answer to whoever decides; the agent then waits for what comes of it. */
export type SubmitReview = (decision: Decision, review: Review) => Promise<void>

export interface AgentOptions {
  readonly client: PlimsollClient
  /** What the ids of the fleet's sessions begin with. */
  readonly name: string
  /** Mean pause before each step, milliseconds; it varies by half. */
  readonly pauseMs: number
  readonly signal: AbortSignal
  readonly onSession: (performance: Performance) => void
  readonly onDecision: (decision: FleetDecision) => void
  /** Left out where nobody reviews: what would need a human is then not run. */
  readonly submitReview: SubmitReview | undefined
}

/** Where the script foresees no question, a human who does not know the task says no. */
const UNFORESEEN: Review = { resolution: 'denied', by: 'the night desk', reason: 'nobody here knows of this' }

/** How often one step may be asked about: an approval is judged again, and may turn up another question. */
const REVIEWS_MAX = 3

/** Plays one session to its end, or to the abort. */
export async function playSession(performance: Performance, options: AgentOptions): Promise<void> {
  const { client, name, signal } = options
  const { scenario, variant, number } = performance
  const { category, task } = scenario
  const id = `${name}:${scenario.name}:${variant}:${number}`
  const session = await client.startSession({ id, category, task, agent: `${name}/agent` })
  options.onSession(performance)
  const hasFinished = await playSteps(session, performance, options).catch((error: unknown) => {
    // Aborted while it waited for an answer: the step under way does not run.
    if (signal.aborted) return false
    throw error
  })
  await session.end(signal.aborted ? 'cancelled' : hasFinished ? 'completed' : 'failed')
}

/** Whether the script was played to its end. */
async function playSteps(
  session: Session,
  performance: Performance,
  options: AgentOptions,
): Promise<boolean> {
  const random = createRandom(performance.seed)
  const { scenario, variant } = performance
  for (const [i, step] of scenario.steps[variant].entries()) {
    await pause(options.pauseMs * (0.5 + random()), options.signal)
    if (options.signal.aborted) return false
    const report = (answer: Answer, answers: FleetDecision['answers']) =>
      options.onDecision({ sessionId: session.id, performance, step, answer, answers })
    const answer = await askToRun(session, `call-${i + 1}`, step, report, options)
    if (answer.mayRun) await session.complete(answer, step.result)
    else if (step.whenStopped === 'give up') return false
  }
  return true
}

type Report = (answer: Answer, answers: FleetDecision['answers']) => void

async function askToRun(
  session: Session,
  callId: string,
  step: ScriptedStep,
  report: Report,
  options: AgentOptions,
): Promise<Answer> {
  const { tool, arguments: args, labels, evidence } = step
  const proposal = {
    tool,
    callId,
    ...(args && { arguments: args }),
    ...(labels && { labels }),
    ...(evidence && { evidence }),
  }
  const answer = await session.propose(proposal, { signal: options.signal })
  report(answer, 'proposal')
  return options.submitReview
    ? askHuman(session, answer, step, report, options.submitReview, options.signal)
    : answer
}

async function askHuman(
  session: Session,
  asked: Answer,
  step: ScriptedStep,
  report: Report,
  submitReview: SubmitReview,
  signal: AbortSignal,
): Promise<Answer> {
  let answer = asked
  for (let reviews = 0; reviews < REVIEWS_MAX && !signal.aborted; reviews++) {
    if (answer.verdict !== 'confirm' || !answer.decision) break
    const submitted = submitReview(answer.decision, step.review ?? UNFORESEEN)
    const [resolved] = await Promise.all([session.resolution(answer, { signal }), submitted])
    answer = resolved
    report(answer, 'review')
  }
  return answer
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return
  // An abort ends the pause early; whoever paused looks at the signal next.
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
