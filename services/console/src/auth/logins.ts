import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '@plimsoll/runtime'
import type { User } from './users.js'

/** How long a login lasts, milliseconds. */
export const LOGIN_MS = 8 * 3_600_000
/** Logins at a time; the oldest beyond ends. */
const LOGINS_MAX = 10_000

export interface Login {
  readonly user: User
  readonly expiresAt: number
}

export type Logins = ReturnType<typeof createLogins>

/** Who is logged in, by the secret of a cookie. In memory: after a restart people log in again. */
export function createLogins(clock: Clock, { loginsMax = LOGINS_MAX, loginMs = LOGIN_MS } = {}) {
  // In the order in which they began, and so in which they expire. A copy of the memory has no secrets.
  const logins = new Map<string, Login>()
  const keyOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

  function dropExpired(): void {
    for (const [key, { expiresAt }] of logins) {
      if (expiresAt > clock.now() && logins.size < loginsMax) return
      logins.delete(key)
    }
  }

  return {
    begin(user: User): Login & { readonly secret: string } {
      dropExpired()
      const secret = randomBytes(32).toString('base64url')
      const login = { user, expiresAt: clock.now() + loginMs }
      logins.set(keyOf(secret), login)
      return { ...login, secret }
    },
    find(secret: string): Login | undefined {
      const login = logins.get(keyOf(secret))
      return login && login.expiresAt > clock.now() ? login : undefined
    },
    end: (secret: string): void => void logins.delete(keyOf(secret)),
  }
}

/** Refused attempts within a window; more are not looked at. Tokens are random: this bounds the work, not the guessing. */
const REFUSED_MAX = 20
const WINDOW_MS = 10_000

/** Whether a login may be tried now, by the attempts that were refused lately. */
export function createLoginLimit(clock: Clock, { refusedMax = REFUSED_MAX, windowMs = WINDOW_MS } = {}) {
  let refused: number[] = []
  return {
    mayTry: (): boolean => {
      refused = refused.filter((at) => at > clock.now() - windowMs)
      return refused.length < refusedMax
    },
    refused: (): void => void refused.push(clock.now()),
  }
}
