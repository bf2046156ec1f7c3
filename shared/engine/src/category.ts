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
  ...from
}: Pick<EventOf<'session.started'>, 'category' | 'found' | Ancestry>): string {
  if (category !== undefined) return category
  return found && !isDelegated(from) ? foundCategory(found.category) : ''
}

type Ancestry = 'inherits' | 'root' | 'sessionId'

/** Whether another session stands behind this one, so that an agent may have written what it is told to do. */
export const isDelegated = ({
  inherits,
  root,
  sessionId,
}: Pick<EventOf<'session.started'>, Ancestry>): boolean =>
  inherits !== undefined || (root !== undefined && root !== sessionId)

/** As a session's record has a category that was found. */
export const foundCategory = (category: string): string => `${FOUND}${category}`

/** The category that was found, without its mark; undefined where it was declared or there is none. */
export const foundIn = (category: string): string | undefined =>
  category.startsWith(FOUND) ? category.slice(FOUND.length) : undefined
