import { type ConditionKey, type Policy, type Spec, PlimsollError, digestOf } from '@plimsoll/contracts'
import { type Expression, type Reading, CELLS_MAX } from '@plimsoll/engine'
import { type CountedKind, CONDITION_KEYS, cellsByCondition, countedIn } from './conditions.js'
import { type IsCommand, type TextSide, readTruth } from './command-text.js'
import { compileExpression } from './expressions.js'
import { patternsOfSpec } from './walk.js'

/** Bits of one number: the most tags that a policy may name, and the most labels of one flow. */
export const BITS = 31

/** What all specs of a policy share: the bits of its tags, the numbers of its expressions. */
export interface Numbering {
  readonly tagBits: ReadonlyMap<string, number>
  /** By `expressionKey`. */
  readonly expressions: ReadonlyMap<string, NumberedExpression>
}

/** A truth has a number for each side: conditions on command text differ by it. */
export type ResultKind = 'truth' | 'truthFor' | 'truthLifts' | CountedKind

/** `truth` is the number that a record of before the others has. */
export const TRUTH_OF: Readonly<Record<TextSide, ResultKind>> = {
  against: 'truth',
  for: 'truthFor',
  lifts: 'truthLifts',
}

export interface NumberedExpression {
  readonly number: number
  readonly text: string
  readonly wanted: ResultKind
}

export const expressionKey = (text: string, wanted: ResultKind): string => `${wanted} ${text}`

/** Numbers the tags and expressions of `policy`. Throws `document_invalid` where it names too many tags. */
export function numberPolicy({ specs, declassifiers = [] }: Policy): Numbering {
  const tags = new Set<string>()
  const expressions = new Map<string, NumberedExpression>()
  const take = (text: string | undefined, wanted: ResultKind) => {
    if (text === undefined) return
    const key = expressionKey(text, wanted)
    if (!expressions.has(key)) expressions.set(key, { number: expressions.size, text, wanted })
  }
  for (const pattern of [...specs.flatMap(patternsOfSpec), ...declassifiers.map(({ step }) => step)]) {
    for (const tag of pattern.tags ?? []) tags.add(tag)
    take(pattern.where, 'truth')
  }
  for (const { text, kind } of specs.flatMap(countedIn)) take(text, kind)
  // After all others, whose numbers are in records of sessions. Only a text can be a command line.
  for (const { text, wanted } of expressions.values())
    if (wanted === 'truth' && compileExpression(text).texts.length > 0)
      for (const each of ['truthFor', 'truthLifts'] as const) take(text, each)
  if (tags.size > BITS)
    throw new PlimsollError(
      'document_invalid',
      `policy names ${tags.size} tags; at most ${BITS} are supported`,
    )
  return { tagBits: new Map([...tags].map((tag, i) => [tag, 1 << i])), expressions }
}

/** Most values of one argument that are distinguished; a longer list is unknown. */
const VALUES_MAX = 128

/**
 * The expression in the engine's form, for a tool whose command lines `isCommand` knows. Throws `document_invalid` where `text` does not
 * compile.
 */
export function createExpression({
  number,
  text,
  wanted,
}: NumberedExpression): (isCommand: IsCommand) => Expression {
  const compiled = compileExpression(text)
  const side = SIDES[wanted]
  if (side) return (isCommand) => ({ number, read: (args) => readTruth(compiled, args, side, isCommand) })
  const take = wanted === 'number' ? numberOf : valuesOf
  const expression: Expression = { number, read: (args) => take(compiled.evaluate(args)) }
  return () => expression
}

const SIDES: Readonly<Partial<Record<ResultKind, TextSide>>> = {
  truth: 'against',
  truthFor: 'for',
  truthLifts: 'lifts',
}

const numberOf = (value: unknown): Reading =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

function valuesOf(value: unknown): Reading {
  if (value === undefined || value === null) return null
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.length > VALUES_MAX ? null : values.map(hashOf)
}

/** 52 bits of SHA-256, never 0. An adversary writes the arguments: collisions must not be cheap to find. */
const hashOf = (value: unknown): number => Number.parseInt(digestOf(value).slice(0, HASH_DIGITS), 16) || 1
const HASH_DIGITS = 13

/** The first memory cell of each condition of one spec. */
export type SpecCells = Readonly<Record<ConditionKey, number>>

/** Cell 0 belongs to the memory itself: it says whether the others are complete. */
const FIRST_CELL = 1

/**
 * Gives each condition of each spec its cells, in the order of the document. Throws `document_invalid` where a session's record would
 * grow too large.
 */
export function layOut({ specs }: Policy): { readonly cells: number; readonly of: readonly SpecCells[] } {
  let next = FIRST_CELL
  const of = specs.map((spec) => {
    const needed = cellsByCondition(spec)
    const take = (key: ConditionKey): [ConditionKey, number] => {
      const first = next
      next += needed.get(key) ?? 0
      return [key, first]
    }
    return Object.fromEntries(CONDITION_KEYS.map(take)) as SpecCells
  })
  if (next > CELLS_MAX)
    throw new PlimsollError(
      'document_invalid',
      `policy keeps ${next} numbers of each session; at most ${CELLS_MAX} are supported: use fewer conditions on time, counts and flows, or smaller \`distinct\``,
    )
  return { cells: next === FIRST_CELL ? 0 : next, of }
}

/** Memory cells of one spec. */
export const cellsNeeded = (spec: Spec): number =>
  [...cellsByCondition(spec).values()].reduce((sum, cells) => sum + cells, 0)
