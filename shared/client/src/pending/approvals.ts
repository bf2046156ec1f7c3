import { type Decision, type Handover, PlimsollError } from '@plimsoll/contracts'
import type { Answer } from '../answer.js'
import { addsTo } from '../observe/handover.js'
import type { WaitOptions } from '../session.js'
import { type Timers, type Wait, createWait } from '../wait.js'
import { answerOf, failAnswer, isRunnable } from './stop-memory.js'

/** Approval requests kept of a session. The engine lets at most 32 calls wait; the others are settled. */
const REQUESTS_MAX = 64

/** Expiry of a request whose decision states none: the policy's default. */
const TTL_MS_DEFAULT = 900_000

export interface ApprovalsOptions {
  readonly now: () => number
  readonly timers: Timers
  /** Called for each request that expires unanswered. */
  readonly onExpired: () => void
  /** What the session has learned so far. */
  readonly learned: () => Handover
  /** Ends an approved call that will not run: its session has learned something since the approval was judged. */
  readonly onOutdated: (decision: Decision) => void
}

/** `waiting` until it is `settled` (by a decision) or `over` (expired or withdrawn). */
interface ApprovalRequest {
  decision: Decision
  /** By this process's clock, which may differ from the log's: milliseconds since 1970. */
  deadline: number
  phase: 'waiting' | 'settled' | 'over'
  outcome: Answer | undefined
  /** What the session had learned when the outcome came. */
  learned: Handover | undefined
  /** The key of its step, if its caller has left it waiting and has not asked for the step again. */
  left: string | undefined
  readonly waits: Set<Wait<Answer>>
  cancelTimer: () => void
}

export type Approvals = ReturnType<typeof createApprovals>

/** The approval requests of one session and their outcomes. */
export function createApprovals({ now, timers, onExpired, learned, onOutdated }: ApprovalsOptions) {
  const requests = new Map<string, ApprovalRequest>()

  function put(decision: Decision): ApprovalRequest {
    const request: ApprovalRequest = {
      decision,
      deadline: now() + remainingMs(decision),
      phase: 'waiting',
      outcome: undefined,
      learned: undefined,
      left: undefined,
      waits: new Set(),
      cancelTimer: () => {},
    }
    requests.delete(decision.callId)
    if (requests.size >= REQUESTS_MAX) dropOldest(requests)
    requests.set(decision.callId, request)
    return request
  }

  function finish(request: ApprovalRequest, phase: 'settled' | 'over', outcome: Answer): void {
    request.cancelTimer()
    request.phase = phase
    request.outcome = outcome
    if (outcome.mayRun) request.learned = levelsOf(learned())
    for (const wait of request.waits) wait.answer(outcome)
    request.waits.clear()
  }

  function giveUp(request: ApprovalRequest): void {
    if (request.phase === 'waiting')
      finish(request, 'over', failAnswer(request.decision, 'closed', request.decision))
  }

  function expire(request: ApprovalRequest): void {
    if (request.phase !== 'waiting') return
    giveUp(request)
    onExpired()
  }

  function arm(request: ApprovalRequest): void {
    request.cancelTimer()
    request.cancelTimer = timers.after(Math.max(0, request.deadline - now()), () => expire(request))
  }

  async function waitFor(request: ApprovalRequest, { timeoutMs, signal }: WaitOptions): Promise<Answer> {
    if (now() >= request.deadline) expire(request)
    if (request.outcome) return request.outcome
    if (timeoutMs !== undefined && timeoutMs <= 0) return answerOf(request.decision)
    const onTimeout = () => answerOf(request.decision)
    const wait = createWait<Answer>({ timers, timeoutMs, signal, onTimeout })
    request.waits.add(wait)
    if (request.waits.size === 1) arm(request)
    try {
      return await wait.promise
    } finally {
      request.waits.delete(wait)
      if (request.waits.size === 0) request.cancelTimer()
    }
  }

  /** Whether its step may still run if it is asked for again. */
  const isOpen = ({ left, outcome, deadline }: ApprovalRequest) =>
    left !== undefined && (outcome?.mayRun ?? true) && now() < deadline

  return {
    /** Notes that the caller has left the request waiting, so that the step of `key` can be asked for again; undefined: no more. */
    leave: (callId: string, key: string | undefined): void => {
      const request = requests.get(callId)
      if (request) request.left = key
    },
    /**
     * The request of a step that was left waiting, once; whether it was answered since says `wait`. Undefined if it has expired, and if it
     * was approved and the session has learned since what the approval was not judged by: the step must be proposed again. `relative`: what
     * another session has learned, which comes with the step.
     */
    take: (tool: string, keyOf: () => string, relative?: Handover): Answer | undefined => {
      for (const request of requests.values()) {
        const { left, decision, deadline } = request
        if (left === undefined || decision.tool !== tool || now() >= deadline || left !== keyOf()) continue
        request.left = undefined
        const { learned: judged } = request
        const known = [learned(), ...(relative ? [relative] : [])]
        if (!judged || !known.some((each) => addsTo(judged, levelsOf(each)))) return answerOf(decision)
        onOutdated(decision)
      }
      return undefined
    },
    isLeft: (callId: string): boolean => {
      const request = requests.get(callId)
      return request !== undefined && isOpen(request)
    },
    areLeft: (): boolean => [...requests.values()].some(isOpen),
    /** Notes a decision that requests an approval. */
    ask: (decision: Decision): void => void put(decision),
    /** Notes such a decision for a step that was given up: any approval comes too late. */
    askedTooLate: (decision: Decision): void => giveUp(put(decision)),
    /** Takes the decision on an approval; false if it comes too late for its step to run. */
    settle: (decision: Decision): boolean => {
      const request = requests.get(decision.callId)
      if (request?.phase !== 'waiting') return false
      if (decision.verdict !== 'confirm' || isRunnable(decision)) {
        finish(request, 'settled', answerOf(decision))
        return true
      }
      request.decision = decision
      request.deadline = now() + remainingMs(decision)
      if (request.waits.size > 0) arm(request)
      return true
    },
    isAwaited: (callId: string): boolean => requests.get(callId)?.phase === 'waiting',
    /** Rejects with `approval_unknown` and with the signal's reason. */
    wait: async (answer: Answer, options: WaitOptions = {}): Promise<Answer> => {
      options.signal?.throwIfAborted()
      if (answer.mayRun || answer.by !== 'decision' || answer.verdict !== 'confirm') return answer
      const request = requests.get(answer.callId)
      if (!request)
        throw new PlimsollError('approval_unknown', `call \`${answer.callId}\` waits for no approval`)
      const outcome = await waitFor(request, options)
      // Handed out once: an approval is for one run, a denial blocks once.
      if (request.outcome) request.left = undefined
      return outcome
    },
    /** Answers `block` to everything that waits. */
    close: (): void => requests.forEach(giveUp),
  }
}

/** Without fingerprints: the arguments of a step that was approved are from before, and match nothing new. */
const levelsOf = (handover: Handover): Handover => ({
  ...handover,
  inherits: { ...handover.inherits, fingerprints: undefined },
})

/** How long an approval may take after the decision's arrival. Uses differences of the log's clock only. */
function remainingMs({ expiresAt, time }: Decision): number {
  return expiresAt === undefined ? TTL_MS_DEFAULT : expiresAt - time
}

/** Drops the oldest request that does not wait any more, else the oldest. */
function dropOldest(requests: Map<string, ApprovalRequest>): void {
  const [oldest] = requests.keys()
  const [done = oldest] = [...requests].find(([, { phase }]) => phase !== 'waiting') ?? []
  if (done !== undefined) requests.delete(done)
}
