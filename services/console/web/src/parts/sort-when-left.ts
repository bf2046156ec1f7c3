import { useEffect, useRef } from 'preact/hooks'

/** How often a list that nobody is in is sorted again. */
const SORT_MS = 3_000

/** Calls `sort` now and then while nobody points at the list or has the focus in it. */
export function useSortWhenLeft(sort: () => void, isHeld: () => boolean): void {
  const held = useRef(isHeld)
  held.current = isHeld
  useEffect(() => {
    const timer = setInterval(() => {
      if (!held.current()) sort()
    }, SORT_MS)
    return () => clearInterval(timer)
  }, [sort])
}
