import type { RefObject } from 'preact'
import { useKeys } from './keys.js'

/** Moves the focus among the elements of `list` that match `selector`: `j` and `k`, from wherever the focus is. */
export function useListKeys(list: RefObject<HTMLElement | null>, selector: string): void {
  const move = (by: 1 | -1) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])]
    const at = items.findIndex((item) => item.contains(document.activeElement))
    const next = at < 0 ? (by > 0 ? 0 : items.length - 1) : at + by
    const item = items[Math.min(Math.max(next, 0), items.length - 1)]
    item?.focus()
    item?.scrollIntoView({ block: 'nearest' })
  }
  useKeys({ j: () => move(1), k: () => move(-1) })
}
