/** A way to obtain a component. */
export interface Offer<T> {
  readonly source: 'docker' | 'local'
  /** Why it cannot be had in this way here; undefined if it can. Quick, and free of side effects. */
  missing(): Promise<string | undefined>
  start(): Promise<T>
}

/** Says why a component can be had in none of the ways. */
export class ComponentUnavailable extends Error {
  override readonly name = 'ComponentUnavailable'
}

/** Starts the first available of `offers`; an offer that fails to start gives way to the next. */
export async function startFirst<T>(what: string, offers: readonly Offer<T>[]): Promise<T> {
  const reasons: string[] = []
  for (const offer of offers) {
    const missing = await offer.missing()
    if (missing === undefined) {
      try {
        return await offer.start()
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        process.stderr.write(`test: ${what} (${offer.source}) did not start: ${message}\n`)
        reasons.push(`${offer.source}: ${message.split('\n')[0]}`)
      }
    } else {
      reasons.push(`${offer.source}: ${missing}`)
    }
  }
  throw new ComponentUnavailable(`no ${what}: ${reasons.join('; ')}`)
}

/** Why none of `offers` can be had; undefined if one can. */
export async function whyNone(what: string, offers: readonly Offer<unknown>[]): Promise<string | undefined> {
  const reasons: string[] = []
  for (const offer of offers) {
    const missing = await offer.missing()
    if (missing === undefined) return undefined
    reasons.push(`${offer.source}: ${missing}`)
  }
  return `no ${what}: ${reasons.join('; ')}`
}
