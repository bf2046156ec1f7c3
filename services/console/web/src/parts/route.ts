import { useEffect, useState } from 'preact/hooks'
import type { ControlScope } from '../../../src/api.js'

/** What the address shows. Addresses are links that people send to each other, so they name no secret. */
export type Route =
  | { readonly view: 'fleet' }
  | { readonly view: 'queue'; readonly decisionId?: string }
  | { readonly view: 'appeals' }
  | { readonly view: 'policy'; readonly version?: string; readonly code?: string }
  | { readonly view: 'controls'; readonly scope: ControlScope }
  | { readonly view: 'replay'; readonly sessionId: string; readonly step?: string }
  | { readonly view: 'session'; readonly sessionId: string; readonly step?: string }

export const FLEET_LINK = '#/fleet'
export const QUEUE_LINK = '#/queue'
export const APPEALS_LINK = '#/appeals'
export const POLICY_LINK = '#/policy'
/** @param code of a spec or a built-in check: the steps in which it mattered are shown too */
export const policyLink = (version: string, code?: string): string =>
  [POLICY_LINK, ...[version, ...(code === undefined ? [] : [code])].map(encodeURIComponent)].join('/')
export const CONTROLS_LINK = '#/controls'

/** Stands in a link for a tenant that is not named. */
const ANY_TENANT = '*'
/** Such as `#/controls/acme/mailer`. */
export function controlsLink({ tenant = ANY_TENANT, agent }: ControlScope): string {
  const names = agent === undefined ? (tenant === ANY_TENANT ? [] : [tenant]) : [tenant, agent]
  return [CONTROLS_LINK, ...names.map(encodeURIComponent)].join('/')
}
/** @param step its number; or the id of its event or decision, as blocked steps have the number of the step that follows */
export const sessionLink = (sessionId: string, step?: string): string =>
  `#/session/${encodeURIComponent(sessionId)}${step === undefined ? '' : `/${encodeURIComponent(step)}`}`
/** @param step as in `sessionLink`; or `end` */
export const replayLink = (sessionId: string, step?: string): string =>
  `#/replay/${encodeURIComponent(sessionId)}${step === undefined ? '' : `?step=${encodeURIComponent(step)}`}`
export const questionLink = (decisionId: string): string => `#/queue/${encodeURIComponent(decisionId)}`

/** The view of a fragment such as `#/session/s1/4`; the fleet where it names none. */
export function parseRoute(fragment: string): Route {
  const [path = '', query] = fragment.replace(/^#\/?/, '').split('?')
  const [view, id, step] = path.split('/').map(decoded)
  if (view === 'session' && id !== undefined && id !== '')
    return { view: 'session', sessionId: id, ...(step !== undefined && step !== '' && { step }) }
  if (view === 'replay' && id !== undefined && id !== '') {
    const named = new URLSearchParams(query).get('step') ?? ''
    return { view, sessionId: id, ...(named !== '' && { step: named }) }
  }
  if (view === 'queue') return { view: 'queue', ...(id !== undefined && id !== '' && { decisionId: id }) }
  if (view === 'appeals') return { view }
  if (view === 'policy')
    return {
      view,
      ...(id !== undefined && id !== '' && { version: id }),
      ...(step !== undefined && step !== '' && { code: step }),
    }
  if (view === 'controls') return { view, scope: scopeOf(id, step) }
  return { view: 'fleet' }
}

const scopeOf = (tenant = '', agent = ''): ControlScope => ({
  ...(tenant !== '' && tenant !== ANY_TENANT && { tenant }),
  ...(agent !== '' && { agent }),
})

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
