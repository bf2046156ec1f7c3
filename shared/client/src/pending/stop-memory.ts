import type { Decision } from '@plimsoll/contracts'
import type { StepCall } from '../observe/handover-tracker.js'
import type { Answer } from '../answer.js'

export type CallName = Pick<Answer, 'callId' | 'tool'>

/** The answer that `decision` gives. */
export function answerOf(decision: Decision): Answer {
  const { callId, tool, verdict } = decision
  return { callId, tool, verdict, mayRun: isRunnable(decision), by: 'decision', decision }
}

/** The fail mode's answer; `asked` is the decision whose approval request expired. */
export function failAnswer({ callId, tool }: CallName, mode: 'open' | 'closed', asked?: Decision): Answer {
  if (mode === 'open') return { callId, tool, verdict: 'allow', mayRun: true, by: 'fail_open' }
  const closed: Answer = { callId, tool, verdict: 'block', mayRun: false, by: 'fail_closed' }
  return asked ? { ...closed, decision: asked } : closed
}

/** The answer to a step of a client that only observes. */
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

/** Steps and tools kept of a session. Beyond that, nothing of the session runs without a verdict. */
const KEPT_MAX = 1_024

/**
 * Steps that decisions of one session have blocked: without a verdict they fail closed, whatever their fail mode. Kept for the whole
 * session, because an approval of one step says nothing about the next one like it.
 */
export function createStopMemory() {
  const steps = new Set<string>()
  const tools = new Set<string>()
  let isFull = false

  function add(set: Set<string>, entry: string): void {
    if (set.size < KEPT_MAX) set.add(entry)
    else if (!set.has(entry)) isFull = true
  }

  return {
    note: (decision: Decision): void => {
      const { tool, argumentsDigest, verdict, reasons } = decision
      if (isRunnable(decision) || (verdict !== 'block' && verdict !== 'confirm')) return
      // A blocklist may match the tool whatever its arguments.
      if (reasons.some(({ source, liftedBy }) => source === 'blocklist' && liftedBy === undefined))
        add(tools, tool)
      add(steps, `${tool} ${argumentsDigest}`)
    },
    covers: ({ tool, argumentsDigest }: Pick<StepCall, 'tool' | 'argumentsDigest'>): boolean =>
      isFull || tools.has(tool) || steps.has(`${tool} ${argumentsDigest}`),
  }
}

/** Whether a tenant is stopped, by the latest decision on any session of one client. */
export function createTenantStops() {
  /** By tenant, the log's time of the decision that showed the stop or its end. */
  const known = new Map<string, { readonly time: number; readonly isStopped: boolean }>()
  return {
    note: ({ tenant, time, kind, reasons }: Decision): void => {
      const isStopped = reasons.some(({ source }) => source === 'stop')
      const earlier = known.get(tenant)
      if (!isStopped && (!earlier || kind === 'refusal' || kind === 'repeat')) return
      if (earlier && earlier.time > time) return
      known.set(tenant, { time, isStopped })
    },
    holds: (tenant: string): boolean => known.get(tenant)?.isStopped ?? false,
  }
}
