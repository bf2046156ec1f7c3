import { useCallback, useRef, useState } from 'preact/hooks'

/**
 * The order of a list that people read while it changes. Rows keep their place; new ones come after the others, and rows that are gone are
 * left out. A new order is taken on request, or by `sort` where nobody is in the list.
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
  /** For the element of the list: whether somebody points at it or has the focus in it. */
  readonly hold: {
    readonly onPointerEnter: () => void
    readonly onPointerLeave: () => void
    readonly onFocusIn: () => void
    readonly onFocusOut: () => void
  }
  readonly isHeld: () => boolean
}

/** @param fresh ids in the order of now */
export function useSteadyOrder(fresh: readonly string[]): SteadyOrder {
  const [shown, setShown] = useState<readonly string[]>(fresh)
  const latest = useRef(fresh)
  latest.current = fresh
  const isPointed = useRef(false)
  const isFocused = useRef(false)
  const order = mergeOrder(shown, fresh)
  const sort = useCallback(() => setShown(latest.current), [])
  const set = (flag: { current: boolean }, value: boolean) => () => {
    flag.current = value
  }
  return {
    order,
    moved: movedIn(order, fresh),
    sort,
    hold: {
      onPointerEnter: set(isPointed, true),
      onPointerLeave: set(isPointed, false),
      onFocusIn: set(isFocused, true),
      onFocusOut: set(isFocused, false),
    },
    isHeld: () => isPointed.current || isFocused.current,
  }
}
