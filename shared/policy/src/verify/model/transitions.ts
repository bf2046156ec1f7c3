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
  /** Whether something that the model leaves out blocks it. */
  readonly stopped?: true
  /** Whether it ran without a verdict, and how it came back. */
  readonly withoutVerdict?: 'ok' | 'error'
}

export interface CompleteTransition {
  readonly kind: 'complete'
  readonly of: OpenClass
  readonly tool: string
  /** What the catalogue has of it, where the result tells more. */
  readonly base?: ToolLabels
  readonly outcome: 'ok' | 'error'
  readonly claims?: ClaimedLabels
  /** Which of the raises of its kind that is. */
  readonly raise?: number
  /** Whether another call of the class stays in flight. */
  readonly stays: boolean
}

export interface EndTransition {
  readonly kind: 'end'
}

/** A way in which a call may come back, and the event that says so. */
export interface Return {
  readonly transition: CompleteTransition
  readonly at: LoggedEvent
}

/** Every way in which a call of the class may come back, without those that make no difference. */
export function returnsOf(
  of: OpenClass,
  kind: StepKind | undefined,
  isExact: boolean,
  timeMs: number,
): Return[] {
  const tool = kind?.tool ?? ''
  // Of a call for which nothing comes to count it is all one whether it comes back well.
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

/** A kind whose results may tell what those of the class may. */
export function kindByClass(kinds: readonly StepKind[]): (raiseClass: number) => StepKind | undefined {
  const byClass = new Map<number, StepKind>()
  for (const kind of kinds) if (!byClass.has(kind.raiseClass)) byClass.set(kind.raiseClass, kind)
  return (raiseClass) => byClass.get(raiseClass)
}

/** `make`, which makes nothing twice of the same key. */
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

/** A move as a report tells it, with what was decided. */
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
