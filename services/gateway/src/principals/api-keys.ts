import { createHash } from 'node:crypto'
import type { Principal } from './principal.js'
import type { PrincipalsDocument } from './principals-file.js'

/** Of an API key; the gateway knows no more of it. Looked up, never compared: the time that takes tells nothing of a key. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Gives the principal of an API key. */
export function createKeyRing({
  principals,
}: Pick<PrincipalsDocument, 'principals'>): (key: string) => Principal | undefined {
  const byHash = new Map<string, Principal>()
  for (const { keys, name, tenant, trust, category } of principals) {
    const principal = Object.freeze({ name, tenant, trust, ...(category !== undefined && { category }) })
    for (const hash of keys) byHash.set(hash, principal)
  }
  return (key) => byHash.get(hashOfKey(key))
}
