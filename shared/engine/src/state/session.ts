import type { Signals, Verdict, Versions } from '@plimsoll/contracts'
import { type Refined, NO_REFINED } from '../labels/refined.js'
import { type StepLabels, INITIAL_STATE } from '../labels/safety-state.js'
import type { Matches } from '../provenance/matches.js'
import { type Sources, NO_SOURCES } from '../provenance/sources.js'
import { type Memory, type Readings, COLD, NO_CREDITS, NO_MEMORY } from '../spec-rule.js'
import { NO_HISTORY } from './history.js'

/** What is kept of one session. Every list has a cap, so that a record is bounded whatever its agent does. */
export interface SessionState {
  readonly ended: boolean
  readonly pins: Versions
  /** As declared, or marked as found; empty where there is none; see category. */
  readonly category: string
  /** As declared; empty where none was. */
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
  /** The producer heard last stands last. */
  readonly producers: readonly Producer[]
  /** The event heard last stands last. */
  readonly recent: readonly Recent[]
  readonly calls: readonly Call[]
  /** What was read, as fingerprints; see sources. */
  readonly sources: Sources
  /** What the scorers remember, in the order of MARKS; empty where the client tells of nothing that they could. */
  readonly history: readonly number[]
  /** 0…7: where the session scorer puts the session; 0 where the rules have none. */
  readonly bucket: number
  /** What a judge made of tools that nothing labels; the first so many stay. */
  readonly refined: readonly Refined[]
  /** The state of the chain that the latest step left, until it is known where that step led; or one of LEFT. See moves. */
  readonly leftState: number
  /** What the policy's specs remember, in cells that its rules number; see specs/remember. */
  readonly memory: Memory
  /** Whether a step was blocked because sensitive data was in it: until it is declassified, the line asks about every step that may send. */
  readonly held: boolean
  /** Whether the session has written what its project's own targets may run: they are no longer known to be harmless. */
  readonly codeWritten: boolean
  /** The acts that the task asks for, bits by their places in ACTS. */
  readonly asked: number
  /** Whether another session stands behind it: an agent may have written what it is told to do, now and later. */
  readonly delegated: boolean
}

/** What stands for the state that a step left. */
export const LEFT_STATES = {
  /** No step waits to be counted. */
  none: -1,
  /** The session has moved to another bundle: where it stands in that one's space is known from its next step or result on. */
  elsewhere: -2,
} as const

export interface Producer {
  readonly name: string
  /** The sequence number that comes next. */
  readonly next: number
}

export interface Recent {
  /** As its caller supplied it, `EVENT_HASH_LENGTH` characters. */
  readonly hash: string
  readonly verdict: Verdict
}

/** A call that was proposed and is not done with. */
export type Call = OpenCall | BlockedCall | PendingCall

export interface OpenCall {
  readonly status: 'open'
  readonly callId: string
  /** The class of what it returns, as its labels had it when it was let run; see classes. */
  readonly source: number
  /** What it counts for once it comes back well, by the rules' numbers; see specs/remember. */
  readonly credits: readonly number[]
  readonly tool: string
  /** The first `DIGEST_DIGITS` of its arguments' digest; empty where none was told. */
  readonly digest: string
  /** When it was let run, milliseconds since 1970 on the log's clock. */
  readonly since: number
}

/** Hex digits of a digest that a record keeps: 64 bits, of which nobody finds a second text. */
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
  /** Whether the labels are the arguments' own, so that the catalogue's worst does not count. */
  readonly derived: boolean
  readonly evidence: 'present' | 'absent' | 'unknown'
  readonly lineEvidence: 'present' | 'absent' | 'unknown'
  /** Keys of the reasons that were shown; an approval lifts no others. */
  readonly shown: readonly string[]
  readonly expiresAt: number
  /** What the proposal told: what it could carry was read before it. */
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
  /** Bits of the policy's tags, and what its expressions made of the arguments. */
  readonly tags: number
  readonly readings: Readings | undefined
}

export const LIMITS = {
  producersMax: 8,
  recentMax: 16,
  liveCallsMax: 32,
  blockedCallsMax: 8,
  refinedMax: 16,
  /** How long a call may stay open, milliseconds; then it counts as one that failed. */
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
    history: NO_HISTORY,
    bucket: 0,
    refined: NO_REFINED,
    leftState: LEFT_STATES.none,
    memory: NO_MEMORY,
    held: false,
    codeWritten: false,
    asked: 0,
    delegated: false,
  }
}

/**
 * `state` after an event was heard. Every step ends here, and names every member: V8 then sees states of one shape only, which makes
 * a step three times as quick as `{ ...state, time }` does.
 */
export function withEvent(
  state: SessionState,
  time: number,
  producers: readonly Producer[],
  recent: readonly Recent[],
): SessionState {
  return {
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
    time,
    producers,
    recent,
    calls: state.calls,
    sources: state.sources,
    history: state.history,
    bucket: state.bucket,
    refined: state.refined,
    leftState: state.leftState,
    memory: state.memory,
    held: state.held,
    codeWritten: state.codeWritten,
    asked: state.asked,
    delegated: state.delegated,
  }
}

/** What an ordinary proposal or completion changes of a session, but for what `afterHearing` notes. */
type Changed =
  | 'safety'
  | 'level'
  | 'taint'
  | 'band'
  | 'steps'
  | 'calls'
  | 'sources'
  | 'history'
  | 'bucket'
  | 'leftState'
  | 'memory'

/** `state` with what was changed; written out for the same reason as `afterHearing`. */
export function changed(
  state: SessionState,
  change: Pick<SessionState, Changed> & Partial<Pick<SessionState, 'codeWritten'>>,
): SessionState {
  return {
    ended: state.ended,
    pins: state.pins,
    category: state.category,
    agent: state.agent,
    safety: change.safety,
    level: change.level,
    taint: change.taint,
    band: change.band,
    steps: change.steps,
    blocked: state.blocked,
    violations: state.violations,
    withoutVerdict: state.withoutVerdict,
    time: state.time,
    producers: state.producers,
    recent: state.recent,
    calls: change.calls,
    sources: change.sources,
    history: change.history,
    bucket: change.bucket,
    refined: state.refined,
    leftState: change.leftState,
    memory: change.memory,
    held: state.held,
    codeWritten: change.codeWritten ?? state.codeWritten,
    asked: state.asked,
    delegated: state.delegated,
  }
}

/**
 * `state` pinned to `versions` from now on: what the session has come to stays, but what the specs of another policy remembered means nothing
 * to the new ones. The same object where they are its pins.
 */
export function repin(state: SessionState, versions: Versions): SessionState {
  const { bundle, policy, catalogue } = state.pins
  if (versions.bundle === bundle && versions.policy === policy && versions.catalogue === catalogue)
    return state
  const moved = {
    ...state,
    pins: versions,
    leftState: versions.bundle === bundle ? state.leftState : LEFT_STATES.elsewhere,
  }
  return versions.policy === policy
    ? moved
    : { ...moved, memory: COLD, calls: state.calls.map(withoutSpecMemory) }
}

const NOTHING_SHOWN: readonly string[] = Object.freeze([])

/** A call without what the specs of another policy knew of it. */
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
