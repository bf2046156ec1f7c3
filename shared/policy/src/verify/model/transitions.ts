import { type ClaimedLabels, type Decision, type ToolLabels, logged } from '@plimsoll/contracts'
import type { LoggedEvent } from '@plimsoll/engine'
import type { TraceStep } from '../report.js'
import { type StepInput, completionOf } from './inputs.js'
import type { OpenClass } from './normal-form.js'
import type { StepKind } from './step-kinds.js'

export type Transition = ProposeTransition | CompleteTransition | EndTransition

export interface ProposeTransition {
  readonly kind: 'propose'
  readonly input: StepInput
  /** Ids of the specs whose windows have passed. */
  readonly expired: readonly string[]
  readonly answer?: 'approved' | 'denied'
  /** Whether a source outside the model blocks it. */
  readonly stopped?: true
  /** The outcome, if it ran without a verdict. */
  readonly withoutVerdict?: 'ok' | 'error'
}

export interface CompleteTransition {
  readonly kind: 'complete'
  readonly of: OpenClass
  readonly tool: string
  /** The catalogue's labels, if the result raises them. */
  readonly base?: ToolLabels
  readonly outcome: 'ok' | 'error'
  readonly claims?: ClaimedLabels
  /** The index of the raise among those of its kind. */
  readonly raise?: number
  /** Whether another call of the class stays in flight. */
  readonly stays: boolean
}

export interface EndTransition {
  readonly kind: 'end'
}

/** A possible completion of a call, and its event. */
export interface Return {
  readonly transition: CompleteTransition
  readonly at: LoggedEvent
}

/** The possible completions of a call of the class, without those that make no difference. */
export function returnsOf(
  of: OpenClass,
  kind: StepKind | undefined,
  isExact: boolean,
  timeMs: number,
): Return[] {
  const tool = kind?.tool ?? ''
  // If completing the call has no effect, its outcome makes no difference.
  const outcomes = of.isPlain ? (['ok'] as const) : (['ok', 'error'] as const)
  const returns: Return[] = []
  for (const [i, claims] of [undefined, ...(kind?.raises ?? [])].entries())
    for (const outcome of outcomes)
      for (const stays of isExact ? [false] : [false, true]) {
        const isNothing = stays && !claims && (of.isPlain || outcome === 'error')
        if (isNothing) continue
        const raised = claims && kind && { claims, base: kind.base, raise: i - 1 }
        const event = completionOf(of.callId, tool, outcome, claims)
        returns.push({
          transition: { kind: 'complete', of, tool, outcome, stays, ...raised },
          at: logged(event, timeMs),
        })
      }
  return returns
}

/** A kind whose results can have the same raises as those of the class. */
export function kindByClass(kinds: readonly StepKind[]): (raiseClass: number) => StepKind | undefined {
  const byClass = new Map<number, StepKind>()
  for (const kind of kinds) if (!byClass.has(kind.raiseClass)) byClass.set(kind.raiseClass, kind)
  return (raiseClass) => byClass.get(raiseClass)
}

/** `make`, memoized by key. */
export function remembering<T, V>(keyOf: (of: T) => unknown, make: (of: T) => V): (of: T) => V {
  const made = new Map<unknown, V>()
  return (of) => {
    const key = keyOf(of)
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(of)
    made.set(key, value)
    return value
  }
}

/** A transition as a step of a report's trace, with its decision. */
export function traceStepOf(
  move: Transition,
  decision: Decision | undefined,
  isApproved: boolean,
): TraceStep {
  if (move.kind === 'end') return { event: 'ended' }
  if (move.kind === 'complete')
    return {
      event: 'completed',
      tool: move.tool,
      outcome: move.outcome,
      ...(move.claims && { claims: move.claims }),
    }
  const { input, expired } = move
  const { kind, seen, evidence } = input
  const asksWhere = seen.where === undefined || Object.keys(seen.where).length > 0
  return {
    event: 'proposed',
    tool: kind.tool,
    ...(kind.claims && { claims: kind.claims }),
    ...(seen.outside !== undefined && { recipient: seen.outside ? 'external' : 'internal' }),
    ...(seen.effects && seen.effects.length > 0 && { effects: seen.effects }),
    ...(asksWhere && seen.where && { where: seen.where }),
    ...(evidence !== 'unknown' && { evidence }),
    ...(expired.length > 0 && { expired }),
    ...(decision && {
      verdict: decision.verdict,
      reasons: decision.reasons
        .filter(({ verdict }) => verdict !== 'allow')
        .map(({ source, code, verdict }) => ({ source, code, verdict })),
    }),
    ...(isApproved && { approved: true }),
    ...(move.withoutVerdict && { withoutVerdict: true, outcome: move.withoutVerdict }),
  }
}
