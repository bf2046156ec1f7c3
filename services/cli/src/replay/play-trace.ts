import type { Answer, PlimsollClient } from '@plimsoll/client'
import type { Trace } from '@plimsoll/trainer'
import { sessionIdOf } from './session-id.js'

/** How long a step waits for its verdict: a backlog is no failure here. */
const TIMEOUT_MS = 60_000

export interface PlayOptions {
  readonly client: PlimsollClient
  readonly run: string
  readonly hasCategory: boolean
  readonly signal: AbortSignal
  /** Told of each answer, with the time from publishing the proposal to it, milliseconds. */
  readonly onAnswer: (trace: Trace, answer: Answer, latencyMs: number) => void
}

/**
 * Plays a recorded session: every step is proposed, those that may run are completed. What is stopped is recorded, and the recorded
 * agent goes on: nothing can be asked of it any more.
 */
export async function playTrace(trace: Trace, options: PlayOptions): Promise<void> {
  const { client, run, hasCategory, signal, onAnswer } = options
  const { category_hint: category, source } = trace
  const session = await client.startSession({
    id: sessionIdOf(run, trace.trace_id),
    agent: `replay/${source}`,
    ...(hasCategory && { category }),
  })
  for (const { i, tool, args = {}, error, executed } of trace.steps) {
    const began = performance.now()
    const answer = await session.propose(
      { tool, arguments: args, callId: `step-${i}` },
      { timeoutMs: TIMEOUT_MS, signal },
    )
    onAnswer(trace, answer, performance.now() - began)
    const outcome = error === true || executed === false ? 'error' : 'ok'
    if (answer.mayRun) await session.complete(answer, { outcome })
  }
  await session.end('completed')
}
