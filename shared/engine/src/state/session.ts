import type { Signals, Verdict, Versions } from '@plimsoll/contracts'
import type { StepEffect } from '../effects/effects.js'
import { type Refined, NO_REFINED } from '../labels/refined.js'
import { type StepLabels, INITIAL_STATE } from '../labels/safety-state.js'
import type { Matches } from '../provenance/matches.js'
import { type Own, NOTHING_OWN } from '../provenance/own.js'
import { type Limits, NO_LIMITS } from '../provenance/limits.js'
import { type Payees, NO_PAYEES } from '../provenance/payees.js'
import { type Records, NO_RECORDS } from '../provenance/records.js'
import { type Sources, NO_SOURCES } from '../provenance/sources.js'
import { type Memory, type Readings, COLD, NO_CREDITS, NO_MEMORY } from '../spec-rule.js'
import { NO_CONDUCT } from './conduct.js'
import { NO_HISTORY } from './history.js'

/** The state kept of one session. Every list is capped, so that a record stays bounded whatever its agent does. */
export interface SessionState {
  readonly ended: boolean
  readonly pins: Versions
  /** As declared, or found in the task and marked so; empty if there is none. See `foundCategory`. */
  readonly category: string
  /** As declared; empty if none was. */
  readonly agent: string
  /** 0…59; see safety-state. */
  readonly safety: number
  /** Running maximum of the cascade, index into LEVELS. */
  readonly level: number
  /** Index into TAINTS. */
  readonly taint: number
  /** 0…3. */
  readonly band: number
  /** Steps that ran or may have run. */
  readonly steps: number
  readonly blocked: number
  readonly violations: number
  readonly withoutVerdict: number
  /** The latest append time seen, milliseconds. */
  readonly time: number
  /** The most recent producer last. */
  readonly producers: readonly Producer[]
  /** The most recent event last. */
  readonly recent: readonly Recent[]
  readonly calls: readonly Call[]
  /** Fingerprints of what was read; see sources. */
  readonly sources: Sources
  /** What its steps have made, such as folders; see own. */
  readonly own: Own
  /** What its user forbids to change; see limits. */
  readonly limits: Limits
  /** Accounts, names and amounts of payees that it has read; see payees. */
  readonly payees: Payees
  /** Ids of records by which its task means some of them; see records. */
  readonly records: Records
  /** Features of the past for the scorers, in the order of HISTORY_NAMES; empty without reports of texts. */
  readonly history: readonly number[]
  /** What its steps did to what they found; see conduct. Empty if the client does not report it. */
  readonly conduct: readonly number[]
  /** 0…7: the bucket of the session scorer; 0 if the rules have none. */
  readonly bucket: number
  /** A judge's labels of unlabelled tools; the first `refinedMax` stay. */
  readonly refined: readonly Refined[]
  /** The chain's state that the latest step left, until it is known where the step led; or one of LEFT_STATES. See transitions. */
  readonly leftState: number
  /** What the policy's specs remember, in cells numbered by its rules; see specs/memory. */
  readonly memory: Memory
  /** Whether a step was blocked because it held sensitive data: until this is declassified, every step that may send needs approval. */
  readonly held: boolean
  /** Whether the session may have written code that its project's own targets run: they are no longer known to be harmless. */
  readonly codeWritten: boolean
  /** Whether files that the session changed may hold sensitive data, if it has read any: a push may then send it. */
  readonly filesMayHold: boolean
  /** Whether the session wrote a secret into a file that is not one of secrets: a push may send it. */
  readonly secretWritten: boolean
  /** The acts that the task asks for, as bits by index into ACTS. */
  readonly asked: number
  /** Whether its user has asked to look only, and for no change. */
  readonly looksOnly: boolean
  /** Whether its user leaves to a text what is to be done: an issue, a page, a mail. */
  readonly delegates: boolean
  /** Whether a message of somebody whom the user says to follow asks to send something. */
  readonly sendsForOther: boolean
  /** Whether another session delegated to it: an agent may have written its task and its later instructions. */
  readonly delegated: boolean
  /** Approvals for the session; the oldest one goes first. */
  readonly approvals: readonly SessionApproval[]
}

