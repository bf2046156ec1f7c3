import type { Controls } from '../../../src/api.js'
import { controlsLink } from '../parts/route.js'
import { scopeWords } from './scopes.js'

/** On every view while somebody is stopped. */
export function StopBanner({ controls }: { readonly controls: Controls | undefined }) {
  const stops = controls?.settings.filter(({ setting }) => setting === 'stop') ?? []
  const [first] = stops
  if (first === undefined) return null
  return (
    <p class="banner stopped">
      ■ Stopped: <a href={controlsLink(first)}>{scopeWords(first)}</a>
      {stops.length > 1 && ` and ${stops.length - 1} more`}
    </p>
  )
}
