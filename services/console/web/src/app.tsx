import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Me } from '../../src/api.js'
import { RequestProblem, fetchMe, login, logout, onLoggedOut } from './api/requests.js'
import { LoginForm } from './shell/login-form.js'
import { Shell } from './shell/shell.js'

type Stage =
  | { readonly kind: 'starting' }
  | { readonly kind: 'out'; readonly problem?: string }
  | { readonly kind: 'in'; readonly me: Me; readonly offsetMs: number }

const entered = (me: Me): Stage => ({ kind: 'in', me, offsetMs: me.now - Date.now() })

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** A code that was used, as by a second look at its address, does not end a login that there is. */
const loginByCode = (code: string): Promise<Me> =>
  login({ code }).catch((refused: unknown) =>
    fetchMe().catch(() => {
      throw refused
    }),
  )

/** @param code of the address the page was opened with */
export function App({ code }: { readonly code?: string }) {
  const [stage, setStage] = useState<Stage>({ kind: 'starting' })
  const enter = useCallback(async (by: () => Promise<Me>, isFirstLook = false) => {
    try {
      setStage(entered(await by()))
    } catch (cause) {
      // Nothing is wrong where somebody is not logged in yet.
      const isOut = isFirstLook && cause instanceof RequestProblem && cause.status === 401
      setStage({ kind: 'out', ...(!isOut && { problem: messageOf(cause) }) })
    }
  }, [])
  useEffect(() => {
    const problem = 'Your login has ended: log in again.'
    onLoggedOut(() => setStage((before) => (before.kind === 'in' ? { kind: 'out', problem } : before)))
    void enter(() => (code === undefined ? fetchMe() : loginByCode(code)), code === undefined)
  }, [enter, code])

  if (stage.kind === 'starting') return <p class="starting">Connecting…</p>
  if (stage.kind === 'out')
    return <LoginForm problem={stage.problem} onToken={(token) => enter(() => login({ token }))} />
  const leave = () =>
    void logout().then(
      () => setStage({ kind: 'out' }),
      (cause: unknown) => setStage({ kind: 'out', problem: `You are still logged in: ${messageOf(cause)}` }),
    )
  const loginHere = () => setStage({ kind: 'out' })
  return <Shell me={stage.me} offsetMs={stage.offsetMs} onLogin={loginHere} onLogout={leave} />
}
