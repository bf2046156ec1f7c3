import { randomUUID } from 'node:crypto'
import type { Principal } from '../principals/principal.js'

/**
 * What the ids of a principal's sessions begin with: `acme~support-bot:run-7`. So every gateway knows without a word whose a session
 * is, and nobody can claim another's. Names have no `:`, so no such beginning is that of another.
 */
export const prefixOf = ({ tenant, name }: Pick<Principal, 'tenant' | 'name'>): string => `${tenant}~${name}:`

/** The id of a session of `principal` that it calls `name`; chosen at random where it does not say. */
export function sessionIdOf(
  principal: Pick<Principal, 'tenant' | 'name'>,
  name: string = randomUUID(),
): string {
  const prefix = prefixOf(principal)
  return name.startsWith(prefix) ? name : prefix + name
}
