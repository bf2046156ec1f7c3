import type { Evidence } from '@plimsoll/contracts'
import { decodeRecent, encodeRecent } from './recent-text.js'
import { SAFETY_STATES, type StepLabels } from './safety-state.js'
import type { Call, PendingCall, Producer, Recent, SessionState } from './session.js'
import { ESCALATIONS, EXPOSURES, LEVELS, REVERSIBILITIES, TAINTS, VERDICTS } from './words.js'

/** Number of the record's layout. A reader refuses a greater one. */
export const RECORD_SCHEMA = 2

export type Decoded =
  | { readonly kind: 'state'; readonly state: SessionState }
  | { readonly kind: 'too_new'; readonly schema: number }
  | { readonly kind: 'invalid' }

const INVALID: Decoded = { kind: 'invalid' }
const EVIDENCE_CODES: readonly Evidence[] = ['present', 'absent', 'unknown']
const BANDS = 4

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
    encodeProducers(state.producers),
    encodeRecent(state.recent),
    state.calls.map(encodeCall),
    state.agent,
  ])
}

/**
 * The state that `text` holds, exactly as it was written or not at all: whatever is damaged in it would otherwise read as a
 * session safer than it is. Source: docs/decisions/20261121-pinning.md for newer layouts.
 */
export function decodeState(text: string): Decoded {
  const row = parseRow(text)
  const schema = row?.[0]
  if (!row || typeof schema !== 'number') return INVALID
  if (schema > RECORD_SCHEMA) return { kind: 'too_new', schema }
  const [current, currentText] = schema === 1 ? upgrade(row) : [row, text]
  const state = stateOf(current)
  return isSound(state) && encodeState(state) === currentText ? { kind: 'state', state } : INVALID
}

const RECENT = 14

/** A record of layout 1, as this one has it: without an agent, and with numbers for what was heard last. */
function upgrade(row: Row): [row: Row, text: string] {
  const recent = encodeRecent(pairs(rowOf(row[RECENT]), recentOf))
  const current = [RECORD_SCHEMA, ...row.slice(1, RECENT), recent, ...row.slice(RECENT + 1), '']
  return [current, JSON.stringify(current)]
}

function stateOf(row: Row): SessionState {
  const [, ended, pins, category, ...rest] = row
  const [safety, level, taint, band, steps, blocked, violations, unjudged, time] = rest
  const [producers, recent, calls, agent] = rest.slice(9)
  const [bundle, policy, catalogue] = rowOf(pins)
  return {
    ended: ended === 1,
    pins: { bundle: textOf(bundle), policy: textOf(policy), catalogue: textOf(catalogue) },
    category: textOf(category),
    agent: textOf(agent),
    safety: numberOf(safety),
    level: numberOf(level),
    taint: numberOf(taint),
    band: numberOf(band),
    steps: numberOf(steps),
    blocked: numberOf(blocked),
    violations: numberOf(violations),
    unjudged: numberOf(unjudged),
    time: numberOf(time),
    producers: pairs(rowOf(producers), decodeProducer),
    recent: decodeRecent(textOf(recent)),
    calls: rowOf(calls).map((call) => decodeCall(rowOf(call))),
  }
}

const decodeProducer = (name: unknown, next: unknown): Producer => ({
  name: textOf(name),
  next: numberOf(next),
})

const recentOf = (hash: unknown, code: unknown): Recent => ({
  hash: numberOf(hash),
  verdict: VERDICTS[numberOf(code)] ?? 'block',
})

/** Whether every number of `state` is one that the engine could have counted. */
function isSound(state: SessionState): boolean {
  const { steps, blocked, violations, unjudged, producers, calls } = state
  return (
    isBelow(state.safety, SAFETY_STATES) &&
    isBelow(state.level, LEVELS.length) &&
    isBelow(state.taint, TAINTS.length) &&
    isBelow(state.band, BANDS) &&
    [steps, blocked, violations, unjudged, ...producers.map(({ next }) => next)].every((n) => isBelow(n)) &&
    calls.every((call) => call.status !== 'pending' || isLabels(call.labels))
  )
}

function isBelow(value: number, bound = Infinity): boolean {
  return Number.isInteger(value) && value >= 0 && value < bound
}

const isLabels = ({ exposure, escalation, reversibility }: StepLabels): boolean =>
  isBelow(exposure, EXPOSURES.length) &&
  isBelow(escalation, ESCALATIONS.length) &&
  isBelow(reversibility, REVERSIBILITIES.length)

// Pushing into one array is several times as quick as flatMap, and every record goes this way.
function encodeProducers(producers: readonly Producer[]): Row {
  const row: unknown[] = []
  for (const { name, next } of producers) row.push(name, next)
  return row
}

function encodeCall(call: Call): Row {
  if (call.status === 'open') return [0, call.callId]
  if (call.status === 'blocked') return [1, call.callId]
  const { exposure, escalation, reversibility, untrusted } = call.labels
  const evidence = EVIDENCE_CODES.indexOf(call.evidence)
  const labels = [exposure, escalation, reversibility, untrusted ? 1 : 0, call.labelled ? 1 : 0, evidence]
  return [
    2,
    call.callId,
    call.decisionId,
    call.tool,
    call.argumentsDigest,
    labels,
    call.shown,
    call.expiresAt,
  ]
}

function decodeCall(row: Row): Call {
  const [code, callId] = row
  if (code === 0) return { status: 'open', callId: textOf(callId) }
  if (code === 1) return { status: 'blocked', callId: textOf(callId) }
  return decodePending(row)
}

function decodePending([, callId, decision, tool, digest, labels, shown, expiresAt]: Row): PendingCall {
  const [exposure, escalation, reversibility, untrusted, labelled, evidence] = rowOf(labels)
  return {
    status: 'pending',
    callId: textOf(callId),
    decisionId: textOf(decision),
    tool: textOf(tool),
    argumentsDigest: textOf(digest),
    labels: {
      exposure: numberOf(exposure),
      escalation: numberOf(escalation),
      reversibility: numberOf(reversibility),
      untrusted: untrusted === 1,
    },
    labelled: labelled === 1,
    evidence: EVIDENCE_CODES[numberOf(evidence)] ?? 'unknown',
    shown: rowOf(shown).map(textOf),
    expiresAt: numberOf(expiresAt),
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

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)
const rowOf = (value: unknown): Row => (Array.isArray(value) ? value : [])

function pairs<T>(row: Row, make: (first: unknown, second: unknown) => T): T[] {
  const made: T[] = []
  for (let i = 0; i + 1 < row.length; i += 2) made.push(make(row[i], row[i + 1]))
  return made
}
