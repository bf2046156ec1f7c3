import { useEffect, useRef, useState } from 'preact/hooks'
import type { LiveState } from '../api/live.js'
import { timeOfDay } from '../text/format.js'

/** How long the page says that it is connected again. */
const BACK_MS = 8_000

type Shown = { readonly kind: 'none' } | { readonly kind: 'lost' | 'back'; readonly text: string }

/** Says when the connection is lost and when it is back, and whether anything was missed meanwhile. */
export function Banner({ live, gaps }: { readonly live: LiveState; readonly gaps: number }) {
  const [shown, setShown] = useState<Shown>({ kind: 'none' })
  const lostAtGap = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (live.kind === 'lost') {
      lostAtGap.current = gaps
      const since = timeOfDay(live.since)
      setShown({
        kind: 'lost',
        text: `Connection lost at ${since}: what you see may be out of date. Trying again.`,
      })
      return undefined
    }
    if (live.kind !== 'live' || lostAtGap.current === undefined) return undefined
    const isGap = gaps > lostAtGap.current
    lostAtGap.current = undefined
    setShown({
      kind: 'back',
      text: isGap
        ? 'Connected again. Everything was fetched again, as events may have been missed.'
        : 'Connected again. No event was missed.',
    })
    const timer = setTimeout(() => setShown({ kind: 'none' }), BACK_MS)
    return () => clearTimeout(timer)
  }, [live])
  return (
    <div role="alert" class={`banner ${shown.kind}`}>
      {shown.kind !== 'none' && shown.text}
    </div>
  )
}
