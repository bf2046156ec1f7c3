import type { ToolCall } from '../spans/tool-call.js'

/** A call begins, or it ends. */
export interface Moment {
  readonly call: ToolCall
  readonly is: 'begin' | 'end'
}

/**
 * Beginnings and ends of `calls` in the order in which they happened. Of those at one time the ends come first, for what begins then may
 * follow from them; but none before its own beginning.
 */
export function inOrder(calls: readonly ToolCall[]): readonly Moment[] {
  const begins = calls.toSorted((a, b) => a.span.startUs - b.span.startUs)
  const open: ToolCall[] = []
  const moments: Moment[] = []
  const endUntil = (timeUs: number): void => {
    open.sort((a, b) => a.span.endUs - b.span.endUs)
    while (open[0] && open[0].span.endUs <= timeUs) moments.push({ call: open.shift() ?? open[0], is: 'end' })
  }
  for (const call of begins) {
    endUntil(call.span.startUs)
    moments.push({ call, is: 'begin' })
    open.push(call)
  }
  endUntil(Number.POSITIVE_INFINITY)
  return moments
}
