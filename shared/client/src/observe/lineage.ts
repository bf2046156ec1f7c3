import {
  type Act,
  type ClaimedLabels,
  type Confidentiality,
  type EventOf,
  type Handover,
  type Inherits,
  type Signals,
  type Taint,
  CONFIDENTIALITIES,
  FINGERPRINTS_MAX,
} from '@plimsoll/contracts'
import { holdsSession } from '@plimsoll/engine'
import { type EntryFinder, actsIn } from '@plimsoll/labels'
import {
  type Answer,
  confidentialityOf,
  mostOf,
  raiseClaims,
  raiseConfidentiality,
  raiseTaint,
} from '../session.js'
import { createReportedValues, isDistinctive } from './reported-values.js'

type Completed = Pick<
  EventOf<'step.completed'>,
  'labels' | 'taint' | 'fingerprints' | 'instructed' | 'signals' | 'inherits'
>

/**
 * What one session has learned, for those that it delegates to and for anyone who delegated to it. It is made of what the session
 * tells and is told, and errs to the unsafe side: a monitor may know better.
 */
export interface Lineage {
  /** The task was told of by these. */
  started(fingerprints: string[] | undefined, signals: Signals | undefined): void
  /** A later message of the user was told of by these: what he names then he has named, where he speaks to this session itself. */
  instructed(fingerprints: string[] | undefined, signals: Signals | undefined): void
  asked(call: StepCall): void
  answered(answer: Answer): Answer
  completed(call: Pick<Answer, 'callId' | 'tool'>, reported: Completed): void
  handover(): Handover
}

export interface LineageOptions {
  readonly root: string
  /** Tells the root's key from others; undefined where the client has none. */
  readonly key: string | undefined
  readonly entryOf: EntryFinder
  /** Of anyone who delegated to the session. */
  readonly inherits: Inherits | undefined
  readonly signals: Signals | undefined
  /** What the root's task asks for that cannot be taken back, where the root is another session. */
  readonly asks?: readonly Act[] | undefined
  /** Fingerprints of the root's task, where the root is another session. */
  readonly task: string[] | undefined
}

/** What a call returns. */
interface Source {
  readonly labels: ClaimedLabels | undefined
  /** Whether the catalogue says it; else the policy does, which is not known here. */
  readonly isConfidentialityKnown: boolean
  readonly isTrustKnown: boolean
  isSensitive: boolean
  /** Whether it may write what a later step runs: as the engine has it. */
  readonly mayWriteCode: boolean
  /** Whether it was let run, so that its result may come at any time. */
  ran: boolean
}

/** Twice as many as the engine lets be open. */
const CALLS_MAX = 64

