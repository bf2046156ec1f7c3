import type { Answer, PlimsollClient } from '@plimsoll/client'
import { blindOf, type DescribeTool, type Trace } from '@plimsoll/trainer'
import { sessionIdOf } from './session-id.js'

/** How long a step waits for its verdict: a backlog is no failure here. */
const TIMEOUT_MS = 60_000

export interface PlayOptions {
  readonly client: PlimsollClient
  readonly run: string
  readonly hasCategory: boolean
  readonly describe: DescribeTool
  readonly signal: AbortSignal
  /** Told of each answer, with the time from publishing the proposal to it, milliseconds. */
  readonly onAnswer: (trace: Trace, answer: Answer, latencyMs: number) => void
}

/**
 * Plays a recorded session: every step is proposed, those that may run are completed with the recorded result. What is stopped is
 * recorded, and the recorded agent goes on: nothing can be asked of it any more. The client is given what a client has, and not what is
 * judged by.
 */
export async function playTrace(trace: Trace, options: PlayOptions): Promise<void> {
  const { client, run, hasCategory, describe, signal, onAnswer } = options
  const { category, task, steps } = blindOf(trace, describe)
  const session = await client.startSession({
    id: sessionIdOf(run, trace.trace_id),
    agent: `replay/${trace.source}`,
    task,
    ...(hasCategory && { category }),
  })
  for (const [i, { tool, description, args, result, error }] of steps.entries()) {
    const began = performance.now()
    const answer = await session.propose(
      { tool, ...(description !== undefined && { description }), arguments: args, callId: `step-${i}` },
      { timeoutMs: TIMEOUT_MS, signal },
    )
    onAnswer(trace, answer, performance.now() - began)
    if (answer.mayRun) await session.complete(answer, { outcome: error ? 'error' : 'ok', result })
  }
  await session.end('completed')
}
