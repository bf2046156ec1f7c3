const KEY = 'plimsoll-console'

/**
 * The secret by which this tab may answer; undefined in a tab where nobody logged in. Each origin, and so each port, has a store of its own:
 * a page that an agent serves on another port gets the cookie, and not this.
 */
export const secretOfTab = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined

export const keepSecret = (secret: string): void => sessionStorage.setItem(KEY, secret)

/**
 * The code of an address such as `http://127.0.0.1:9466/#code=…`, which logs in once; undefined without one. It is taken out of the address,
 * though the browser's history on disk keeps it: so only codes that are good for one log-in come this way, never a user's own token. A
 * fragment is never sent to the server.
 */
export function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) return undefined
  history.replaceState(null, '', location.pathname)
  return code === '' ? undefined : code
}
