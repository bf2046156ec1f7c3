import type { Decision } from '@plimsoll/contracts'
import { isRunnable } from './answers.js'
import type { StepCall } from './step-call.js'

/** Steps and tools of one session that are kept; beyond it nothing of the session may run without a verdict. */
const KEPT_MAX = 1_024

/**
 * What decisions have said must not run by itself: a step without a verdict that they speak of fails closed, whatever its fail mode. Kept for good: an
 * answer that lifts one step says nothing of the next one like it.
 */
export interface KnownStops {
  note(decision: Decision): void
  covers(call: Pick<StepCall, 'tool' | 'argumentsDigest'>): boolean
}

/** Whether a stop holds a tenant, by the latest decision on any of its sessions. Of one client. */
export interface TenantStops {
  note(decision: Decision): void
  holds(tenant: string): boolean
}

export function createKnownStops(): KnownStops {
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
