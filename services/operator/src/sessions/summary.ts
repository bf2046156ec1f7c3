import {
  ESCALATIONS,
  EXPOSURES,
  LEVELS,
  REVERSIBILITIES,
  TAINTS,
  tenantOf,
  type Level,
  type Risk,
  type Versions,
} from '@plimsoll/contracts'
import {
  escalationOf,
  exposureOf,
  reversibilityOf,
  type PendingCall,
  type SessionState,
} from '@plimsoll/engine'
import type { StoredSession } from './stored-session.js'

/** One session in words. Times are milliseconds since 1970 on the log's clock. */
export interface SessionSummary {
  readonly id: string
  readonly tenant: string
  /** Empty where none was declared. */
  readonly agent: string
  /** Empty where none was declared. */
  readonly category: string
  readonly ended: boolean
  readonly level: Level
  /** 0–3. */
  readonly band: number
  readonly steps: number
  readonly blocked: number
  readonly violations: number
  readonly withoutVerdict: number
  /** Calls that wait for a human. */
  readonly waiting: number
  readonly heardMs: number
}

/** What is known of one session besides. */
export interface SessionDetails extends SessionSummary {
  readonly safety: Pick<Risk, 'exposure' | 'escalation' | 'reversibility' | 'taint'>
  /** Whether a step was blocked with sensitive data in it, so that the line asks about each step that may send. */
  readonly held: boolean
  readonly pins: Versions
  /** Ids of the calls that were let run and are not done with. */
  readonly open: readonly string[]
  readonly pending: readonly PendingApproval[]
}

/** A call that waits for a human. */
export interface PendingApproval {
  readonly callId: string
  readonly decisionId: string
  readonly tool: string
  readonly argumentsDigest: string
  /** Whether sensitive data was seen in the arguments. */
  readonly evidence: 'present' | 'absent' | 'unknown'
  /** The reasons that an approval would lift. */
  readonly reasons: readonly string[]
  readonly expiresMs: number
}

export function summaryOf({ id, state }: StoredSession): SessionSummary {
  return {
    id,
    tenant: tenantOf(id),
    agent: state.agent,
    category: state.category,
    ended: state.ended,
    level: LEVELS[state.level] ?? 'violated',
    band: state.band,
    steps: state.steps,
    blocked: state.blocked,
    violations: state.violations,
    withoutVerdict: state.withoutVerdict,
    waiting: pendingOf(state).length,
    heardMs: state.time,
  }
}

export function detailsOf(session: StoredSession): SessionDetails {
  const { state } = session
  return {
    ...summaryOf(session),
    safety: {
      exposure: EXPOSURES[exposureOf(state.safety)] ?? 'credentials',
      escalation: ESCALATIONS[escalationOf(state.safety)] ?? 'network',
      reversibility: REVERSIBILITIES[reversibilityOf(state.safety)] ?? 'irreversible',
      taint: TAINTS[state.taint] ?? 'instructions',
    },
    held: state.held,
    pins: state.pins,
    open: state.calls.flatMap(({ status, callId }) => (status === 'open' ? [callId] : [])),
    pending: pendingOf(state).map(
      ({ callId, decisionId, tool, argumentsDigest, lineEvidence, shown, expiresAt }) => ({
        callId,
        decisionId,
        tool,
        argumentsDigest,
        evidence: lineEvidence,
        reasons: shown,
        expiresMs: expiresAt,
      }),
    ),
  }
}

const pendingOf = ({ calls }: SessionState): readonly PendingCall[] =>
  calls.flatMap((call) => (call.status === 'pending' ? [call] : []))
