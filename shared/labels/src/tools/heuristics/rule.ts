import { type Action, SEVERITY } from './actions.js'
import type { Reading } from './reading.js'
import { speaksOfMoney } from './schema.js'
import type { Thing } from './things.js'

/** Refines the verb's action; returns undefined if the rule does not apply. */
export type Rule = (
  reading: Reading,
  action: Action,
  word: string,
) => { action: Action; because: string } | undefined

export const isAbout = (things: readonly Thing[], ...kinds: readonly string[]): boolean =>
  things.some(({ kind }) => kinds.includes(kind))

export const hasAny = (words: readonly string[], ...wanted: readonly string[]): boolean =>
  wanted.some((word) => words.includes(word))

export const isWorse = (a: Action, b: Action): boolean => SEVERITY.indexOf(a) > SEVERITY.indexOf(b)

/** Kinds of things that are money. */
export const MONEY = [
  'money',
  'money that came in, and who asks for it',
  "one's own or planned mail or payments",
]

/** Whether name, description or arguments speak of money. */
export const isMoney = ({ name, description, objects, schema }: Reading): boolean =>
  isAbout(objects, ...MONEY) || speaksOfMoney(name) || speaksOfMoney(description) || schema.speaksOfMoney
