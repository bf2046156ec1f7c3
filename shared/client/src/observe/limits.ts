import type { Limits } from '@plimsoll/contracts'

/** The maximum of an event's list. */
const NAMES_MAX = 20

/** Limits with those of a further text, which lifts what it allows. What was first stays first. */
export function joinLimits(first: Limits | undefined, more: Limits | undefined): Limits | undefined {
  if (!first || !more) return first ?? more
  const lifted = new Set(more.allows)
  const joined = {
    only: join(first.only, first.only && more.allows, more.only),
    never: join(
      first.never?.filter((name) => !lifted.has(name)),
      more.never,
    ),
    waits: join(more.goes ? [] : first.waits, more.waits),
  }
  const { only, never, waits } = joined
  return {
    ...(only.length > 0 && { only }),
    ...(never.length > 0 && { never }),
    ...(waits.length > 0 && { waits }),
  }
}

const join = (...lists: readonly (readonly string[] | undefined)[]): string[] =>
  [...new Set(lists.flatMap((list) => list ?? []))].slice(0, NAMES_MAX)
