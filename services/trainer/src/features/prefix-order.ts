import type { BlindStep, BlindTrace } from '../traces/blind.js'

/** A session in an order in which those that begin alike follow each other. */
export interface Placed {
  /** Its place among the sessions. */
  readonly n: number
  /** The session before it, where that has the same task and category. */
  readonly after: number | undefined
  /** How many steps it begins with that are those of `after`, one by one the same object. */
  readonly shared: number
}

/** Sessions by task, category and steps. */
export function inPrefixOrder(traces: readonly BlindTrace[]): Placed[] {
  const numbers = new Map<BlindStep | string, number>()
  const numberOf = (one: BlindStep | string): number => {
    const known = numbers.get(one) ?? numbers.size
    numbers.set(one, known)
    return known
  }
  const keys = traces.map(({ category, task, steps }) =>
    Int32Array.from([numberOf(JSON.stringify([category, task])), ...steps.map(numberOf)]),
  )
  const order = [...keys.keys()].sort((a, b) => compare(keys[a] ?? NONE, keys[b] ?? NONE) || a - b)
  return order.map((n, at): Placed => {
    const after = order[at - 1]
    const alike = after === undefined ? 0 : alikeIn(keys[after] ?? NONE, keys[n] ?? NONE)
    return alike === 0 ? { n, after: undefined, shared: 0 } : { n, after, shared: alike - 1 }
  })
}

const NONE = new Int32Array()

function compare(a: Int32Array, b: Int32Array): number {
  const at = alikeIn(a, b)
  return (a[at] ?? -1) - (b[at] ?? -1)
}

/** How many they begin with that are the same. */
function alikeIn(a: Int32Array, b: Int32Array): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return at
}
