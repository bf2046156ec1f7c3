import type { ConditionKey, ConditionValue, Spec } from '@plimsoll/contracts'
import { OBLIGATION_CELLS, WINDOW_CELLS } from '@plimsoll/engine'

/** What an expression of a condition gives: one number, or the distinct values. */
export type CountedKind = 'number' | 'values'

/** A kind of condition. Every condition reads what came before the step, so a spec that has one does not match all steps of its pattern. */
interface Condition<C> {
  /** Paths of the patterns in it, from the spec. */
  readonly patterns: readonly (readonly [ConditionKey, ...string[]])[]
  /** The numbers of a session that it needs. */
  readonly cells: (condition: C) => number
  /** The expression on the arguments that it counts; none: it reads no arguments but by its patterns. */
  readonly counts?: readonly [kind: CountedKind, of: (condition: C) => string]
  /** Whether the verifier's model leaves it open, so that it can match at any time. */
  readonly isLeftOpen: (condition: C) => boolean
  /** Whether it holds of every step, whatever came before. */
  readonly isAlways: (condition: C) => boolean
}

const never = (): boolean => false
const isWindowed = ({ per }: { readonly per: unknown }): boolean => per !== 'session'
const counterCells = (counter: { readonly per: unknown }): number => (isWindowed(counter) ? WINDOW_CELLS : 1)

/** The verifier leaves larger counts open, because each number is a separate state. */
export const COUNT_MAX = 16

/**
 * Every kind of condition that a spec can have, in the order of its memory. The schema's members and this record are held to each other by
 * type, as are the places that treat conditions one by one (`allHandled`): a new member of a spec does not compile before each knows it.
 */
export const CONDITIONS = {
  after: { patterns: [['after']], cells: () => 1, isLeftOpen: never, isAlways: never },
  before: { patterns: [['before']], cells: () => 1, isLeftOpen: never, isAlways: never },
  between: {
    patterns: [
      ['between', 'from'],
      ['between', 'to'],
    ],
    cells: () => 1,
    isLeftOpen: never,
    isAlways: never,
  },
  atMost: {
    patterns: [],
    cells: counterCells,
    isLeftOpen: (counter) => isWindowed(counter) || counter.times > COUNT_MAX,
    isAlways: ({ times }) => times === 0,
  },
  sum: {
    patterns: [],
    cells: counterCells,
    counts: ['number', ({ of }) => of],
    isLeftOpen: () => true,
    isAlways: never,
  },
  distinct: {
    patterns: [],
    cells: (counter) => counter.max * (isWindowed(counter) ? 2 : 1),
    counts: ['values', ({ of }) => of],
    isLeftOpen: () => true,
    isAlways: never,
  },
  fleet: { patterns: [], cells: () => 1, isLeftOpen: () => true, isAlways: never },
  flow: {
    patterns: [
      ['flow', 'from'],
      ['flow', 'to'],
    ],
    cells: ({ from }) => (from.within === undefined ? 1 : 2),
    isLeftOpen: never,
    isAlways: never,
  },
  requires: { patterns: [['requires']], cells: () => 1, isLeftOpen: never, isAlways: never },
  followedBy: {
    patterns: [['followedBy', 'step']],
    cells: () => OBLIGATION_CELLS,
    isLeftOpen: never,
    isAlways: never,
  },
} as const satisfies { readonly [K in ConditionKey]: Condition<ConditionValue<K>> }

/** In the order of a session's memory. */
export const CONDITION_KEYS = Object.keys(CONDITIONS) as ConditionKey[]

/** A condition of a spec, with its kind. */
interface Given {
  readonly key: ConditionKey
  readonly kind: Condition<never>
  readonly value: never
}

/** A document that is checked may hold anything: what is no object is left to the schema. */
function givenIn(spec: Spec): Given[] {
  return CONDITION_KEYS.flatMap((key) => {
    const value: unknown = Reflect.get(spec, key)
    return typeof value === 'object' && value !== null
      ? [{ key, kind: CONDITIONS[key], value: value as never }]
      : []
  })
}

/** The numbers of a session that each condition of `spec` needs. */
export const cellsByCondition = (spec: Spec): ReadonlyMap<ConditionKey, number> =>
  new Map(givenIn(spec).map(({ key, kind, value }) => [key, kind.cells(value)]))

/** Whether `spec` reads what came before: it need not match every step of its pattern. */
export const isConditional = (spec: Spec): boolean => givenIn(spec).length > 0

/** Whether `spec` matches every step of its pattern, whatever came before. */
export const isUnconditional = (spec: Spec): boolean =>
  givenIn(spec).every(({ kind, value }) => kind.isAlways(value))

/** Whether a condition of `spec` is left open by the verifier's model. */
export const isLeftOpen = (spec: Spec): boolean =>
  givenIn(spec).some(({ kind, value }) => kind.isLeftOpen(value))

/** The expressions that conditions of `spec` count, with the path of their conditions. */
export const countedIn = (
  spec: Spec,
): { readonly key: ConditionKey; readonly kind: CountedKind; readonly text: string }[] =>
  givenIn(spec).flatMap(({ key, kind: { counts }, value }) =>
    counts ? [{ key, kind: counts[0], text: counts[1](value) }] : [],
  )

type KeysOf<T> = T extends unknown ? keyof T : never

/**
 * Takes what is left of a spec's conditions once those that a place treats are taken out. With another condition left it does not compile.
 *
 * @example
 * const { requires, followedBy, ...others }: ConditionsOf<SpecOf<'mustlist'>> = spec
 * allHandled(others)
 */
export function allHandled<T extends object>(_others: [KeysOf<T>] extends [never] ? T : never): void {}
