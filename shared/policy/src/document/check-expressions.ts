import { PlimsollError, type PolicyParts, type Run, type Spec } from '@plimsoll/contracts'
import { compileExpression, type ExpressionKind } from '../specs/expressions.js'
import type { Problem } from './problems.js'

type Path = readonly PropertyKey[]

/** An expression of the document, and what it is asked for. */
interface Asked {
  readonly text: string
  readonly path: Path
  readonly wanted: 'bool' | 'number' | 'value'
}

/** Expressions that do not compile, and those that give something else than they are asked for. */
export function expressionProblems(policy: PolicyParts): Problem[] {
  const known = new Map<string, ExpressionKind | PlimsollError>()
  return expressionsOf(policy).flatMap(({ text, path, wanted }) => {
    const kind = known.get(text) ?? kindOf(text)
    known.set(text, kind)
    const message = kind instanceof PlimsollError ? kind.message : unfit(kind, wanted)
    return message === undefined ? [] : [{ path, message }]
  })
}

function kindOf(text: string): ExpressionKind | PlimsollError {
  try {
    return compileExpression(text).gives
  } catch (error) {
    if (error instanceof PlimsollError) return error
    throw error
  }
}

const KINDS: Readonly<Record<Exclude<ExpressionKind, 'any'>, string>> = {
  bool: 'true or false',
  number: 'a number',
  string: 'a text',
  list: 'a list',
  null: 'null',
}

function unfit(kind: ExpressionKind, wanted: Asked['wanted']): string | undefined {
  if (kind === 'any' || kind === wanted || wanted === 'value') return undefined
  return `gives ${KINDS[kind]}: write an expression that gives ${KINDS[wanted]}`
}

function expressionsOf({ specs, declassifiers = [], analysis }: PolicyParts): Asked[] {
  return [
    ...specs.flatMap((spec, i) => ofSpec(spec, ['specs', i])),
    ...declassifiers.flatMap(({ step }, i) => ofPattern(step, ['declassifiers', i, 'step'])),
    ...(analysis?.hazards ?? []).flatMap(({ reached }, i) =>
      ofRun(reached, ['analysis', 'hazards', i, 'reached']),
    ),
    ...(analysis?.goals ?? []).flatMap(({ reached }, i) =>
      ofRun(reached, ['analysis', 'goals', i, 'reached']),
    ),
  ]
}

function ofSpec(spec: Spec, path: Path): Asked[] {
  const own = ofPattern(spec, path)
  if (spec.tier === 'mustlist')
    return [
      ...own,
      ...ofPattern(spec.requires, [...path, 'requires']),
      ...ofPattern(spec.followedBy?.step, [...path, 'followedBy', 'step']),
    ]
  const conditions = [
    ...own,
    ...ofPattern(spec.after, [...path, 'after']),
    ...ofPattern(spec.before, [...path, 'before']),
    ...ofPattern(spec.between?.from, [...path, 'between', 'from']),
    ...ofPattern(spec.between?.to, [...path, 'between', 'to']),
  ]
  if (spec.tier === 'allowlist') return conditions
  const { sum, distinct, flow } = spec
  return [
    ...conditions,
    ...(sum ? [{ text: sum.of, path: [...path, 'sum', 'of'], wanted: 'number' as const }] : []),
    ...(distinct ? [{ text: distinct.of, path: [...path, 'distinct', 'of'], wanted: 'value' as const }] : []),
    ...ofPattern(flow?.from, [...path, 'flow', 'from']),
    ...ofPattern(flow?.to, [...path, 'flow', 'to']),
  ]
}

function ofRun(run: Run | undefined, path: Path): Asked[] {
  if (!run) return []
  if ('endsAfter' in run)
    return [
      ...ofPattern(run.endsAfter, [...path, 'endsAfter']),
      ...ofPattern(run.without, [...path, 'without']),
    ]
  return [
    ...run.sequence.flatMap((step, i) => ofPattern(step, [...path, 'sequence', i])),
    ...ofPattern(run.unless, [...path, 'unless']),
  ]
}

const ofPattern = (pattern: { readonly where?: string | undefined } | undefined, path: Path): Asked[] =>
  pattern?.where === undefined ? [] : [{ text: pattern.where, path: [...path, 'where'], wanted: 'bool' }]
