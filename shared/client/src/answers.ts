import type { Decision } from '@plimsoll/contracts'
import type { Answer } from './session.js'

/** The call that an answer speaks of. */
export interface CallName {
  readonly callId: string
  readonly tool: string
}

/** What `decision` lets its step do: anything, where it is only observed. */
export function answerOf(decision: Decision): Answer {
  const { callId, tool, verdict } = decision
  return { callId, tool, verdict, mayRun: isRunnable(decision), by: 'decision', decision }
}

/** The answer for want of a decision; `asked` is the one that nobody answered. */
export function failAnswer({ callId, tool }: CallName, mode: 'open' | 'closed', asked?: Decision): Answer {
  if (mode === 'open') return { callId, tool, verdict: 'allow', mayRun: true, by: 'fail_open' }
  const closed: Answer = { callId, tool, verdict: 'block', mayRun: false, by: 'fail_closed' }
  return asked ? { ...closed, decision: asked } : closed
}

/** The answer to a step that nobody waits for. */
export const observedAnswer = ({ callId, tool }: CallName): Answer => ({
  callId,
  tool,
  verdict: 'allow',
  mayRun: true,
  by: 'observe',
})

export function isRunnable({ mode, verdict }: Pick<Decision, 'mode' | 'verdict'>): boolean {
  return mode === 'observe' || verdict === 'allow' || verdict === 'warn'
}
