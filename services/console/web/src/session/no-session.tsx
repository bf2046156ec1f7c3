import { FLEET_LINK } from '../parts/route.js'
import { ShownText } from '../parts/shown-text.js'
import type { SessionState } from './use-session.js'

/** In the place of a session that is not there, or not yet. */
export function NoSession({
  sessionId,
  state,
}: {
  readonly sessionId: string
  readonly state: Exclude<SessionState, { readonly kind: 'shown' }>
}) {
  if (state.kind === 'loading') return <p class="empty">Fetching the session…</p>
  return (
    <div class="empty">
      <h1>
        No session <ShownText text={sessionId} charsMax={120} />
      </h1>
      <p>{state.problem}</p>
      <a href={FLEET_LINK}>To the fleet</a>
    </div>
  )
}
