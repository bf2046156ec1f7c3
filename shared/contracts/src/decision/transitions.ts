import { versionOf } from '../canonical.js'
import type { Bundle } from '../policy/bundle.js'

/**
 * Counts of transitions between the states of a chain: monitors write them to the session store, `plimsoll fit --from-live` reads them.
 * Source: docs/explanation/live-sessions.md.
 */
export const TRANSITION_KINDS = [
  'began',
  'survived',
  'violated',
  'passed',
  'ended',
  'endedViolated',
  'labelledSafe',
  'labelledViolated',
] as const
export type TransitionKind = (typeof TRANSITION_KINDS)[number]

/** One kind of transition of one category, from state to state. */
export interface CountedTransition {
  readonly kind: TransitionKind
  readonly from: number
  readonly to: number
  /** The name of the chain: a category of the bundle, or `aggregate` for other sessions. */
  readonly category: string
}

/** Identifies the meaning of the states of a bundle's chains: its space, and in `flow` the scorer and edges of its buckets. */
export function meaningOf({ space, flow }: Pick<Bundle, 'space' | 'flow'>): string {
  if (!flow) return space
  const { session, edges } = flow
  return `${space}-${versionOf({ session, edges })}`
}

/** The name under which the transitions of a month are counted. */
export const transitionCountsName = (meaning: string, month: string): string => `${meaning}:${month}`

/** The month of a log time, in UTC: `2026-11`. */
export const monthOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 7)

/** The last `count` months up to that of `timeMs`, the latest first. */
export function monthsBack(timeMs: number, count: number): string[] {
  const at = new Date(timeMs)
  return Array.from({ length: count }, (_, back) =>
    monthOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1)),
  )
}

export const transitionField = ({ kind, from, to, category }: CountedTransition): string =>
  `${kind} ${from} ${to} ${encodeURIComponent(category.replaceAll(LONE_SURROGATES, '\u{fffd}'))}`

/** JSON can hold lone surrogates, but encodeURIComponent throws on them. */
const LONE_SURROGATES = /\p{Surrogate}/gu

const FIELD = /^([A-Za-z]+) (\d+) (\d+) (\S+)$/

/** The transition that `field` counts; undefined if it is not one. */
export function parseTransitionField(field: string): CountedTransition | undefined {
  const [, name, from, to, category] = FIELD.exec(field) ?? []
  const kind = TRANSITION_KINDS.find((each) => each === name)
  if (kind === undefined || category === undefined) return undefined
  return { kind, from: Number(from), to: Number(to), category: decoded(category) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
