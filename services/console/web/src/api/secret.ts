const KEY = 'plimsoll-console'

/**
 * The secret by which this tab may answer; undefined in a tab where nobody logged in. Each origin, and so each port, has a store of its own:
 * a page that an agent serves on another port gets the cookie, and not this.
 */
export const secretOfTab = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined

export const keepSecret = (secret: string): void => sessionStorage.setItem(KEY, secret)
