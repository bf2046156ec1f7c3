import { useEffect, useState } from 'preact/hooks'

/** What the address shows. Addresses are links that people send to each other, so they name no secret. */
export type Route =
  | { readonly view: 'fleet' }
  | { readonly view: 'queue'; readonly decisionId?: string }
  | { readonly view: 'session'; readonly sessionId: string; readonly step?: string }

export const FLEET_LINK = '#/fleet'
export const QUEUE_LINK = '#/queue'
/** @param step its number; or the id of its event or decision, as blocked steps have the number of the step that follows */
export const sessionLink = (sessionId: string, step?: string): string =>
  `#/session/${encodeURIComponent(sessionId)}${step === undefined ? '' : `/${encodeURIComponent(step)}`}`
export const questionLink = (decisionId: string): string => `#/queue/${encodeURIComponent(decisionId)}`

/** The view of a fragment such as `#/session/s1/4`; the fleet where it names none. */
export function parseRoute(fragment: string): Route {
  const [view, id, step] = fragment.replace(/^#\/?/, '').split('/').map(decoded)
  if (view === 'session' && id !== undefined && id !== '')
    return { view: 'session', sessionId: id, ...(step !== undefined && step !== '' && { step }) }
  if (view === 'queue') return { view: 'queue', ...(id !== undefined && id !== '' && { decisionId: id }) }
  return { view: 'fleet' }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function useRoute(): Route {
  const [fragment, setFragment] = useState(location.hash)
  useEffect(() => {
    const follow = () => setFragment(location.hash)
    addEventListener('hashchange', follow)
    // It may have changed since it was drawn.
    follow()
    return () => removeEventListener('hashchange', follow)
  }, [])
  return parseRoute(fragment)
}
