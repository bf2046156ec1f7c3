import type { Principal } from '../principals/principal.js'

/** Whose unnamed sessions these are, as their host says. */
export interface LineageScope {
  readonly user?: string | undefined
  /** The host's own name for a conversation. */
  readonly conversation?: string | undefined
}

/**
 * The name under which it is kept what unnamed sessions have read: of an agent one for all, for it would split itself to forget; of a
 * host one for each user and conversation that it names.
 */
export function scopeName(
  { trust, name }: Pick<Principal, 'trust' | 'name'>,
  scope: LineageScope = {},
): string {
  if (trust === 'agent') return name
  return `${name}\n${JSON.stringify([scope.user ?? null, scope.conversation ?? null])}`
}
