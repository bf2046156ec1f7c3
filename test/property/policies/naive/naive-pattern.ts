import type { StepPattern } from '@plimsoll/contracts'
import { naiveTest, type Arguments } from './naive-expression.js'
import { naiveGlob, type NaiveLabels } from './naive-labels.js'

/** One step, as a pattern reads it. */
export interface NaiveReading {
  readonly tool: string
  readonly labels: NaiveLabels
  /** The disclosed arguments; undefined if none are known. */
  readonly args: Arguments
  /** The number of external recipients; undefined if not reported. */
  readonly outside: number | undefined
}

/** Whether a step is of a kind; undefined if that cannot be known. */
function isOf(pattern: StepPattern, { tool, labels, args, outside }: NaiveReading): boolean | undefined {
  const { tools, capability, confidentiality, trust, reversibility, tags, recipient, where } = pattern
  const has = (list: readonly string[] | undefined, word: string | undefined) =>
    list === undefined || (word !== undefined && list.includes(word))
  if (tools && !tools.some((glob) => naiveGlob(glob, tool))) return false
  if (!has(capability, labels.capability) || !has(reversibility, labels.reversibility)) return false
  if (!has(confidentiality, labels.confidentiality) || !has(trust, labels.trust)) return false
  if (tags && !tags.some((tag) => labels.tags.includes(tag))) return false
  const goes = outside === undefined ? undefined : outside > 0 ? 'external' : 'internal'
  const isMeant = recipient === undefined || (goes === undefined ? undefined : goes === recipient)
  const holds = where === undefined || naiveTest(where, args)
  if (isMeant === false || holds === false) return false
  return isMeant && holds
}

/** Used against a session: unknown counts as of the kind. */
export const mayBe = (pattern: StepPattern, step: NaiveReading): boolean => isOf(pattern, step) !== false

/** Used in favour of a session: unknown counts as not of the kind. */
export const surelyIs = (pattern: StepPattern, step: NaiveReading): boolean => isOf(pattern, step) === true

/** Whether a pattern has labels that a result can raise. */
export const asksForRaised = ({ confidentiality, trust, tags }: StepPattern): boolean =>
  confidentiality !== undefined || trust !== undefined || tags !== undefined
