import type { Evidence, Signals } from '@plimsoll/contracts'
import { CLASSES } from '../../labels/safety-state.js'
import { type Matches, MATCHES_LENGTH } from '../../provenance/matches.js'
import { NOTHING_OWN, isOwnText } from '../../provenance/own.js'
import { type Reading, NO_CREDITS } from '../../spec-rule.js'
import type { Call, PendingCall } from '../session.js'
import { decodeEffect, encodeEffect, isSoundEffect } from './effects.js'
import { decodeLabels, encodeLabels, isLabels } from './labels.js'
import { type Row, isBelow, numberOf, rowOf, textOf } from './rows.js'

const EVIDENCE_CODES: readonly Evidence[] = ['present', 'absent', 'unknown']

/** Whether the engine can produce every number of `call`. */
export function isSoundCall(call: Call): boolean {
  if (call.status === 'open')
    return (
      isBelow(call.source, CLASSES) &&
      isBelow(call.since) &&
      call.credits.every((n) => isBelow(n)) &&
      isOwnText(call.made)
    )
  if (call.status === 'blocked') return true
  return (
    isLabels(call.labels) &&
    isSoundCount(call.matches) &&
    isBelow(call.tags) &&
    isOwnText(call.made) &&
    (call.effects?.every(isSoundEffect) ?? true) &&
    Number.isFinite(call.expiresAt)
  )
}

const isSoundCount = (matches: Matches | undefined): boolean =>
  !matches || (matches.length === MATCHES_LENGTH && matches.every((count) => isBelow(count)))

export function encodeCall(call: Call): Row {
  if (call.status === 'open') {
    const { callId, source, credits, tool, digest, since, made } = call
    const row = [0, callId, source, credits.length > 0 ? credits : 0, tool, digest, since]
    return made === NOTHING_OWN ? row : [...row, made]
  }
  if (call.status === 'blocked') return [1, call.callId]
  const evidence =
    EVIDENCE_CODES.indexOf(call.evidence) + EVIDENCE_CODES.length * EVIDENCE_CODES.indexOf(call.lineEvidence)
  const known = (call.labelled ? LABELLED : 0) + (call.derived ? DERIVED : 0)
  const row: unknown[] = [
    2,
    call.callId,
    call.decisionId,
    call.tool,
    call.argumentsDigest,
    [...encodeLabels(call.labels), known, evidence],
    call.shown,
    call.expiresAt,
  ]
  const { matches, signals, tags, readings, made, effects } = call
  const isMaking = made !== NOTHING_OWN || effects !== undefined
  const isReported = isMaking || tags > 0 || readings !== undefined
  if (matches || signals || isReported) row.push(matches ?? 0)
  if (signals || isReported) row.push(signals ?? 0)
  if (isReported) row.push(tags)
  if (readings || isMaking) row.push(readings ?? 0)
  if (isMaking) row.push(made)
  if (effects) row.push(effects.map(encodeEffect))
  return row
}

const LABELLED = 1
const DERIVED = 2

export function decodeCall(row: Row): Call {
  const [code, callId, source, credits, tool, digest, since, made] = row
  if (code === 0)
    return {
      status: 'open',
      callId: textOf(callId),
      source: numberOf(source),
      credits: credits === 0 ? NO_CREDITS : rowOf(credits).map(numberOf),
      tool: textOf(tool),
      digest: textOf(digest),
      since: numberOf(since),
      made: made === undefined ? NOTHING_OWN : textOf(made),
    }
  if (code === 1) return { status: 'blocked', callId: textOf(callId) }
  return decodePending(row)
}

function decodePending(row: Row): PendingCall {
  const [, callId, decision, tool, digest, labels, shown, expiresAt, ...reported] = row
  const [matches, signals, tags, readings, made, effects] = reported
  const [known, evidence] = rowOf(labels).slice(4)
  return {
    status: 'pending',
    callId: textOf(callId),
    decisionId: textOf(decision),
    tool: textOf(tool),
    argumentsDigest: textOf(digest),
    labels: decodeLabels(rowOf(labels)),
    labelled: (numberOf(known) & LABELLED) !== 0,
    derived: (numberOf(known) & DERIVED) !== 0,
    evidence: EVIDENCE_CODES[numberOf(evidence) % EVIDENCE_CODES.length] ?? 'unknown',
    lineEvidence: EVIDENCE_CODES[Math.floor(numberOf(evidence) / EVIDENCE_CODES.length)] ?? 'unknown',
    shown: rowOf(shown).map(textOf),
    expiresAt: numberOf(expiresAt),
    matches: matchesOf(matches),
    signals: signalsOf(signals),
    tags: tags === undefined ? 0 : numberOf(tags),
    readings: readings === undefined || readings === 0 ? undefined : rowOf(readings).map(readingOf),
    made: made === undefined ? NOTHING_OWN : textOf(made),
    effects: effects === undefined ? undefined : rowOf(effects).map((each) => decodeEffect(rowOf(each))),
  }
}

/** Anything else is dropped, so that the record no longer equals its text. */
function readingOf(value: unknown): Reading {
  if (Array.isArray(value)) return value.map(numberOf)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

const matchesOf = (value: unknown): Matches | undefined =>
  Array.isArray(value) ? value.map(numberOf) : undefined

/**
 * Numbers by name; anything else is dropped, so that the record no longer equals its text. A name that is no signal any more is kept for the
 * same reason: nothing reads it.
 */
function signalsOf(value: unknown): Signals | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter(([, signal]) => typeof signal === 'number'))
}
