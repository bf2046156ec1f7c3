import type { Evidence, Signals } from '@plimsoll/contracts'
import { CLASSES } from './classes.js'
import { MATCHES_LENGTH, type Matches } from './matches.js'
import { isBelow, isLabels, numberOf, rowOf, textOf, type Row } from './record-values.js'
import type { Call, OpenCall, PendingCall } from './session.js'
import type { Reading } from './specs/pattern.js'
import { NO_CREDITS } from './specs/remember.js'

const EVIDENCE_CODES: readonly Evidence[] = ['present', 'absent', 'unknown']

/** Whether every number of `call` is one that the engine could have counted. */
export function isSoundCall(call: Call): boolean {
  if (call.status === 'open')
    return isBelow(call.source, CLASSES) && isBelow(call.since) && call.credits.every((n) => isBelow(n))
  if (call.status === 'blocked') return true
  return isLabels(call.labels) && isSoundCount(call.matches)
}

const isSoundCount = (matches: Matches | undefined): boolean =>
  !matches || (matches.length === MATCHES_LENGTH && matches.every((count) => isBelow(count)))

export function encodeCall(call: Call): Row {
  if (call.status === 'open') return encodeOpen(call)
  if (call.status === 'blocked') return [1, call.callId]
  const { exposure, escalation, reversibility, untrusted } = call.labels
  const evidence =
    EVIDENCE_CODES.indexOf(call.evidence) + EVIDENCE_CODES.length * EVIDENCE_CODES.indexOf(call.lineEvidence)
  const known = (call.labelled ? LABELLED : 0) + (call.derived ? DERIVED : 0)
  const labels = [exposure, escalation, reversibility, untrusted ? 1 : 0, known, evidence]
  const row: unknown[] = [
    2,
    call.callId,
    call.decisionId,
    call.tool,
    call.argumentsDigest,
    labels,
    call.shown,
    call.expiresAt,
  ]
  const { matches, signals, tags, readings } = call
  const isTold = tags > 0 || readings !== undefined
  if (matches || signals || isTold) row.push(matches ?? 0)
  if (signals || isTold) row.push(signals ?? 0)
  if (isTold) row.push(tags)
  if (readings) row.push(readings)
  return row
}

function encodeOpen({ callId, source, credits, tool, digest, since }: OpenCall): Row {
  return [0, callId, source, credits.length > 0 ? credits : 0, tool, digest, since]
}

const LABELLED = 1
const DERIVED = 2

export function decodeCall(row: Row): Call {
  const [code, callId, source, credits, tool, digest, since] = row
  if (code === 0)
    return {
      status: 'open',
      callId: textOf(callId),
      source: numberOf(source),
      credits: credits === 0 ? NO_CREDITS : rowOf(credits).map(numberOf),
      tool: textOf(tool),
      digest: textOf(digest),
      since: numberOf(since),
    }
  if (code === 1) return { status: 'blocked', callId: textOf(callId) }
  return decodePending(row)
}

function decodePending(row: Row): PendingCall {
  const [, callId, decision, tool, digest, labels, shown, expiresAt, matches, signals, tags, readings] = row
  const [exposure, escalation, reversibility, untrusted, known, evidence] = rowOf(labels)
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
    labelled: (numberOf(known) & LABELLED) !== 0,
    derived: (numberOf(known) & DERIVED) !== 0,
    evidence: EVIDENCE_CODES[numberOf(evidence) % EVIDENCE_CODES.length] ?? 'unknown',
    lineEvidence: EVIDENCE_CODES[Math.floor(numberOf(evidence) / EVIDENCE_CODES.length)] ?? 'unknown',
    shown: rowOf(shown).map(textOf),
    expiresAt: numberOf(expiresAt),
    matches: matchesOf(matches),
    signals: signalsOf(signals),
    tags: tags === undefined ? 0 : numberOf(tags),
    readings: readings === undefined ? undefined : rowOf(readings).map(readingOf),
  }
}

/** What stands there otherwise is lost, and the record is not what was written. */
function readingOf(value: unknown): Reading {
  if (Array.isArray(value)) return value.map(numberOf)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

const matchesOf = (value: unknown): Matches | undefined =>
  Array.isArray(value) ? value.map(numberOf) : undefined

/** By name, numbers alone: what else stands there is lost, and the record is not what was written. */
function signalsOf(value: unknown): Signals | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter(([, signal]) => typeof signal === 'number'))
}