/** A human's approval of a step and of like steps until it expires; see verdict/session-approvals. */
export interface SessionApproval {
  /** The id of the event that gave it. */
  readonly id: string
  readonly tool: string
  /** The first `DIGEST_DIGITS` of the arguments' digest. */
  readonly digest: string
  readonly labels: StepLabels
  /** Keys of the reasons that it lifts. */
  readonly lifts: readonly string[]
  /** Milliseconds since 1970 on the log's clock. */
  readonly expiresAt: number
}

export const NO_APPROVALS: readonly SessionApproval[] = Object.freeze([])

/** Special values of `leftState`. */
export const LEFT_STATES = {
  /** No step is waiting to be counted. */
  none: -1,
  /** The session moved to another bundle: its state there is known from its next step or result on. */
  elsewhere: -2,
} as const

export interface Producer {
  readonly name: string
  /** The next expected sequence number. */
  readonly next: number
}

export interface Recent {
  /** From the caller, `EVENT_HASH_LENGTH` characters. */
  readonly hash: string
  readonly verdict: Verdict
}

/** A call that was proposed and is not completed. */
export type Call = OpenCall | BlockedCall | PendingCall

export interface OpenCall {
  readonly status: 'open'
  readonly callId: string
  /** The class of its result, by its labels when it was admitted; see safety-state. */
  readonly source: number
  /** The credits that it earns once it completes with `ok`, by number; see specs/memory. */
  readonly credits: readonly number[]
  readonly tool: string
  /** The first `DIGEST_DIGITS` of its arguments' digest; empty if none was reported. */
  readonly digest: string
  /** When it was admitted, milliseconds since 1970 on the log's clock. */
  readonly since: number
  /** What it makes, which is own once it completes with `ok`. */
  readonly made: Own
}

/** Hex digits of a digest in a record: 64 bits, so that a second text is infeasible to find. */
export const DIGEST_DIGITS = 16

export interface BlockedCall {
  readonly status: 'blocked'
  readonly callId: string
}

/** A call that waits for a human. */
export interface PendingCall {
  readonly status: 'pending'
  readonly callId: string
  readonly decisionId: string
  readonly tool: string
  readonly argumentsDigest: string
  readonly labels: StepLabels
  readonly labelled: boolean
  /** Whether the labels were derived from the arguments, so that the catalogue's worst case does not count. */
  readonly derived: boolean
  readonly evidence: 'present' | 'absent' | 'unknown'
  readonly lineEvidence: 'present' | 'absent' | 'unknown'
  /** Keys of the reasons that were shown; an approval lifts only these. */
  readonly shown: readonly string[]
  readonly expiresAt: number
  readonly made: Own
  /** The report of the proposal: everything it could carry was read before it. */
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
  readonly effects: readonly StepEffect[] | undefined
  /** The policy's tags as bits, and the values of its expressions on the arguments. */
  readonly tags: number
  readonly readings: Readings | undefined
}

export const LIMITS = {
  producersMax: 8,
  recentMax: 16,
  liveCallsMax: 32,
  blockedCallsMax: 8,
  refinedMax: 16,
  approvalsMax: 16,
  /** How long a call may stay open, milliseconds; then it counts as failed. */
  callMsMax: 3_600_000,
} as const

