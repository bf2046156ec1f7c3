import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '@plimsoll/runtime'
import type { User } from './users.js'

/** How long a login lasts, milliseconds. */
export const LOGIN_MS = 8 * 3_600_000
/** Logins at a time; the oldest beyond ends. */
const LOGINS_MAX = 10_000

/** A login as it begins: the one time that its secrets are known. */
export interface NewLogin extends Login {
  /** Of the cookie. Cookies know no ports: every server of the same host gets it, agents' own ones too. */
  readonly secret: string
  /** Of the page, which keeps it for its own origin: nobody else gets it. */
  readonly pageSecret: string
}

export interface Login {
  readonly user: User
  readonly expiresAt: number
}

export type Logins = ReturnType<typeof createLogins>

/** Who is logged in, by the secret of a cookie, and which pages may change something. In memory: after a restart people log in again. */
export function createLogins(clock: Clock, { loginsMax = LOGINS_MAX, loginMs = LOGIN_MS } = {}) {
  // In the order in which they began, and so in which they expire. A copy of the memory has no secrets.
  const logins = new Map<string, Login & { readonly pageKey: string }>()
  const byPage = new Map<string, Login>()
  const keyOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

  function dropExpired(): void {
    for (const [key, { expiresAt }] of logins) {
      if (expiresAt > clock.now() && logins.size < loginsMax) return
      end(key)
    }
  }

  function end(key: string): void {
    const login = logins.get(key)
    if (login) byPage.delete(login.pageKey)
    logins.delete(key)
  }

  return {
    begin(user: User): NewLogin {
      dropExpired()
      const secret = randomBytes(32).toString('base64url')
      const pageSecret = randomBytes(32).toString('base64url')
      const login = { user, expiresAt: clock.now() + loginMs }
      logins.set(keyOf(secret), { ...login, pageKey: keyOf(pageSecret) })
      byPage.set(keyOf(pageSecret), login)
      return { ...login, secret, pageSecret }
    },
    find(secret: string): Login | undefined {
      const login = logins.get(keyOf(secret))
      return login && login.expiresAt > clock.now() ? login : undefined
    },
    /**
     * Whether a page with `pageSecret` may change something for the user of `login`. Tabs of one browser share the cookie of the latest
     * login, so any of the user's own will do. Found by its hash: the time it takes says nothing of the secret.
     */
    mayChange({ user }: Login, pageSecret: string): boolean {
      const own = byPage.get(keyOf(pageSecret))
      return own !== undefined && own.expiresAt > clock.now() && own.user.name === user.name
    },
    end: (secret: string): void => end(keyOf(secret)),
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
