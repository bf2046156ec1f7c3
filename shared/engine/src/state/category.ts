import type { EventOf } from '@plimsoll/contracts'

/** Prefix of a category that was found rather than declared, in a session's record. No chain has such a name. */
const FOUND = '~'

/**
 * A session's category: declared, else found by its client in the task and marked so; empty if there is none. In a delegated session
 * nothing is found, because an agent wrote the task.
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

/** Whether another session delegated to this one, so that an agent may have written its task. */
export const isDelegated = ({
  inherits,
  root,
  sessionId,
}: Pick<EventOf<'session.started'>, Ancestry>): boolean =>
  inherits !== undefined || (root !== undefined && root !== sessionId)

/** A found category as kept in a session's record. */
export const foundCategory = (category: string): string => `${FOUND}${category}`

/** The found category without its mark; undefined if it was declared or there is none. */
export const foundIn = (category: string): string | undefined =>
  category.startsWith(FOUND) ? category.slice(FOUND.length) : undefined
