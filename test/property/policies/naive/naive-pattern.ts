import type { Act, Effect, EffectAct, StepPattern } from '@plimsoll/contracts'
import { naiveTest, type Arguments, type Commands } from './naive-expression.js'
import { naiveGlob, type NaiveLabels } from './naive-labels.js'

/** One step, as a pattern reads it. */
export interface NaiveReading {
  readonly tool: string
  readonly labels: NaiveLabels
  /** The disclosed arguments; undefined if none are known. */
  readonly args: Arguments
  /** The number of external recipients; undefined if not reported. */
  readonly outside: number | undefined
  /** What it does to what; undefined if nothing was reported of its arguments. */
  readonly effects: readonly NaiveEffect[] | undefined
  /** What its client reports to be done, with or without an effect. */
  readonly acts?: readonly Act[]
  /** Whether its text could not be read. */
  readonly isUnreadable?: boolean
}

/** What is absent is not known. */
export type NaiveEffect = Pick<Effect, 'act' | 'object' | 'reach' | 'incomplete'>

/** What an act may be if nothing else says what is done, and the effects that say it. */
const MEANINGS: Readonly<Record<Act, readonly EffectAct[]>> = {
  delete: ['delete', 'stop'],
  overwrite: ['change', 'restore'],
  pay: ['pay'],
  publish: ['publish', 'deploy'],
  send: ['send'],
  grant: ['grant', 'persist', 'control'],
  credential: ['change'],
}

/** Whether a step is of a kind; undefined if that cannot be known. */
function isOf(pattern: StepPattern, step: NaiveReading, commands: Commands): boolean | undefined {
  const { tool, labels, args, outside } = step
  const { tools, capability, confidentiality, trust, reversibility, tags, recipient, where } = pattern
  const has = (list: readonly string[] | undefined, word: string | undefined) =>
    list === undefined || (word !== undefined && list.includes(word))
  if (tools && !tools.some((glob) => naiveGlob(glob, tool))) return false
  if (!has(capability, labels.capability) || !has(reversibility, labels.reversibility)) return false
  if (!has(confidentiality, labels.confidentiality) || !has(trust, labels.trust)) return false
  if (tags && !tags.some((tag) => labels.tags.includes(tag))) return false
  const goes = outside === undefined ? undefined : outside > 0 ? 'external' : 'internal'
  const isMeant = recipient === undefined || (goes === undefined ? undefined : goes === recipient)
  const holds = where === undefined || naiveTest(where, args, commands)
  const does = doesSo(pattern, step, commands === 'all that act')
  if (isMeant === false || holds === false || does === false) return false
  return isMeant && holds && does
}

/** Whether one of its effects is as asked, or all of them; undefined if that cannot be known. */
function doesSo(
  { act, object, reach }: StepPattern,
  { effects, acts = [], isUnreadable, labels }: NaiveReading,
  isOfAll: boolean,
): boolean | undefined {
  if (act === undefined && object === undefined && reach === undefined) return true
  if (effects === undefined) return undefined
  const isAsAsked = (effect: NaiveEffect): boolean | undefined => {
    const asked: readonly (readonly [readonly string[] | undefined, string | undefined])[] = [
      [act, effect.act],
      [object, effect.object],
      [reach, effect.reach],
    ]
    const parts = asked.map(([list, word]) => list === undefined || (word && list.includes(word)))
    if (parts.includes(false)) return false
    return parts.every((part) => part === true) ? true : undefined
  }
  const isOneOf = (possible: readonly EffectAct[]): boolean | undefined => {
    const [first, ...others] = new Set(possible.map((each) => isAsAsked({ act: each })))
    return others.length === 0 ? first : undefined
  }
  const answers = new Set(effects.map(isAsAsked))
  for (const each of acts) {
    const hasEffect = each !== 'credential' && effects.some((effect) => MEANINGS[each].includes(effect.act))
    if (!hasEffect) answers.add(isOneOf(MEANINGS[each]))
  }
  // Nobody says what cannot be taken back here.
  const isSilent = effects.length === 0 && acts.length === 0
  if (isSilent && labels.reversibility === 'irreversible') answers.add(undefined)
  if (isUnreadable || effects.some(({ incomplete }) => incomplete)) answers.add(undefined)
  if (isOfAll) return answers.size === 1 && answers.has(true)
  if (answers.has(true)) return true
  return answers.has(undefined) ? undefined : false
}

/** Used against a session: unknown counts as of the kind. */
export const mayBe = (pattern: StepPattern, step: NaiveReading): boolean =>
  isOf(pattern, step, 'any as it may be spelt') !== false

/** Used in favour of a session: unknown counts as not of the kind. */
export const surelyIs = (pattern: StepPattern, step: NaiveReading): boolean =>
  isOf(pattern, step, 'any as written') === true

/** Used to lift something: all that the step does must be of the kind. */
export const surelyIsAll = (pattern: StepPattern, step: NaiveReading): boolean =>
  isOf(pattern, step, 'all that act') === true

/** Whether a pattern has labels that a result can raise. */
export const asksForRaised = ({ confidentiality, trust, tags }: StepPattern): boolean =>
  confidentiality !== undefined || trust !== undefined || tags !== undefined
