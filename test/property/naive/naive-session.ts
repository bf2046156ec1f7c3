import type { Mode, Signals, ToolLabels } from '@plimsoll/contracts'
import { type Sightings } from './naive-integrity.js'
import { type NaiveJudgement } from './naive-judge.js'
import { escalationOf, higher } from './naive-labels.js'
import { ESCALATIONS, EXPOSURES, LEVELS, TAINTS, naiveLevel } from './naive-levels.js'
import { type NaiveSource } from './naive-reading.js'

export interface NaiveSession {
  /** Irreversible acts that the user asked for. */
  asks: string
  category: string
  exposure: string
  escalation: string
  reversibility: string
  level: string
  taint: string
  band: number
  steps: number
  /** Whether a step was blocked with sensitive data in it. */
  held: boolean
  /** Whether it acts for another session. */
  delegated: boolean
  /** Whether it may have written code that the project's targets run. */
  codeWritten: boolean
  /** Whether files may hold what it has read, so that a push would send it. */
  filesMayHold: boolean
  /** Ids of the approvals for the session. */
  approvals: string
}

/** A session before its first event. */
export const createNaiveSession = (): NaiveSession => ({
  category: '',
  exposure: 'none',
  escalation: 'read_only',
  reversibility: 'reversible',
  level: 'safe',
  taint: 'none',
  band: 0,
  steps: 0,
  held: false,
  asks: '',
  delegated: false,
  codeWritten: false,
  filesMayHold: false,
  approvals: '',
})

/** What the session has reached once a step with these labels ran. */
export function reach(session: NaiveSession, labels: ToolLabels): void {
  session.exposure = higher(EXPOSURES, session.exposure, labels.confidentiality ?? 'none')
  session.escalation = higher(ESCALATIONS, session.escalation, escalationOf(labels))
  if (labels.trust === 'untrusted') session.taint = higher(TAINTS, session.taint, 'data')
  session.level = higher(LEVELS, session.level, naiveLevel(session))
}

export interface Question {
  readonly callId: string
  readonly tool: string
  readonly argumentsDigest: string
  readonly labels: ToolLabels
  readonly labelled: boolean
  /** Whether the labels come from the arguments. */
  readonly derived: boolean
  readonly evidence: 'present' | 'absent' | 'unknown'
  readonly givesStrangers: boolean
  readonly givesRecords: boolean
  /** Whether any of it was seen in sensitive data; also true without fingerprints. */
  readonly carriesSome: boolean
  readonly sightings: Sightings | undefined
  /** As in the decision; undefined without fingerprints. */
  readonly provenance: string | undefined
  readonly signals: Signals | undefined
  readonly shown: ReadonlySet<string>
  readonly expiresAt: number
}

/** A step that was allowed and has not completed. */
export interface OpenStep extends NaiveSource {
  readonly tool: string
  /** Undefined for a step that was never proposed. */
  readonly digest: string | undefined
  readonly since: number
}

/** The expected decision. */
export interface Expected extends Omit<NaiveJudgement, 'permitted'> {
  /** Undefined if no human is asked. */
  readonly permitted: string | undefined
  readonly mode: Mode
  readonly provenance: string | undefined
  /** Matches of the fingerprints; undefined without fingerprints. */
  readonly evidence: string | undefined
}

/** What a decision says of the step's report. */
export const reportOf = ({ provenance, evidence }: Pick<Question, 'provenance' | 'evidence'>) => ({
  provenance,
  evidence: provenance === undefined ? undefined : evidence,
})
