import { digestOf } from '@plimsoll/contracts'
import type { Expression, Reading } from '@plimsoll/engine'
import { compileExpression } from '../expressions.js'
import type { NumberedExpression, Wanted } from './numbering.js'

/** Values of one argument that are told apart; a list that is longer is not known. */
const VALUES_MAX = 128

/** What is asked of arguments, as the engine has it. Throws `document_invalid` for what is no expression. */
export function createExpression({ number, text, wanted }: NumberedExpression): Expression {
  const { evaluate } = compileExpression(text)
  const take = TAKEN[wanted]
  return { number, read: (args) => take(evaluate(args)) }
}

const TAKEN: Readonly<Record<Wanted, (value: unknown) => Reading>> = {
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
