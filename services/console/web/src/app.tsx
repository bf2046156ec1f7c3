import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Me } from '../../src/api.js'
import { RequestProblem, fetchMe, login, logout } from './api/requests.js'
import { LoginForm } from './shell/login-form.js'
import { Shell } from './shell/shell.js'

type Stage =
  | { readonly kind: 'starting' }
  | { readonly kind: 'out'; readonly problem?: string }
  | { readonly kind: 'in'; readonly me: Me; readonly offsetMs: number }

const entered = (me: Me): Stage => ({ kind: 'in', me, offsetMs: me.now - Date.now() })

/** @param token of the address the page was opened with */
export function App({ token }: { readonly token?: string }) {
  const [stage, setStage] = useState<Stage>({ kind: 'starting' })
  const enter = useCallback(async (by: () => Promise<Me>) => {
    try {
      setStage(entered(await by()))
    } catch (cause) {
      setStage({ kind: 'out', ...problemOf(cause) })
    }
  }, [])
  useEffect(() => {
    void enter(() => (token === undefined ? fetchMe() : login(token)))
  }, [enter, token])

  if (stage.kind === 'starting') return <p class="starting">Connecting…</p>
  if (stage.kind === 'out')
    return <LoginForm problem={stage.problem} onToken={(typed) => enter(() => login(typed))} />
  const leave = () =>
    void logout().then(
      () => setStage({ kind: 'out' }),
      () => setStage({ kind: 'out' }),
    )
  return <Shell me={stage.me} offsetMs={stage.offsetMs} onLogout={leave} />
}

/** Nothing is wrong where somebody is not logged in yet. */
function problemOf(cause: unknown): { readonly problem?: string } {
  if (cause instanceof RequestProblem && cause.status === 401 && cause.code === 'unauthenticated') return {}
  return { problem: cause instanceof Error ? cause.message : String(cause) }
}
