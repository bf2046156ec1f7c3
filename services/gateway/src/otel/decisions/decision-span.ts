import {
  ROOT_CONTEXT,
  SpanKind,
  type Attributes,
  type Context,
  type TextMapPropagator,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { Decision } from '@plimsoll/contracts'

/** A decision as a span. */
export interface DecisionSpan {
  readonly name: string
  readonly kind: SpanKind
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  /** Around it: the span that asked, where its trace context came with the proposal. */
  readonly parent: Context
}

const propagator: TextMapPropagator = new W3CTraceContextPropagator()
const getter = {
  keys: (headers: Readonly<Record<string, string>>) => Object.keys(headers),
  get: (headers: Readonly<Record<string, string>>, name: string) => headers[name],
}

/** Reasons that are told; a decision seldom has more than three. */
const REASONS_MAX = 16

/** From the moment that the log had the event to the moment that it had the decision. */
export function decisionSpanOf(
  decision: Decision,
  { timeMs, headers }: { readonly timeMs: number; readonly headers: Readonly<Record<string, string>> },
): DecisionSpan {
  return {
    name: `plimsoll.decision ${decision.kind}`,
    kind: SpanKind.INTERNAL,
    startMs: decision.time,
    endMs: Math.max(decision.time, timeMs),
    attributes: attributesOf(decision),
    parent: propagator.extract(ROOT_CONTEXT, headers, getter),
  }
}

/** None of the names by which spans of agents are told from others: these spans may come back to whoever reads those. */
function attributesOf(decision: Decision): Attributes {
  const { id, sessionId, kind, callId, tool, verdict, mode, reasons, risk, versions } = decision
  return {
    'plimsoll.decision.id': id,
    'plimsoll.session.id': sessionId,
    'plimsoll.kind': kind,
    'plimsoll.call.id': callId,
    'plimsoll.tool': tool,
    'plimsoll.verdict': verdict,
    'plimsoll.mode': mode,
    'plimsoll.reasons': reasons.slice(0, REASONS_MAX).map(({ code }) => code),
    ...(risk && {
      'plimsoll.risk.level': risk.level,
      'plimsoll.risk.exposure': risk.exposure,
      'plimsoll.risk.taint': risk.taint,
    }),
    ...(versions && {
      'plimsoll.policy.version': versions.policy,
      'plimsoll.bundle.version': versions.bundle,
    }),
  }
}
