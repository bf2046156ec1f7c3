import type { RefObject } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

/**
 * The order of a list that people read while it changes. Rows keep their place; new ones come after the others, and rows that are gone are
 * left out.
 */
export function mergeOrder(shown: readonly string[], fresh: readonly string[]): readonly string[] {
  const present = new Set(fresh)
  const kept = shown.filter((id) => present.has(id))
  if (kept.length === fresh.length && kept.length === shown.length) return shown
  const known = new Set(kept)
  return [...kept, ...fresh.filter((id) => !known.has(id))]
}

/** How many of `fresh` stand at another place in `shown`. */
export const movedIn = (shown: readonly string[], fresh: readonly string[]): number =>
  fresh.reduce((moved, id, at) => moved + (shown[at] === id ? 0 : 1), 0)

export interface SteadyOrder {
  readonly order: readonly string[]
  /** Rows that a new order would move. */
  readonly moved: number
  readonly sort: () => void
}

/** How often a list that nobody is in is sorted again. */
const SORT_MS = 3_000

/**
 * @param fresh ids in the order of now
 * @param list its element: while somebody points at it or has the focus in it, rows keep their place
 */
export function useSteadyOrder(fresh: readonly string[], list: RefObject<HTMLElement | null>): SteadyOrder {
  const [shown, setShown] = useState<readonly string[]>(fresh)
  const latest = useRef(fresh)
  latest.current = fresh
  const order = mergeOrder(shown, fresh)
  const sort = useCallback(() => setShown(latest.current), [])
  useEffect(() => {
    const timer = setInterval(() => {
      const { current } = list
      if (!current?.matches(':hover') && !current?.contains(document.activeElement)) sort()
    }, SORT_MS)
    return () => clearInterval(timer)
  }, [list, sort])
  return { order, moved: movedIn(order, fresh), sort }
}