export function createLineage(options: LineageOptions): Lineage {
  const { root, key, entryOf } = options
  const calls = new Map<string, Source>()
  const untrusted = createReportedValues()
  const instructed = createReportedValues()
  const sensitive = createReportedValues()
  let { signals, task } = options
  let asks: readonly Act[] = options.asks ?? []
  let taint: Taint | undefined
  let confidentiality: Confidentiality | undefined
  let isUnseen = false
  let isHeld = false
  let isCodeWritten = false
  if (options.inherits) absorb(options.inherits)

  function absorb({ fingerprints = {}, ...reported }: Inherits): void {
    raise(reported)
    if (reported.unseen === true || isUnreported(reported.confidentiality, fingerprints.sensitive))
      isUnseen = true
    isHeld ||= reported.held === true
    isCodeWritten ||= reported.codeWritten === true
    untrusted.add(fingerprints.untrusted)
    instructed.add(fingerprints.instructed)
    sensitive.add(fingerprints.sensitive)
  }

  function raise(to: { taint?: Taint | undefined; confidentiality?: Confidentiality | undefined }): void {
    taint = raiseTaint(taint, to.taint)
    confidentiality = raiseConfidentiality(confidentiality, to.confidentiality)
  }

  const raiseBy = (labels: ClaimedLabels | undefined): void =>
    raise({
      taint: labels?.trust === 'untrusted' ? 'data' : undefined,
      confidentiality: confidentialityOf(labels),
    })

  function keep(callId: string, source: Source): void {
    calls.set(callId, source)
    if (calls.size <= CALLS_MAX) return
    for (const [oldest, { ran, isSensitive }] of calls) {
      calls.delete(oldest)
      isUnseen ||= ran && isSensitive
      return
    }
  }

  function sourceOf({
    tool,
    labels: claimed,
    signals,
  }: Pick<StepCall, 'tool' | 'labels'> & Partial<Pick<StepCall, 'signals'>>): Source {
    const entry = entryOf(tool)
    // As the engine has it: whole labels of the arguments' own count where the catalogue says how far down they may bring a call.
    const isDerived = entry?.least && claimed?.capability && claimed.reversibility
    const labels = raiseClaims(isDerived ? entry.least : entry?.labels, claimed)
    const runsUnknown = labels?.capability === 'execute' && signals?.['complete'] !== 1
    return {
      labels,
      isConfidentialityKnown: entry?.labels.confidentiality !== undefined,
      isTrustKnown: entry?.labels.trust !== undefined,
      isSensitive: isSensitive(labels),
      mayWriteCode: entry === undefined || runsUnknown || (signals?.['code'] ?? 0) > 0,
      ran: false,
    }
  }

  function answered(answer: Answer): Answer {
    const { callId, mayRun, verdict, decision } = answer
    const call = calls.get(callId)
    // Where nothing is enforced such a step runs, and was a leak all the same.
    isHeld ||= holds(decision)
    if (!mayRun) {
      if (verdict === 'block') calls.delete(callId)
      return answer
    }
    const { exposure = 'none', taint } = decision?.risk ?? {}
    const reached = exposure === 'none' ? undefined : exposure
    raise({ taint, confidentiality: reached })
    if (!call) return answer
    raiseBy(call.labels)
    call.ran = true
    isCodeWritten ||= call.mayWriteCode || (!decision && changesAnything(call.labels))
    // What nobody labelled is what the policy takes it for, and that much is not known here.
    if (!call.isConfidentialityKnown && isSensitive({ confidentiality: reached })) call.isSensitive = true
    return answer
  }

  function completed({ callId, tool }: Pick<Answer, 'callId' | 'tool'>, reported: Completed): void {
    const asked = calls.get(callId)
    const call = asked ?? sourceOf({ tool })
    isCodeWritten ||= !asked?.ran && (call.mayWriteCode || changesAnything(call.labels))
    calls.delete(callId)
    raiseBy(call.labels)
    raiseBy(reported.labels)
    raise({ taint: reported.taint })
    if (reported.inherits) absorb(reported.inherits)
    const trust = raiseClaims(call.labels, reported.labels)?.trust
    const isTainted = reported.taint !== undefined && reported.taint !== 'none'
    if (!call.isTrustKnown || trust === 'untrusted' || isTainted) {
      untrusted.add(reported.fingerprints)
      signals = mostOf(signals, ofTexts(reported.signals))
    }
    instructed.add(reported.instructed)
    if (call.isSensitive || isSensitive(reported.labels)) readSensitive(reported)
  }

  function readSensitive({ fingerprints = [], instructed = [], signals = {} }: Completed): void {
    const isPartial = (signals['partial'] ?? 0) > 0
    if (isPartial || fingerprints.length === 0 || fingerprints.length >= FINGERPRINTS_MAX) isUnseen = true
    sensitive.add([...fingerprints, ...instructed.filter(isDistinctive)])
  }

  function handover(): Handover {
    const isWaiting = [...calls.values()].some(({ ran, isSensitive }) => ran && isSensitive)
    const lists = {
      untrusted: untrusted.list(),
      instructed: instructed.list(),
      sensitive: sensitive.list(),
    }
    return {
      root,
      inherits: {
        taint,
        confidentiality,
        unseen: isUnseen || isWaiting || sensitive.isCut(),
        held: isHeld,
        codeWritten: isCodeWritten,
        ...(key !== undefined && { fingerprints: lists }),
      },
      task,
      ...(asks.length > 0 && { asks: [...asks] }),
      signals,
      key,
    }
  }

  return {
    started: (fingerprints, signals) => {
      task ??= fingerprints
      if (options.task === undefined) asks = actsIn(signals)
    },
    instructed: (fingerprints = [], signals = {}) => {
      if (options.task !== undefined) return
      task = latestOf(fingerprints, task)
      asks = [...new Set([...asks, ...actsIn(signals)])]
    },
    asked: (call) => {
      if (call.inherits) absorb(call.inherits)
      keep(call.callId, sourceOf(call))
    },
    answered,
    completed,
    handover,
  }
}

/** The newer first: of more than an event can hold, the oldest are forgotten. */
const latestOf = (newer: readonly string[], older: readonly string[] = []): string[] =>
  [...new Set([...newer, ...older])].slice(0, FINGERPRINTS_MAX)

const SENSITIVE = CONFIDENTIALITIES.indexOf('sensitive')

function isSensitive(labels: Pick<ClaimedLabels, 'confidentiality'> | undefined): boolean {
  const confidentiality = confidentialityOf(labels)
  return confidentiality !== undefined && CONFIDENTIALITIES.indexOf(confidentiality) >= SENSITIVE
}

/** What ran without a verdict may have written anything that it may change; as the engine has it. */
const changesAnything = (labels: ClaimedLabels | undefined): boolean => labels?.capability !== 'read'

/** Whether something sensitive is known of which nothing is told. */
const isUnreported = (
  confidentiality: Confidentiality | undefined,
  reported: readonly string[] = [],
): boolean => reported.length === 0 && isSensitive({ confidentiality })

/** Whether a step was blocked because sensitive data was in it. */
const holds = (decision: Answer['decision']): boolean =>
  decision?.risk?.evidence !== undefined && holdsSession(decision.reasons, decision.risk.evidence)

/** `partial` is said of one list of fingerprints, and of no other. */
function ofTexts(signals: Signals | undefined): Signals | undefined {
  if (signals?.['partial'] === undefined) return signals
  const { partial: _, ...rest } = signals
  return rest
}

/** A proposed step as an event tells it. */
export type StepCall = Pick<
  EventOf<'step.proposed'>,
  | 'callId'
  | 'tool'
  | 'argumentsDigest'
  | 'arguments'
  | 'argumentsSalt'
  | 'labels'
  | 'evidence'
  | 'fingerprints'
  | 'addressed'
  | 'signals'
  | 'inherits'
>
