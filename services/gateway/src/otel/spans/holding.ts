import type { ToolCall } from './tool-call.js'

/**
 * Runs of tools that wait for what belongs before them: exporters send in batches, each process its own, so that spans come out of order
 * by seconds. What has begun before a call that is given up is given up with it.
 */
export interface Holding {
  add(call: ToolCall, nowMs: number): void
  /** Takes out what has waited long enough, in the order in which it began. */
  due(nowMs: number): readonly ToolCall[]
  /** Takes out everything, in that order. */
  all(): readonly ToolCall[]
  size(): number
}

interface Held {
  readonly call: ToolCall
  readonly sinceMs: number
}

export function createHolding(holdMs: number): Holding {
  const byTrace = new Map<string, Held[]>()
  let size = 0

  function take(isDue: (held: readonly Held[]) => readonly Held[]): readonly ToolCall[] {
    const taken: ToolCall[] = []
    for (const [traceId, held] of byTrace) {
      const due = new Set(isDue(held))
      if (due.size === 0) continue
      for (const { call } of due) taken.push(call)
      const left = held.filter((each) => !due.has(each))
      if (left.length > 0) byTrace.set(traceId, left)
      else byTrace.delete(traceId)
    }
    size -= taken.length
    return taken.sort(byStart)
  }

  return {
    add: (call, sinceMs) => {
      const { traceId } = call.span
      const held = byTrace.get(traceId) ?? []
      held.push({ call, sinceMs })
      byTrace.set(traceId, held)
      size++
    },
    due: (nowMs) =>
      take((held) => {
        const last = Math.max(...held.filter(({ sinceMs }) => nowMs - sinceMs >= holdMs).map(startOf))
        return held.filter((each) => startOf(each) <= last)
      }),
    all: () => take((held) => held),
    size: () => size,
  }
}

const startOf = ({ call }: Held): number => call.span.startUs

/**
 * Some SDKs begin spans at whole milliseconds and measure their ends: of two that began at once, the one that came first goes first, for
 * spans are exported as they end.
 */
const byStart = (a: ToolCall, b: ToolCall): number => a.span.startUs - b.span.startUs
