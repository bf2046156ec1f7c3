import { digestOf, PlimsollError } from '@plimsoll/contracts'
import type { Answer, ProposedStep, Session } from '@plimsoll/client'

/** Calls of a session that are remembered: twice as many as the engine lets be open. */
const CALLS_MAX = 64

export interface Patience {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * The calls of one session, by the ids that their agent chose: over HTTP the answer to a request can get lost, and the same request
 * comes again. What was asked once is not asked twice, and what ran is not told twice.
 */
export interface Calls {
  /** Proposes, or gives the answer to the same proposal. Throws `call_conflict` where the id stands for another step that may still run. */
  propose(step: ProposedStep, patience: Patience): Promise<Answer>
  /** Waits where a human is asked. Throws `approval_unknown` for a call that is not remembered. */
  resolve(callId: string, patience: Patience): Promise<Answer>
  /** Runs `tell`, once for each call that was asked about. */
  complete(callId: string, tell: (call: Answer | undefined) => Promise<void>): Promise<void>
}

interface Call {
  /** What was asked: tool and arguments. */
  readonly subject: string
  answer: Promise<Answer>
  /** Once it is known. */
  known: Answer | undefined
  completion: Promise<void> | undefined
}

export function createCalls(session: Session): Calls {
  const calls = new Map<string, Call>()

  function keep(callId: string, call: Call): void {
    calls.delete(callId)
    calls.set(callId, call)
    if (calls.size <= CALLS_MAX) return
    for (const oldest of calls.keys()) if (calls.delete(oldest)) return
  }

  /** From now on `answer` is what is known of the call. An answer that does not come leaves nothing behind. */
  function follow(callId: string, call: Call, answer: Promise<Answer>): Promise<Answer> {
    call.answer = answer
    answer.then(
      (known) => void (call.known = known),
      () => {
        if (!call.known && calls.get(callId) === call) calls.delete(callId)
      },
    )
    return answer
  }

  function proposeNamed(callId: string, step: ProposedStep, { timeoutMs }: Patience): Promise<Answer> {
    const subject = subjectOf(step)
    const earlier = calls.get(callId)
    if (earlier && mayStillRun(earlier)) {
      if (earlier.subject === subject) return earlier.known ? Promise.resolve(earlier.known) : earlier.answer
      throw new PlimsollError('call_conflict', `call \`${callId}\` is another step, which may still run`)
    }
    // Whoever hangs up may ask again: the signal of one request is not that of the call.
    const answer = session.propose(step, timeoutMs === undefined ? {} : { timeoutMs })
    const call: Call = { subject, answer, known: undefined, completion: undefined }
    keep(callId, call)
    return follow(callId, call, answer)
  }

  async function proposeUnnamed(step: ProposedStep, patience: Patience): Promise<Answer> {
    const answer = await session.propose(step, patience)
    const known = Promise.resolve(answer)
    keep(answer.callId, { subject: subjectOf(step), answer: known, known: answer, completion: undefined })
    return answer
  }

  return {
    propose: async (step, patience) =>
      step.callId === undefined ? proposeUnnamed(step, patience) : proposeNamed(step.callId, step, patience),
    resolve: async (callId, patience) => {
      const call = calls.get(callId)
      if (!call) throw new PlimsollError('approval_unknown', `call \`${callId}\` waits for no approval`)
      const resolved = await session.resolution(call.known ?? (await call.answer), patience)
      call.known = resolved
      return resolved
    },
    complete: async (callId, tell) => {
      const call = calls.get(callId)
      if (!call) return tell(undefined)
      call.completion ??= tell(call.known ?? (await call.answer))
      try {
        await call.completion
      } catch (error) {
        // It has not been told: it may be told again.
        call.completion = undefined
        throw error
      }
    },
  }
}

const mayStillRun = ({ known, completion }: Call): boolean =>
  completion === undefined && (known === undefined || known.verdict !== 'block' || known.mayRun)

/** Throws nothing: what cannot be digested is refused by the session itself. */
function subjectOf({ tool, arguments: values }: ProposedStep): string {
  try {
    return `${tool} ${digestOf(values ?? {})}`
  } catch {
    return tool
  }
}
