import { type Policy, type Spec, type StepPattern, PlimsollError, digestOf } from '@plimsoll/contracts'
import type { Expression, Reading } from '@plimsoll/engine'
import { compileExpression } from './expressions.js'

/** Bits that one number holds: so many tags may a policy name, and so many labels one flow. */
export const BITS = 31

/** What all specs of a policy share: the bits of its tags, the numbers of its expressions. */
export interface Numbering {
  readonly tagBits: ReadonlyMap<string, number>
  /** By the text of the expression and what is wanted of it. */
  readonly expressions: ReadonlyMap<string, NumberedExpression>
}

export type ResultKind = 'truth' | 'number' | 'values'

export interface NumberedExpression {
  readonly number: number
  readonly text: string
  readonly wanted: ResultKind
}

export const expressionKey = (text: string, wanted: ResultKind): string => `${wanted} ${text}`

/** Numbers what the specs of `policy` ask for. Throws `document_invalid` where it names too many tags. */
export function numberPolicy({ specs, declassifiers = [] }: Policy): Numbering {
  const tags = new Set<string>()
  const expressions = new Map<string, NumberedExpression>()
  const take = (text: string | undefined, wanted: ResultKind) => {
    if (text === undefined) return
    const key = expressionKey(text, wanted)
    if (!expressions.has(key)) expressions.set(key, { number: expressions.size, text, wanted })
  }
  for (const pattern of [...specs.flatMap(patternsOf), ...declassifiers.map(({ step }) => step)]) {
    for (const tag of pattern.tags ?? []) tags.add(tag)
    take(pattern.where, 'truth')
  }
  for (const spec of specs) {
    if ('sum' in spec) take(spec.sum?.of, 'number')
    if ('distinct' in spec) take(spec.distinct?.of, 'values')
  }
  if (tags.size > BITS)
    throw new PlimsollError(
      'document_invalid',
      `policy names ${tags.size} tags; at most ${BITS} are supported`,
    )
  return { tagBits: new Map([...tags].map((tag, i) => [tag, 1 << i])), expressions }
}

/** Every pattern that stands in a spec, its own first. */
export function patternsOf(spec: Spec): StepPattern[] {
  const patterns: (StepPattern | undefined)[] = [spec]
  if (spec.tier === 'mustlist') patterns.push(spec.requires, spec.followedBy?.step)
  else {
    patterns.push(spec.after, spec.before, spec.between?.from, spec.between?.to)
    if ('flow' in spec) patterns.push(spec.flow?.from, spec.flow?.to)
  }
  return patterns.filter((pattern) => pattern !== undefined)
}

/** Values of one argument that are told apart; a list that is longer is not known. */
const VALUES_MAX = 128

/** What is asked of arguments, as the engine has it. Throws `document_invalid` for what is no expression. */
export function createExpression({ number, text, wanted }: NumberedExpression): Expression {
  const { evaluate } = compileExpression(text)
  const take = TAKEN[wanted]
  return { number, read: (args) => take(evaluate(args)) }
}

const TAKEN: Readonly<Record<ResultKind, (value: unknown) => Reading>> = {
  truth: (value) => (typeof value === 'boolean' ? value : null),
  number: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : null),
  values: (value) =>
    value === undefined || value === null ? null : hashesOf(Array.isArray(value) ? value : [value]),
}

function hashesOf(values: readonly unknown[]): Reading {
  return values.length > VALUES_MAX ? null : values.map((value) => hashOf(value))
}

/** 52 bits of SHA-256, never 0. The adversary writes the arguments: different values of one hash must not be cheap to find. */
const hashOf = (value: unknown): number => Number.parseInt(digestOf(value).slice(0, HASH_DIGITS), 16) || 1
const HASH_DIGITS = 13
