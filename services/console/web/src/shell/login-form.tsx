import { useState } from 'preact/hooks'
import { Mark } from './mark.js'

export function LoginForm({
  problem,
  onToken,
}: {
  readonly problem: string | undefined
  readonly onToken: (token: string) => Promise<void>
}) {
  const [token, setToken] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (token.trim() === '') return
    setBusy(true)
    void onToken(token.trim()).finally(() => setBusy(false))
  }
  return (
    <main class="login">
      <form onSubmit={submit}>
        <h1>
          <Mark /> Plimsoll
        </h1>
        <p class="muted">Log in with the token that the console's operator gave you.</p>
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="current-password"
          spellcheck={false}
          value={token}
          aria-describedby="login-problem"
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <p id="login-problem" class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Logging in…' : 'Log in'}
        </button>
      </form>
    </main>
  )
}
