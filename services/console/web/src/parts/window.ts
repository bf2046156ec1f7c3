import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Rows drawn beyond both ends of what is seen. */
const BEYOND = 12

export interface RowWindow {
  readonly from: number
  readonly to: number
}

/** The part of `rows` rows of one height that is seen at a place of scrolling. */
export function windowAt(
  { scrollTop, clientHeight }: { readonly scrollTop: number; readonly clientHeight: number },
  rowHeight: number,
  rows: number,
): RowWindow {
  const first = Math.floor(scrollTop / rowHeight) - BEYOND
  const last = Math.ceil((scrollTop + clientHeight) / rowHeight) + BEYOND
  const from = Math.max(0, Math.min(first, rows - 1))
  return { from, to: Math.max(from, Math.min(last, rows)) }
}

/** Which rows to draw in `scroller`: a list of ten thousand costs as much as a list of fifty. */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  rows: number,
): RowWindow {
  const [view, setView] = useState({ scrollTop: 0, clientHeight: 900 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    let frame: number | undefined
    const measure = () => {
      frame = undefined
      const { scrollTop, clientHeight } = element
      setView((before) =>
        before.scrollTop === scrollTop && before.clientHeight === clientHeight
          ? before
          : { scrollTop, clientHeight },
      )
    }
    const schedule = () => {
      frame ??= requestAnimationFrame(measure)
    }
    const size = new ResizeObserver(schedule)
    size.observe(element)
    element.addEventListener('scroll', schedule, { passive: true })
    return () => {
      size.disconnect()
      element.removeEventListener('scroll', schedule)
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [scroller])
  return windowAt(view, rowHeight, rows)
}
