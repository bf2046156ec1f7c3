import type { Answer, ProposedStep, Session, WaitOptions } from '@plimsoll/client'
import { PlimsollError, digestOf } from '@plimsoll/contracts'
import { LRUCache } from 'lru-cache'

/** Calls of a session that are remembered: twice the engine's cap of open calls. */
const CALLS_MAX = 64

interface Call {
  /** Tool and arguments. */
  readonly subject: string
  answer: Promise<Answer>
  /** Set once the answer is there. */
  known: Answer | undefined
  completion: Promise<void> | undefined
}

export type Calls = ReturnType<typeof createCalls>

/**
 * The calls of one session by the ids that their agent chose. The answer to an HTTP request can get lost, so the same request may come
 * again: it is neither proposed nor completed twice.
 */
export function createCalls(session: Session) {
  const calls = new LRUCache<string, Call>({ max: CALLS_MAX })

  function proposeNamed(callId: string, step: ProposedStep, { timeoutMs }: WaitOptions): Promise<Answer> {
    const subject = subjectOf(step)
    const earlier = calls.get(callId)
    if (earlier && mayStillRun(earlier)) {
      if (earlier.subject === subject) return earlier.known ? Promise.resolve(earlier.known) : earlier.answer
      throw new PlimsollError('call_conflict', `call \`${callId}\` is another step, which may still run`)
    }
    // Without the request's signal: a caller that hangs up may ask again.
    const answer = session.propose(step, timeoutMs === undefined ? {} : { timeoutMs })
    const call: Call = { subject, answer, known: undefined, completion: undefined }
    calls.set(callId, call)
    answer.then(
      (known) => void (call.known = known),
      () => {
        if (calls.peek(callId) === call) calls.delete(callId)
      },
    )
    return answer
  }

  async function proposeUnnamed(step: ProposedStep, terms: WaitOptions): Promise<Answer> {
    const known = await session.propose(step, terms)
    const answer = Promise.resolve(known)
    calls.set(known.callId, { subject: subjectOf(step), answer, known, completion: undefined })
    return known
  }

  return {
    /** Proposes a step, or returns the answer to the same proposal. Throws `call_conflict` if its id is another step that may still run. */
    propose: async (step: ProposedStep, terms: WaitOptions): Promise<Answer> =>
      step.callId === undefined ? proposeUnnamed(step, terms) : proposeNamed(step.callId, step, terms),
    /** Waits for a human's answer. Throws `approval_unknown` for an unknown call. */
    resolve: async (callId: string, terms: WaitOptions): Promise<Answer> => {
      const call = calls.get(callId)
      if (!call) throw new PlimsollError('approval_unknown', `call \`${callId}\` waits for no approval`)
      call.known = await session.resolution(call.known ?? (await call.answer), terms)
      return call.known
    },
    /** Runs `report`, once for each call that was proposed; again if it failed. */
    complete: async (callId: string, report: (call: Answer | undefined) => Promise<void>): Promise<void> => {
      const call = calls.get(callId)
      if (!call) return report(undefined)
      call.completion ??= report(call.known ?? (await call.answer))
      try {
        await call.completion
      } catch (error) {
        call.completion = undefined
        throw error
      }
    },
  }
}

const mayStillRun = ({ known, completion }: Call): boolean =>
  completion === undefined && (known === undefined || known.verdict !== 'block' || known.mayRun)

/** Does not throw: the session itself refuses arguments that cannot be digested. */
function subjectOf({ tool, arguments: values }: ProposedStep): string {
  try {
    return `${tool} ${digestOf(values ?? {})}`
  } catch {
    return tool
  }
}
