/**
 * The token of an address such as `https://console/#token=…`, which is taken out of the address at once: it must not stay in the history,
 * in a bookmark or on a shared screen. A fragment is never sent to the server.
 */
export function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return undefined
  history.replaceState(null, '', location.pathname)
  return token === '' ? undefined : token
}
