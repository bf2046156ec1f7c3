import { FLOW_BUCKETS, FLOW_STATES } from '../../labels/flow-state.js'
import { NO_REFINED } from '../../labels/refined.js'
import { SAFETY_STATES } from '../../labels/safety-state.js'
import { ACTS, LEVELS, TAINTS } from '../../labels/words.js'
import { NOTHING_OWN, isOwnText } from '../../provenance/own.js'
import { NO_LIMITS, isLimitsText } from '../../provenance/limits.js'
import { NO_PAYEES, isPayeesText } from '../../provenance/payees.js'
import { NO_RECORDS, isRecordsText } from '../../provenance/records.js'
import { NO_SOURCES, isSources } from '../../provenance/sources.js'
import { CELLS_MAX, NO_MEMORY } from '../../spec-rule.js'
import { NO_CONDUCT, isConduct } from '../conduct.js'
import { NO_HISTORY } from '../history.js'
import { type Producer, type SessionState, LEFT_STATES, LIMITS, NO_APPROVALS } from '../session.js'
import { decodeCall, encodeCall, isSoundCall } from './calls.js'
import { decodeApproval, decodeRefined, encodeApproval, encodeRefined, isLabels } from './labels.js'
import { decodeRecent, encodeRecent, isEventHash } from './recent.js'
import { type Row, isBelow, numberOf, parseRow, rowOf, textOf } from './rows.js'

/** Rewrites the row of one layout as a row of the next; member 0 is the layout's number. */
export type Upgrade = (row: Row) => Row

/** UPGRADES[n] rewrites layout n + 1 as n + 2: each new layout appends the upgrade from the one before it. */
const UPGRADES: readonly Upgrade[] = [
  // 2: may end with the approvals for the session. The last records of layout 1 do so too, though older readers of it know none.
  (row) => row,
  // 3: may end with what the session has made, and its open calls with what they make.
  (row) => row,
  // 4: may end with the limits of its user.
  (row) => row,
  // 5: its calls that wait for an approval may end with their effects, and it may be of a task that only looks.
  (row) => row,
  // 6: its task may leave to a text what is to be done, and somebody's message may ask to send something.
  (row) => row,
  // 7: files may hold what it has read, which is not known of earlier records.
  (row) => (typeof row[1] === 'number' ? row.with(1, row[1] | FLAGS.filesMayHold) : row),
  // 8: may end with what was read of payees.
  (row) => row,
  // 9: may end with ids of records.
  (row) => row,
]

/** Number of the record's layout. A reader upgrades smaller ones and refuses greater ones. */
export const RECORD_SCHEMA = UPGRADES.length + 1

export type Decoded =
  | { readonly kind: 'state'; readonly state: SessionState }
  | { readonly kind: 'too_new'; readonly schema: number }
  | { readonly kind: 'invalid' }

const INVALID: Decoded = { kind: 'invalid' }
const BANDS = 4

/** The boolean members of a session, as bits. */
const FLAGS = {
  ended: 1,
  held: 2,
  codeWritten: 4,
  delegated: 8,
  looksOnly: 16,
  delegates: 32,
  sendsForOther: 64,
  filesMayHold: 128,
  secretWritten: 256,
} as const

const flagsOf = ({
  ended,
  held,
  codeWritten,
  delegated,
  looksOnly,
  delegates,
  sendsForOther,
  filesMayHold,
  secretWritten,
}: SessionState): number =>
  (ended ? FLAGS.ended : 0) |
  (held ? FLAGS.held : 0) |
  (codeWritten ? FLAGS.codeWritten : 0) |
  (delegated ? FLAGS.delegated : 0) |
  (looksOnly ? FLAGS.looksOnly : 0) |
  (delegates ? FLAGS.delegates : 0) |
  (sendsForOther ? FLAGS.sendsForOther : 0) |
  (filesMayHold ? FLAGS.filesMayHold : 0) |
  (secretWritten ? FLAGS.secretWritten : 0)

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
  const { sources, history, bucket, refined, memory, conduct, approvals, own, limits, payees, records } =
    state
  const isOfRecords = records !== NO_RECORDS
  const isPaying = isOfRecords || payees !== NO_PAYEES
  const isLimited = isPaying || limits !== NO_LIMITS
  const isMaking = isLimited || own !== NOTHING_OWN
  const isApproved = isMaking || approvals.length > 0
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
  if (isMaking) row.push(own)
  if (isLimited) row.push(limits)
  if (isPaying) row.push(payees)
  if (isOfRecords) row.push(records)
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
    own,
    limits,
    payees,
    records,
  ] = rest.slice(9)
  const [bundle, policy, catalogue] = rowOf(pins)
  // In the order of `createSessionState`, so that V8 sees states of one shape.
  return {
    ended: (numberOf(flags) & FLAGS.ended) !== 0,
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
    own: own === undefined ? NOTHING_OWN : textOf(own),
    limits: limits === undefined ? NO_LIMITS : textOf(limits),
    payees: payees === undefined ? NO_PAYEES : textOf(payees),
    records: records === undefined ? NO_RECORDS : textOf(records),
    history: history === undefined ? NO_HISTORY : rowOf(history).map(numberOf),
    conduct: conduct === undefined ? NO_CONDUCT : rowOf(conduct).map(numberOf),
    bucket: bucket === undefined ? 0 : numberOf(bucket),
    refined: refined === undefined ? NO_REFINED : rowOf(refined).map((each) => decodeRefined(rowOf(each))),
    leftState: numberOf(leftState),
    memory: rowOf(memory).length === 0 ? NO_MEMORY : rowOf(memory).map(numberOf),
    held: (numberOf(flags) & FLAGS.held) !== 0,
    codeWritten: (numberOf(flags) & FLAGS.codeWritten) !== 0,
    filesMayHold: (numberOf(flags) & FLAGS.filesMayHold) !== 0,
    secretWritten: (numberOf(flags) & FLAGS.secretWritten) !== 0,
    asked: numberOf(asked),
    looksOnly: (numberOf(flags) & FLAGS.looksOnly) !== 0,
    delegates: (numberOf(flags) & FLAGS.delegates) !== 0,
    sendsForOther: (numberOf(flags) & FLAGS.sendsForOther) !== 0,
    delegated: (numberOf(flags) & FLAGS.delegated) !== 0,
    approvals:
      approvals === undefined ? NO_APPROVALS : rowOf(approvals).map((each) => decodeApproval(rowOf(each))),
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
    isOwnText(state.own) &&
    isLimitsText(state.limits) &&
    isPayeesText(state.payees) &&
    isRecordsText(state.records) &&
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
