import type { Evidence, Signals } from '@plimsoll/contracts'
import { FLOW_BUCKETS, FLOW_STATES } from '../labels/flow-state.js'
import { type Refined, NO_REFINED } from '../labels/refined.js'
import { type StepLabels, CLASSES, SAFETY_STATES } from '../labels/safety-state.js'
import { ACTS, ESCALATIONS, EXPOSURES, LEVELS, REVERSIBILITIES, TAINTS, VERDICTS } from '../labels/words.js'
import { type Matches, MATCHES_LENGTH } from '../provenance/matches.js'
import { NO_SOURCES, isSources } from '../provenance/sources.js'
import { type Reading, CELLS_MAX, NO_CREDITS, NO_MEMORY } from '../spec-rule.js'
import { NO_CONDUCT, isConduct } from './conduct.js'
import { NO_HISTORY } from './history.js'
import {
  type Call,
  type PendingCall,
  type Producer,
  type Recent,
  type SessionState,
  type StandingApproval,
  LEFT_STATES,
  LIMITS,
  NO_APPROVALS,
} from './session.js'

/** Values of a record's JSON. A value of the wrong kind reads as a value that no valid state has. */
export type Row = readonly unknown[]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)
const rowOf = (value: unknown): Row => (Array.isArray(value) ? value : [])

function isBelow(value: number, bound = Infinity): boolean {
  return Number.isInteger(value) && value >= 0 && value < bound
}

const isLabels = ({ exposure, escalation, reversibility }: StepLabels): boolean =>
  isBelow(exposure, EXPOSURES.length) &&
  isBelow(escalation, ESCALATIONS.length) &&
  isBelow(reversibility, REVERSIBILITIES.length)

const EVIDENCE_CODES: readonly Evidence[] = ['present', 'absent', 'unknown']

/** Whether the engine can produce every number of `call`. */
function isSoundCall(call: Call): boolean {
  if (call.status === 'open')
    return isBelow(call.source, CLASSES) && isBelow(call.since) && call.credits.every((n) => isBelow(n))
  if (call.status === 'blocked') return true
  return (
    isLabels(call.labels) &&
    isSoundCount(call.matches) &&
    isBelow(call.tags) &&
    Number.isFinite(call.expiresAt)
  )
}

const isSoundCount = (matches: Matches | undefined): boolean =>
  !matches || (matches.length === MATCHES_LENGTH && matches.every((count) => isBelow(count)))

function encodeCall(call: Call): Row {
  if (call.status === 'open') {
    const { callId, source, credits, tool, digest, since } = call
    return [0, callId, source, credits.length > 0 ? credits : 0, tool, digest, since]
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
  const { matches, signals, tags, readings } = call
  const isReported = tags > 0 || readings !== undefined
  if (matches || signals || isReported) row.push(matches ?? 0)
  if (signals || isReported) row.push(signals ?? 0)
  if (isReported) row.push(tags)
  if (readings) row.push(readings)
  return row
}

const LABELLED = 1
const DERIVED = 2

function decodeCall(row: Row): Call {
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
    readings: readings === undefined ? undefined : rowOf(readings).map(readingOf),
  }
}

/** Anything else is dropped, so that the record no longer equals its text. */
function readingOf(value: unknown): Reading {
  if (Array.isArray(value)) return value.map(numberOf)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

const matchesOf = (value: unknown): Matches | undefined =>
  Array.isArray(value) ? value.map(numberOf) : undefined

/** Numbers by name; anything else is dropped, so that the record no longer equals its text. */
function signalsOf(value: unknown): Signals | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter(([, signal]) => typeof signal === 'number'))
}

/** Length of an event's hash, 128 bits in base64url: the contracts' `EVENT_HASH_LENGTH`, which the engine may not import. */
const HASH = 22
/** Length of one entry: a digit for the verdict, and the hash. */
const ENTRY = 1 + HASH

/** The latest events, one entry each: most of a record. */
export function encodeRecent(recent: readonly Recent[]): string {
  let text = ''
  for (const { hash, verdict } of recent) text += VERDICTS.indexOf(verdict) + hash
  return text
}

/** The whole entries in `text`; encode them again to check that there is nothing else. */
export function decodeRecent(text: string): Recent[] {
  const recent: Recent[] = []
  for (let at = 0; at + ENTRY <= text.length; at += ENTRY) {
    const verdict = VERDICTS[text.charCodeAt(at) - ZERO]
    if (!verdict) return []
    recent.push({ hash: text.slice(at + 1, at + ENTRY), verdict })
  }
  return recent
}

const ZERO = '0'.charCodeAt(0)

