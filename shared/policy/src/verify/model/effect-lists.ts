import { type Effect, type StepPattern, FINAL_ACTS, OBJECT_KINDS, REACHES } from '@plimsoll/contracts'
import { type SeenEffect, type SeenStep, matchOf } from '../hazards/watches.js'

/** Of the sets of patterns that one effect matches, so many are combined freely; of more, one effect at a time and all at once. */
const SETS_MAX = 6

type EffectPart = Pick<StepPattern, 'act' | 'object' | 'reach'>

/**
 * Lists of effects that `patterns` tell apart: what none of them asks for, each distinguishable effect, and their combinations, for a step may
 * do several things; last, effects that are not reported. Without a pattern that asks for effects, only the last.
 *
 * @param mustTell whether nobody knows what a step without effects does, so that only another effect shows that it does nothing asked for
 */
export function effectListsOf(
  patterns: readonly StepPattern[],
  mustTell: boolean,
): readonly SeenStep['effects'][] {
  const { asked, other } = distinguishable(patterns)
  if (asked.length === 0) return [undefined]
  const none = mustTell && other ? [other] : []
  if (asked.length > SETS_MAX) return [none, ...asked.map((each) => [each]), asked, undefined]
  const [, ...lists] = asked.reduce<SeenEffect[][]>(
    (made, each) => [...made, ...made.map((list) => [...list, each])],
    [[]],
  )
  return [none, ...lists, undefined]
}

/** Whether `effectListsOf` returns every combination. */
export const hasAllEffectLists = (patterns: readonly StepPattern[]): boolean =>
  distinguishable(patterns).asked.length <= SETS_MAX

interface Distinguishable {
  /** An effect for each set of patterns that one effect can match. */
  readonly asked: readonly SeenEffect[]
  /** An effect that matches none of them; undefined if each effect matches one. */
  readonly other: SeenEffect | undefined
}

function distinguishable(patterns: readonly StepPattern[]): Distinguishable {
  const parts = patterns.flatMap(({ act, object, reach }): EffectPart[] =>
    act || object || reach ? [{ act, object, reach }] : [],
  )
  if (parts.length === 0) return { asked: [], other: undefined }
  const bySet = new Map<string, SeenEffect>()
  let other: SeenEffect | undefined
  for (const act of valuesOf(parts, 'act', FINAL_ACTS))
    for (const object of valuesOf(parts, 'object', OBJECT_KINDS))
      for (const reach of valuesOf(parts, 'reach', REACHES)) {
        const effect = { act, object, reach }
        const matched = parts.map((part) => (matchOf(part, stepOf(effect)) === 'yes' ? '1' : '0')).join('')
        if (!matched.includes('1')) other ??= effect
        else if (!bySet.has(matched)) bySet.set(matched, effect)
      }
  return { asked: [...bySet.values()], other }
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
