import type { SessionNote } from '../../../src/api.js'
import { ShownText } from '../parts/shown-text.js'
import { isoTime, timeOfDay } from '../text/format.js'

/** What people and the monitor did besides the steps. */
export function Notes({ notes }: { readonly notes: readonly SessionNote[] }) {
  if (notes.length === 0) return null
  return (
    <section class="notes">
      <h2>Besides its steps</h2>
      <ul>
        {notes.map(({ at, type, text }, index) => (
          <li key={index}>
            <time class="muted" dateTime={isoTime(at)}>
              {timeOfDay(at)}
            </time>{' '}
            <code>
              <ShownText text={type} charsMax={80} />
            </code>{' '}
            <ShownText text={text} charsMax={400} />
          </li>
        ))}
      </ul>
    </section>
  )
}
