import { digestOf } from '@plimsoll/contracts'
import type { Answer, ProposedStep, Session } from '../session.js'
import { createRecent } from './recent.js'
import { argumentsOf, callIdOf, type AdapterOptions } from './step.js'

/** Beyond so many calls that were asked about and did not run, the oldest are forgotten, and asked about anew if they run after all. */
const CALLS_MAX = 1_024

/** A call as its framework names it. */
export interface FrameworkCall {
  readonly callId: string
  readonly tool: string
  readonly input: unknown
  readonly description?: string | undefined
  /** Whether it runs in a later turn than that in which it was asked about. */
  readonly isResumed?: boolean
}

export interface AskedCallsOptions extends AdapterOptions {
  /**
   * Has the answer's `confirm` approved, for whoever uses the framework's own way to ask its user has approved the call. Where it is
   * left out the deployment's approvers are waited for.
   */
  readonly approve?: ((answer: Answer) => Promise<unknown>) | undefined
}

/** The calls of one session in a framework that asks before a call runs, perhaps more than once, and then runs it. */
export interface AskedCalls {
  /**
   * The answer before the call runs, asked for once for the same call with the same input. Waits for no human and for no other call,
   * unless `patiently`.
   */
  before(call: FrameworkCall, patiently?: 'patiently'): Promise<Answer>
  /** Notes that the framework asks its user whether the call may run. */
  shown(callId: string): void
  /**
   * The answer to run the call by: what was asked before it, once those it waits for have answered. A call whose input is not what
   * was asked about is asked about anew, and what a user said to the other input counts for nothing.
   */
  toRun(call: FrameworkCall, signal: AbortSignal | undefined): Promise<Answer>
}

interface Asked {
  readonly digest: string
  readonly answer: Promise<Answer>
  isShown: boolean
}

/** By the session, for an application may begin its next turn, in which its user has answered, with adapters of its own. */
const callsBySession = new WeakMap<Session, Map<string, Asked>>()

function callsOf(session: Session): Map<string, Asked> {
  const known = callsBySession.get(session)
  const calls = known ?? createRecent<string, Asked>(CALLS_MAX)
  if (!known) callsBySession.set(session, calls)
  return calls
}

export function createAskedCalls(session: Session, options: AskedCallsOptions): AskedCalls {
  const { approve, ...terms } = options
  const impatient = { ...terms, approvalMs: 0, prerequisitesMs: 0 }
  const calls = callsOf(session)

  async function before(call: FrameworkCall, patiently?: 'patiently'): Promise<Answer> {
    const step = stepOf(call)
    const digest = digestOf(step.arguments)
    const known = calls.get(call.callId)
    if (known?.digest === digest) return known.answer
    const answer = session.ask(known ? anew(step) : step, patiently ? terms : impatient)
    calls.set(call.callId, { digest, answer, isShown: false })
    // Whoever waits for it is told; a question that failed is none.
    answer.catch(() => calls.delete(call.callId))
    return answer
  }

  async function toRun(call: FrameworkCall, signal: AbortSignal | undefined): Promise<Answer> {
    const step = stepOf(call)
    const known = calls.get(call.callId)
    calls.delete(call.callId)
    const askAnew = (asked: ProposedStep) => session.ask(asked, { ...terms, signal })
    if (!known) return askAnew(step)
    if (known.digest !== digestOf(step.arguments)) return askAnew(anew(step))
    const answer = await known.answer
    if (answer.mayRun && call.isResumed !== true) return answer
    if (answer.mayRun) {
      // Much may have been done since, and the session may be over. The first proposal ran nothing.
      await session.complete(answer, { outcome: 'error' })
      return askAnew(anew(step))
    }
    if (answer.verdict === 'confirm') return heard(answer, known.isShown, signal)
    return isFinal(answer) ? answer : askAnew(step)
  }

  async function heard(asked: Answer, isShown: boolean, signal: AbortSignal | undefined): Promise<Answer> {
    if (isShown && approve) await approve(asked)
    return session.resolution(asked, { timeoutMs: terms.approvalMs, signal })
  }

  return {
    before,
    shown: (callId) => {
      const asked = calls.get(callId)
      if (asked) asked.isShown = true
    },
    toRun,
  }
}

/** Whether nothing but another step would change the answer. What has to wait for another call is asked about again. */
export const isFinal = ({ verdict, decision }: Answer): boolean =>
  verdict === 'block' && (decision?.waitFor ?? []).length === 0

/** A second question about one call of the framework: the id is that of the first, which may still be open. */
function anew(step: ProposedStep): ProposedStep {
  const { callId: _, ...rest } = step
  return rest
}

const stepOf = ({ callId, tool, input, description }: FrameworkCall): ProposedStep => ({
  tool,
  arguments: argumentsOf(input),
  ...callIdOf(callId),
  ...(description !== undefined && { description }),
})
