import type { Decision } from '@plimsoll/contracts'
import type { Move } from './moves.js'
import type { TraceStep } from './report.js'

/** A move as a report tells it, with what was decided. */
export function traceStepOf(move: Move, decision: Decision | undefined, isApproved: boolean): TraceStep {
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
