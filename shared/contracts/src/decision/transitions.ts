import { versionOf } from '../canonical.js'
import type { Bundle } from '../policy/bundle.js'

/**
 * How sessions go over the states of their chain, as monitors count it in the session store while they run and as `plimsoll fit
 * --from-live` reads it. Source: docs/explanation/live-sessions.md.
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

/** One kind of move of one category, from state to state. */
export interface CountedTransition {
  readonly kind: TransitionKind
  readonly from: number
  readonly to: number
  /** The name of the chain: a category of the bundle, or `aggregate` for sessions of any other. */
  readonly category: string
}

/** What the states of a bundle's chains mean: its space, and in `flow` the scorer and the edges that make its buckets. */
export function meaningOf({ space, flow }: Pick<Bundle, 'space' | 'flow'>): string {
  if (!flow) return space
  const { session, edges } = flow
  return `${space}-${versionOf({ session, edges })}`
}

/** Under which name the moves of a month are counted. */
export const transitionCountsName = (meaning: string, month: string): string => `${meaning}:${month}`

/** The month of a time of the log's, in UTC: `2026-11`. */
export const monthOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 7)

/** The months from that of `timeMs` back, `count` of them, the latest first. */
export function monthsBack(timeMs: number, count: number): string[] {
  const at = new Date(timeMs)
  return Array.from({ length: count }, (_, back) =>
    monthOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1)),
  )
}

export const transitionField = ({ kind, from, to, category }: CountedTransition): string =>
  `${kind} ${from} ${to} ${encodeURIComponent(category.replaceAll(LONE_SURROGATES, '\u{fffd}'))}`

/** JSON can hold them, and what encodes a name fails on them. */
const LONE_SURROGATES = /\p{Surrogate}/gu

const FIELD = /^([A-Za-z]+) (\d+) (\d+) (\S+)$/

/** The move that `field` counts; undefined where it is none. */
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
