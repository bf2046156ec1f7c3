import { VERDICTS, type Evidence } from '@plimsoll/contracts'
import type { Call, PendingCall, Producer, Recent, SessionState } from './session.js'

/** Number of the record's layout. A reader refuses a greater one. */
export const RECORD_SCHEMA = 1

export type Decoded =
  | { readonly kind: 'state'; readonly state: SessionState }
  | { readonly kind: 'too_new'; readonly schema: number }
  | { readonly kind: 'invalid' }

const EVIDENCE_CODES: readonly Evidence[] = ['present', 'absent', 'unknown']

type Row = readonly unknown[]

/** A session's state as compact text: a JSON array whose first member is the layout's number. */
export function encodeState(state: SessionState): string {
  const { pins } = state
  return JSON.stringify([
    RECORD_SCHEMA,
    state.ended ? 1 : 0,
    [pins.bundle, pins.policy, pins.catalogue],
    state.category,
    state.safety,
    state.level,
    state.taint,
    state.band,
    state.steps,
    state.blocked,
    state.violations,
    state.unjudged,
    state.time,
    state.producers.flatMap(({ name, next }) => [name, next]),
    state.recent.flatMap(({ hash, verdict }) => [hash, VERDICTS.indexOf(verdict)]),
    state.calls.map(encodeCall),
  ])
}

/** The state that `text` holds. Source: docs/decisions/20261121-pinning.md for newer layouts. */
export function decodeState(text: string): Decoded {
  const row = parseRow(text)
  const schema = row?.[0]
  if (!row || typeof schema !== 'number') return { kind: 'invalid' }
  if (schema > RECORD_SCHEMA) return { kind: 'too_new', schema }
  return row.length === 16 ? { kind: 'state', state: stateOf(row) } : { kind: 'invalid' }
}

function stateOf(row: Row): SessionState {
  const [, ended, pins, category, ...rest] = row
  const [safety, level, taint, band, steps, blocked, violations, unjudged, time] = rest.slice(0, 9).map(Number)
  const [producers, recent, calls] = rest.slice(9)
  const [bundle, policy, catalogue] = rowOf(pins).map(String)
  return {
    ended: ended === 1,
    pins: { bundle: bundle ?? '', policy: policy ?? '', catalogue: catalogue ?? '' },
    category: String(category),
    safety: safety ?? 0,
    level: level ?? 0,
    taint: taint ?? 0,
    band: band ?? 0,
    steps: steps ?? 0,
    blocked: blocked ?? 0,
    violations: violations ?? 0,
    unjudged: unjudged ?? 0,
    time: time ?? 0,
    producers: pairs(rowOf(producers), (name, next): Producer => ({ name: String(name), next: Number(next) })),
    recent: pairs(rowOf(recent), (hash, code): Recent => ({ hash: Number(hash), verdict: VERDICTS[Number(code)] ?? 'block' })),
    calls: rowOf(calls).map((call) => decodeCall(rowOf(call))),
  }
}

function encodeCall(call: Call): Row {
  if (call.status === 'open') return [0, call.callId]
  if (call.status === 'blocked') return [1, call.callId]
  const { exposure, escalation, reversibility, untrusted } = call.labels
  const labels = [exposure, escalation, reversibility, untrusted ? 1 : 0, call.labelled ? 1 : 0, EVIDENCE_CODES.indexOf(call.evidence)]
  return [2, call.callId, call.decisionId, call.tool, call.argumentsDigest, labels, call.shown, call.expiresAt]
}

function decodeCall(row: Row): Call {
  const [code, callId] = row
  if (code === 0) return { status: 'open', callId: String(callId) }
  if (code === 1) return { status: 'blocked', callId: String(callId) }
  return decodePending(row)
}

function decodePending([, callId, decision, tool, digest, labels, shown, expiresAt]: Row): PendingCall {
  const [exposure, escalation, reversibility, untrusted, labelled, evidence] = rowOf(labels).map(Number)
  return {
    status: 'pending',
    callId: String(callId),
    decisionId: String(decision),
    tool: String(tool),
    argumentsDigest: String(digest),
    labels: {
      exposure: exposure ?? 0,
      escalation: escalation ?? 0,
      reversibility: reversibility ?? 0,
      untrusted: untrusted === 1,
    },
    labelled: labelled === 1,
    evidence: EVIDENCE_CODES[evidence ?? 2] ?? 'unknown',
    shown: rowOf(shown).map(String),
    expiresAt: Number(expiresAt),
  }
}

function parseRow(text: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const rowOf = (value: unknown): Row => (Array.isArray(value) ? value : [])

function pairs<T>(row: Row, make: (first: unknown, second: unknown) => T): T[] {
  const made: T[] = []
  for (let i = 0; i + 1 < row.length; i += 2) made.push(make(row[i], row[i + 1]))
  return made
}