export function createSessionState(
  pins: Versions,
  category: string,
  agent: string,
  time: number,
): SessionState {
  return {
    ended: false,
    pins,
    category,
    agent,
    safety: INITIAL_STATE,
    level: 0,
    taint: 0,
    band: 0,
    steps: 0,
    blocked: 0,
    violations: 0,
    withoutVerdict: 0,
    time,
    producers: [],
    recent: [],
    calls: [],
    sources: NO_SOURCES,
    own: NOTHING_OWN,
    limits: NO_LIMITS,
    payees: NO_PAYEES,
    records: NO_RECORDS,
    history: NO_HISTORY,
    conduct: NO_CONDUCT,
    bucket: 0,
    refined: NO_REFINED,
    leftState: LEFT_STATES.none,
    memory: NO_MEMORY,
    held: false,
    codeWritten: false,
    filesMayHold: false,
    secretWritten: false,
    asked: 0,
    looksOnly: false,
    delegates: false,
    sendsForOther: false,
    delegated: false,
    approvals: NO_APPROVALS,
  }
}

/** A state under construction, which nobody else has. */
export type Draft = { -readonly [Member in keyof SessionState]: SessionState[Member] }

/**
 * A copy of `state` to write the next state into. Every next state begins here, by one literal with all members in the order of
 * `createSessionState`: V8 then sees states of one shape, which makes a step several times as fast as `{ ...state, time }`.
 */
export const draftOf = (state: SessionState): Draft => ({
  ended: state.ended,
  pins: state.pins,
  category: state.category,
  agent: state.agent,
  safety: state.safety,
  level: state.level,
  taint: state.taint,
  band: state.band,
  steps: state.steps,
  blocked: state.blocked,
  violations: state.violations,
  withoutVerdict: state.withoutVerdict,
  time: state.time,
  producers: state.producers,
  recent: state.recent,
  calls: state.calls,
  sources: state.sources,
  own: state.own,
  limits: state.limits,
  payees: state.payees,
  records: state.records,
  history: state.history,
  conduct: state.conduct,
  bucket: state.bucket,
  refined: state.refined,
  leftState: state.leftState,
  memory: state.memory,
  held: state.held,
  codeWritten: state.codeWritten,
  filesMayHold: state.filesMayHold,
  secretWritten: state.secretWritten,
  asked: state.asked,
  looksOnly: state.looksOnly,
  delegates: state.delegates,
  sendsForOther: state.sendsForOther,
  delegated: state.delegated,
  approvals: state.approvals,
})

/** `state` with the changed members, of the same shape; for changes that are not made at every step. */
export const changed = (state: SessionState, change: Partial<SessionState>): SessionState =>
  Object.assign(draftOf(state), change)

/**
 * `state` pinned to `versions`. Only the memory of the specs of another policy is dropped, because it means nothing to the new ones.
 * Returns the same object if the pins do not change.
 */
export function repin(state: SessionState, versions: Versions): SessionState {
  const { bundle, policy } = state.pins
  if (isPinnedTo(state.pins, versions)) return state
  const moved = draftOf(state)
  moved.pins = versions
  if (versions.bundle !== bundle) moved.leftState = LEFT_STATES.elsewhere
  if (versions.policy === policy) return moved
  moved.memory = COLD
  moved.calls = state.calls.map(withoutSpecMemory)
  moved.approvals = NO_APPROVALS
  return moved
}

export const isPinnedTo = (pins: Versions, { bundle, policy, catalogue }: Versions): boolean =>
  pins.bundle === bundle && pins.policy === policy && pins.catalogue === catalogue

const NOTHING_SHOWN: readonly string[] = Object.freeze([])

/** `call` without what the specs of another policy know of it. */
export function withoutSpecMemory(call: Call): Call {
  if (call.status === 'open') return { ...call, credits: NO_CREDITS }
  return call.status === 'pending' ? { ...call, shown: NOTHING_SHOWN, tags: 0, readings: undefined } : call
}

/** `list` with `item` at its end and no more than `max` of the last. Shifting a copy is the quickest that V8 has. */
export function appendCapped<T>(list: readonly T[], item: T, max: number): readonly T[] {
  if (list.length < max) return [...list, item]
  const kept = list.slice()
  kept.shift()
  kept.push(item)
  return kept
}