/** Whether a record can hold `hash`. */
export const isEventHash = (hash: string): boolean => hash.length === HASH && BASE64URL.test(hash)

const BASE64URL = /^[\w-]*$/

/** Rewrites the row of one layout as a row of the next; member 0 is the layout's number. */
export type Upgrade = (row: Row) => Row

/** UPGRADES[n] rewrites layout n + 1 as n + 2: each new layout appends the upgrade from the one before it. */
const UPGRADES: readonly Upgrade[] = []

/** Number of the record's layout. A reader upgrades smaller ones and refuses greater ones. */
export const RECORD_SCHEMA = UPGRADES.length + 1

export type Decoded =
  | { readonly kind: 'state'; readonly state: SessionState }
  | { readonly kind: 'too_new'; readonly schema: number }
  | { readonly kind: 'invalid' }

const INVALID: Decoded = { kind: 'invalid' }
const BANDS = 4

/** The boolean members of a session, as bits. */
const FLAGS = { ended: 1, held: 2, codeWritten: 4, delegated: 8 } as const

const flagsOf = ({ ended, held, codeWritten, delegated }: SessionState): number =>
  (ended ? FLAGS.ended : 0) |
  (held ? FLAGS.held : 0) |
  (codeWritten ? FLAGS.codeWritten : 0) |
  (delegated ? FLAGS.delegated : 0)

/** A session's state as compact text: a JSON array whose first member is the layout's number. */
export function encodeState(state: SessionState): string {
  const { pins } = state
  const row: unknown[] = [
    RECORD_SCHEMA,
    flagsOf(state),
    [pins.bundle, pins.policy, pins.catalogue],
    state.category,
    state.safety,
    state.level,
    state.taint,
    state.band,
    state.steps,
    state.blocked,
    state.violations,
    state.withoutVerdict,
    state.time,
    encodeProducers(state.producers),
    encodeRecent(state.recent),
    state.calls.map(encodeCall),
    state.agent,
    state.leftState,
    state.asked,
  ]
  // Empty members are left out; most sessions of clients without fingerprints have none.
  const { sources, history, bucket, refined, memory, conduct, approvals } = state
  const isApproved = approvals.length > 0
  const isActing = isApproved || conduct.length > 0
  const isRemembering = isActing || memory.length > 0
  const isRefined = isRemembering || refined.length > 0
  const isPlaced = isRefined || bucket > 0
  const isMarked = isPlaced || history.length > 0
  if (isMarked || sources !== NO_SOURCES) row.push(sources)
  if (isMarked) row.push(history)
  if (isPlaced) row.push(bucket)
  if (isRefined) row.push(refined.map(encodeRefined))
  if (isRemembering) row.push(memory)
  if (isActing) row.push(conduct)
  if (isApproved) row.push(approvals.map(encodeApproval))
  return JSON.stringify(row)
}

/**
 * The state in `text`, exactly as it was written, or none: a damaged record could otherwise read as a session that is safer than it is.
 * An older layout is upgraded first. Source: docs/decisions/20261121-pinning.md for newer layouts.
 */
export function decodeState(text: string, upgrades: readonly Upgrade[] = UPGRADES): Decoded {
  const row = parseRow(text)
  const schema = row?.[0]
  if (!row || typeof schema !== 'number' || !isBelow(schema) || schema === 0) return INVALID
  if (schema > upgrades.length + 1) return { kind: 'too_new', schema }
  const missing = upgrades.slice(schema - 1)
  if (missing.length === 0) return stateIn(row, text)
  const upgraded = missing.reduce((older, upgrade) => upgrade(older), row).with(0, RECORD_SCHEMA)
  return stateIn(upgraded, JSON.stringify(upgraded))
}

function stateIn(row: Row, text: string): Decoded {
  const state = stateOf(row)
  return isSound(state) && encodeState(state) === text ? { kind: 'state', state } : INVALID
}

