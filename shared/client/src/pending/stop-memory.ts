import type { Decision } from '@plimsoll/contracts'
import type { StepCall } from '../observe/lineage.js'
import type { Answer } from '../session.js'

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

/** Steps and tools of one session that are kept; beyond it nothing of the session may run without a verdict. */
const KEPT_MAX = 1_024

/**
 * What decisions have said must not run by itself: a step without a verdict that they speak of fails closed, whatever its fail mode. Kept for good: an
 * answer that lifts one step says nothing of the next one like it.
 */
export interface StopMemory {
  note(decision: Decision): void
  covers(call: Pick<StepCall, 'tool' | 'argumentsDigest'>): boolean
}

/** Whether a stop holds a tenant, by the latest decision on any of its sessions. Of one client. */
export interface TenantStops {
  note(decision: Decision): void
  holds(tenant: string): boolean
}

export function createStopMemory(): StopMemory {
  const steps = new Set<string>()
  const tools = new Set<string>()
  let isFull = false

  function add(set: Set<string>, entry: string): void {
    if (set.size < KEPT_MAX) set.add(entry)
    else if (!set.has(entry)) isFull = true
  }

  return {
    note: (decision) => {
      const { tool, argumentsDigest, verdict, reasons } = decision
      if (isRunnable(decision) || (verdict !== 'block' && verdict !== 'confirm')) return
      // What names no arguments may name them all.
      if (reasons.some(({ source, liftedBy }) => source === 'blocklist' && liftedBy === undefined))
        add(tools, tool)
      add(steps, nameOf(tool, argumentsDigest))
    },
    covers: ({ tool, argumentsDigest }) =>
      isFull || tools.has(tool) || steps.has(nameOf(tool, argumentsDigest)),
  }
}

export function createTenantStops(): TenantStops {
  /** By tenant, the log's time of the decision that told of its stop, or of its end. */
  const known = new Map<string, { readonly time: number; readonly isStopped: boolean }>()
  return {
    note: ({ tenant, time, kind, reasons }) => {
      const isStopped = reasons.some(({ source }) => source === 'stop')
      const earlier = known.get(tenant)
      if (!isStopped && (!earlier || kind === 'refusal' || kind === 'repeat')) return
      if (earlier && earlier.time > time) return
      known.set(tenant, { time, isStopped })
    },
    holds: (tenant) => known.get(tenant)?.isStopped ?? false,
  }
}

const nameOf = (tool: string, digest: string): string => `${tool} ${digest}`
