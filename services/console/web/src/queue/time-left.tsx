import { useNow } from '../parts/use-now.js'
import { duration, isoTime } from '../text/format.js'

/** Little time: it is marked. */
const SOON_MS = 60_000

export function TimeLeft({ expiresAt }: { readonly expiresAt: number }) {
  const left = expiresAt - useNow()
  return (
    <time class={left < SOON_MS ? 'left soon' : 'left muted'} dateTime={isoTime(expiresAt)}>
      {left > 0 ? `${duration(left)} left` : 'expired'}
    </time>
  )
}
