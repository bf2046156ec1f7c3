import type { Act, EffectAct, Signals } from '@plimsoll/contracts'
import { type StepLabels, actsDoneIn } from '../labels/safety-state.js'
import { ACTS, ACT_OF_EFFECT, EFFECT_ACTS, OBJECT_KINDS, REACHES, REVERSIBILITIES } from '../labels/words.js'
import { type StepEffect, actBit } from './effects.js'

/** Bits of indices into EFFECT_ACTS, OBJECT_KINDS and REACHES. */
export interface EffectPattern {
  readonly acts: number
  readonly objects: number
  readonly reaches: number
  /** Whether every effect of the step must match, not one of them. */
  readonly isOfAll: boolean
}

/** What is known of a step's effects: those that are reported, and its signals, which have every irreversible act. */
export interface KnownEffects {
  readonly effects: readonly StepEffect[] | undefined
  readonly signals: Signals | undefined
}

const IRREVERSIBLE = REVERSIBILITIES.indexOf('irreversible')

/**
 * Whether one effect of a step matches, or all of them; undefined if that is not known: its client reports nothing, did not understand the step, or knows no
 * act of an irreversible one. Source: docs/reference/policy-semantics.md. O(effects).
 */
export function matchEffects(
  pattern: EffectPattern,
  known: KnownEffects | undefined,
  labels: Pick<StepLabels, 'reversibility'>,
): boolean | undefined {
  if (known?.signals === undefined) return undefined
  const { effects = [], signals } = known
  if (pattern.isOfAll) return matchAll(pattern, effects, signals)
  let isOpen = (signals.unreadable ?? 0) > 0
  let left = actsDoneIn(signals)
  if (left === 0 && effects.length === 0) isOpen ||= labels.reversibility >= IRREVERSIBLE
  for (const effect of effects) {
    const found = matchesEffect(pattern, effect)
    if (found === true) return true
    if (found === undefined || effect.incomplete) isOpen = true
    left &= ~actBit(effect)
  }
  // Acts without an effect: a deletion may be a stop, a grant may be set up for later.
  for (const [i, act] of ACTS.entries())
    if ((left >> i) & 1) {
      const found = MAY_BE[act].map((each) =>
        matchesEffect(pattern, { act: each, object: undefined, reach: undefined }),
      )
      if (found.every((each) => each === true)) return true
      if (found.some((each) => each !== false)) isOpen = true
    }
  return isOpen ? undefined : false
}

/** True if all that is known to be done matches, and nothing else is: false or undefined otherwise, which is the same to what lifts. */
function matchAll(
  pattern: EffectPattern,
  effects: readonly StepEffect[],
  signals: Signals,
): boolean | undefined {
  let left = actsDoneIn(signals)
  if ((signals.unreadable ?? 0) > 0 || (left === 0 && effects.length === 0)) return undefined
  for (const effect of effects) {
    if (effect.incomplete || matchesEffect(pattern, effect) !== true) return undefined
    left &= ~actBit(effect)
  }
  for (const [i, act] of ACTS.entries())
    if (
      (left >> i) & 1 &&
      !MAY_BE[act].every(
        (each) => matchesEffect(pattern, { act: each, object: undefined, reach: undefined }) === true,
      )
    )
      return undefined
  return true
}

/** The effects that an act may be, as far as the act alone says. */
const MAY_BE = Object.fromEntries(
  ACTS.map((act) => [
    act,
    act === 'credential' ? ['change'] : EFFECT_ACTS.filter((each) => ACT_OF_EFFECT[each] === act),
  ]),
) as unknown as Readonly<Record<Act, readonly EffectAct[]>>

function matchesEffect(
  { acts, objects, reaches }: EffectPattern,
  { act, object, reach }: Pick<StepEffect, 'act' | 'object' | 'reach'>,
): boolean | undefined {
  if (((acts >> EFFECT_ACTS.indexOf(act)) & 1) === 0) return false
  const isObject = hasBit(objects, OBJECT_KINDS, object)
  const isReach = hasBit(reaches, REACHES, reach)
  if (isObject === false || isReach === false) return false
  return isObject === undefined || isReach === undefined ? undefined : true
}

/** Whether `bits` hold the word; undefined if it is not known, unless they hold every word. */
function hasBit<T>(
  bits: number,
  words: readonly (T | undefined)[],
  word: T | undefined,
): boolean | undefined {
  const index = words.indexOf(word)
  if (index >= 0) return ((bits >> index) & 1) === 1
  const all = (1 << words.length) - 1
  return (bits & all) === all ? true : undefined
}
