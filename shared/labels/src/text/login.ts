import { longPattern } from './data.js'
/** A login in a URL: `scheme://user:password@host:port/name`. */
export interface Login {
  readonly user: string
  readonly password: string
  /** In lower case, without its port. */
  readonly host: string
  /** The last part of the path: the database of a connection. */
  readonly name: string
}

/** The login of a URL; undefined if it has no password. Linear in the URL. */
export function loginOf(url: string): Login | undefined {
  const rest = url.slice(url.indexOf('://') + 3)
  const [authority = ''] = rest.split(/[/?#]/, 1)
  const at = authority.lastIndexOf('@')
  const colon = authority.indexOf(':')
  if (colon < 0 || at <= colon + 1) return undefined
  const [path = ''] = rest.slice(authority.length).split(/[?#]/, 1)
  return {
    user: authority.slice(0, colon),
    password: authority.slice(colon + 1, at),
    host: authority
      .slice(at + 1)
      .replace(/:\d*$/, '')
      .toLowerCase(),
    name: path.slice(path.lastIndexOf('/') + 1),
  }
}

/** This machine, or a service of the same machine: `localhost`, `db`. */
const NEAR = longPattern('login.NEAR')
/** A word such as `root`, `postgres` or `dev`. */
const WORD = /^(?:[a-z]{1,8}|\d{1,4})$/

/**
 * Whether a password is none: that of a database on the developer's own machine, which is called as its user or its data are, or is a short word.
 */
export const isTrivialLogin = ({ user, password, host, name }: Login): boolean =>
  NEAR.test(host) && (password === user || password === name || WORD.test(password))