function stateOf(row: Row): SessionState {
  const [, flags, pins, category, ...rest] = row
  const [safety, level, taint, band, steps, blocked, violations, withoutVerdict, time] = rest
  const [
    producers,
    recent,
    calls,
    agent,
    leftState,
    asked,
    sources,
    history,
    bucket,
    refined,
    memory,
    conduct,
    approvals,
  ] = rest.slice(9)
  const [bundle, policy, catalogue] = rowOf(pins)
  return {
    ended: (numberOf(flags) & FLAGS.ended) !== 0,
    held: (numberOf(flags) & FLAGS.held) !== 0,
    codeWritten: (numberOf(flags) & FLAGS.codeWritten) !== 0,
    delegated: (numberOf(flags) & FLAGS.delegated) !== 0,
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
    withoutVerdict: numberOf(withoutVerdict),
    time: numberOf(time),
    producers: decodeProducers(rowOf(producers)),
    recent: decodeRecent(textOf(recent)),
    calls: rowOf(calls).map((call) => decodeCall(rowOf(call))),
    sources: textOf(sources),
    history: history === undefined ? NO_HISTORY : rowOf(history).map(numberOf),
    conduct: conduct === undefined ? NO_CONDUCT : rowOf(conduct).map(numberOf),
    bucket: bucket === undefined ? 0 : numberOf(bucket),
    refined: refined === undefined ? NO_REFINED : rowOf(refined).map((each) => decodeRefined(rowOf(each))),
    leftState: numberOf(leftState),
    asked: numberOf(asked),
    approvals:
      approvals === undefined ? NO_APPROVALS : rowOf(approvals).map((each) => decodeApproval(rowOf(each))),
    memory: rowOf(memory).length === 0 ? NO_MEMORY : rowOf(memory).map(numberOf),
  }
}

/** Whether the engine can produce every number of `state`. */
function isSound(state: SessionState): boolean {
  const { steps, blocked, violations, withoutVerdict, producers, calls } = state
  return (
    isBelow(state.safety, SAFETY_STATES) &&
    isBelow(state.level, LEVELS.length) &&
    isBelow(state.taint, TAINTS.length) &&
    isBelow(state.band, BANDS) &&
    Number.isFinite(state.time) &&
    [steps, blocked, violations, withoutVerdict, ...producers.map(({ next }) => next)].every((n) =>
      isBelow(n),
    ) &&
    state.recent.every(({ hash }) => isEventHash(hash)) &&
    calls.every(isSoundCall) &&
    isSources(state.sources) &&
    state.history.every((mark) => Number.isFinite(mark) && mark >= 0) &&
    isConduct(state.conduct) &&
    isBelow(state.bucket, FLOW_BUCKETS) &&
    isBelow(state.asked, 2 ** ACTS.length) &&
    (isBelow(state.leftState, FLOW_STATES) ||
      state.leftState === LEFT_STATES.none ||
      state.leftState === LEFT_STATES.elsewhere) &&
    state.refined.length <= LIMITS.refinedMax &&
    state.refined.every(({ labels }) => isLabels(labels)) &&
    state.approvals.length <= LIMITS.approvalsMax &&
    state.approvals.every(({ labels, expiresAt }) => isLabels(labels) && isBelow(expiresAt)) &&
    state.memory.length <= CELLS_MAX &&
    state.memory.every((cell) => Number.isFinite(cell) && cell >= 0)
  )
}

// A push into one array is several times faster than flatMap, and every record is encoded here.
function encodeProducers(producers: readonly Producer[]): Row {
  const row: unknown[] = []
  for (const { name, next } of producers) row.push(name, next)
  return row
}

function decodeProducers(row: Row): Producer[] {
  const producers: Producer[] = []
  for (let i = 0; i + 1 < row.length; i += 2)
    producers.push({ name: textOf(row[i]), next: numberOf(row[i + 1]) })
  return producers
}

const encodeApproval = ({ id, tool, digest, labels, lifts, expiresAt }: StandingApproval): Row => [
  id,
  tool,
  digest,
  encodeLabels(labels),
  lifts,
  expiresAt,
]

function decodeApproval(row: Row): StandingApproval {
  const [id, tool, digest, labels, lifts, expiresAt] = row
  return {
    id: textOf(id),
    tool: textOf(tool),
    digest: textOf(digest),
    labels: decodeLabels(rowOf(labels)),
    lifts: rowOf(lifts).map(textOf),
    expiresAt: numberOf(expiresAt),
  }
}

const encodeRefined = ({ tool, labels, replaces }: Refined): Row => [
  tool,
  ...encodeLabels(labels),
  replaces ? 1 : 0,
]

const decodeRefined = ([tool, ...labels]: Row): Refined => ({
  tool: textOf(tool),
  labels: decodeLabels(labels),
  replaces: labels[4] === 1,
})

const encodeLabels = ({ exposure, escalation, reversibility, untrusted }: StepLabels): Row => [
  exposure,
  escalation,
  reversibility,
  untrusted ? 1 : 0,
]

const decodeLabels = ([exposure, escalation, reversibility, untrusted]: Row): StepLabels => ({
  exposure: numberOf(exposure),
  escalation: numberOf(escalation),
  reversibility: numberOf(reversibility),
  untrusted: untrusted === 1,
})

function parseRow(text: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
