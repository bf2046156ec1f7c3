import type { EventOf } from '@plimsoll/contracts'

/** Stands before a category that nobody declared, in a session's record. No reader of an older release has a chain of such a name. */
const FOUND = '~'

/**
 * What a session goes by: the declared category, else the one that its client found in the task, marked; empty where there is none.
 * What a delegated session is told to do was written by an agent: nothing is found in that.
 */
export function categoryOf({
  category,
  found,
  inherits,
  root,
  sessionId,
}: Pick<EventOf<'session.started'>, 'category' | 'found' | 'inherits' | 'root' | 'sessionId'>): string {
  if (category !== undefined) return category
  const isDelegated = inherits !== undefined || (root !== undefined && root !== sessionId)
  return found && !isDelegated ? foundCategory(found.category) : ''
}

/** As a session's record has a category that was found. */
export const foundCategory = (category: string): string => `${FOUND}${category}`

/** The category that was found, without its mark; undefined where it was declared or there is none. */
export const foundIn = (category: string): string | undefined =>
  category.startsWith(FOUND) ? category.slice(FOUND.length) : undefined
