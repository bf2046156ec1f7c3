import { type Effect, type StepPattern, FINAL_ACTS, OBJECT_KINDS, REACHES } from '@plimsoll/contracts'
import { type SeenEffect, type SeenStep, matchOf } from '../hazards/watches.js'

/** Of the sets of patterns that one effect matches, so many are combined freely; of more, one effect at a time and all at once. */
const SETS_MAX = 6

type EffectPart = Pick<StepPattern, 'act' | 'object' | 'reach'>

/**
 * Lists of effects that `patterns` tell apart: none, each distinguishable effect, and their combinations, for a step may do several things;
 * last, effects that are not reported. Without a pattern that asks for effects, only the last.
 */
export function effectListsOf(patterns: readonly StepPattern[]): readonly SeenStep['effects'][] {
  const singles = distinguishable(patterns)
  if (singles.length === 0) return [undefined]
  if (singles.length > SETS_MAX) return [[], ...singles.map((each) => [each]), singles, undefined]
  const lists = singles.reduce<SeenEffect[][]>(
    (made, each) => [...made, ...made.map((list) => [...list, each])],
    [[]],
  )
  return [...lists, undefined]
}

/** Whether `effectListsOf` returns every combination. */
export const hasAllEffectLists = (patterns: readonly StepPattern[]): boolean =>
  distinguishable(patterns).length <= SETS_MAX

/** An effect for each set of patterns that one effect can match. */
function distinguishable(patterns: readonly StepPattern[]): readonly SeenEffect[] {
  const parts = patterns.flatMap(({ act, object, reach }): EffectPart[] =>
    act || object || reach ? [{ act, object, reach }] : [],
  )
  if (parts.length === 0) return []
  const bySet = new Map<string, SeenEffect>()
  for (const act of valuesOf(parts, 'act', FINAL_ACTS))
    for (const object of valuesOf(parts, 'object', OBJECT_KINDS))
      for (const reach of valuesOf(parts, 'reach', REACHES)) {
        const effect = { act, object, reach }
        const matched = parts.map((part) => (matchOf(part, stepOf(effect)) === 'yes' ? '1' : '0')).join('')
        if (matched.includes('1') && !bySet.has(matched)) bySet.set(matched, effect)
      }
  return [...bySet.values()]
}

/** The values that patterns name, and another value. */
function valuesOf<K extends 'act' | 'object' | 'reach'>(
  parts: readonly EffectPart[],
  member: K,
  all: readonly NonNullable<Effect[K]>[],
): readonly NonNullable<Effect[K]>[] {
  const named: ReadonlySet<string> = new Set(parts.flatMap((part) => part[member] ?? []))
  const other = all.find((value) => !named.has(value))
  return [...all.filter((value) => named.has(value)), ...(other === undefined ? [] : [other])]
}

const stepOf = (effect: SeenEffect): SeenStep => ({
  tool: '',
  labels: { capability: 'network', reversibility: 'irreversible' },
  effects: [effect],
  outside: undefined,
  where: undefined,
})
