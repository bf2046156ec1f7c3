/** The name of the login's cookie. */
const NAME = 'plimsoll_console'
const SECRET = /^[\w-]{43}$/
/** Longest header of cookies that is looked at, characters. */
const HEADER_CHARS_MAX = 8_192

/** The secret in a request's cookies; undefined without one. */
export function secretIn(header: string | undefined): string | undefined {
  if (header === undefined || header.length > HEADER_CHARS_MAX) return undefined
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() !== NAME) continue
    const value = pair.slice(at + 1).trim()
    if (SECRET.test(value)) return value
  }
  return undefined
}

/** The header that sets the cookie: no script reads it, and no other site's request carries it. */
export const cookieOf = (secret: string, lifeMs: number, isSecure: boolean): string =>
  `${NAME}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(lifeMs / 1000)}${isSecure ? '; Secure' : ''}`

/** The header that removes it. */
export const noCookie = (isSecure: boolean): string => cookieOf('', 0, isSecure)
