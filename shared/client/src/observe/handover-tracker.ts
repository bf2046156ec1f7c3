import {
  type Act,
  type ClaimedLabels,
  type Confidentiality,
  type EventOf,
  type Handover,
  type Inherits,
  type ReportedLimits,
  type Signals,
  type Taint,
  CONFIDENTIALITIES,
  FINGERPRINTS_MAX,
} from '@plimsoll/contracts'
import { NO_LIMITS, holdsSession, limitsAfter, reportOfLimits } from '@plimsoll/engine'
import { type CompletionReport, type EntryFinder, type ProposedView, actsIn } from '@plimsoll/labels'
import type { Answer } from '../answer.js'
import { createFingerprintList, isDistinctive } from './handover.js'
import { confidentialityOf, raiseClaims, raiseConfidentiality, raiseSignals, raiseTaint } from './raise.js'

/** A proposed step as its event reports it. */
export type StepCall = Pick<
  EventOf<'step.proposed'>,
  'callId' | 'tool' | 'argumentsDigest' | 'arguments' | 'argumentsSalt' | 'evidence' | 'inherits'
> &
  ProposedView

type Completion = Pick<EventOf<'step.completed'>, 'inherits'> & CompletionReport

export interface HandoverTrackerOptions {
  readonly root: string
  /** Identifies the key of the root session; undefined if the client has no key. */
  readonly key: string | undefined
  readonly entryOf: EntryFinder
  /** From the session that delegated. */
  readonly inherits: Inherits | undefined
  readonly signals: Signals | undefined
  /** Irreversible acts that the root's task asks for, if the root is another session. */
  readonly asks?: readonly Act[] | undefined
  /** Fingerprints of the root's task, if the root is another session. */
  readonly task: string[] | undefined
}

/** An open call as a source of data. */
interface Source {
  readonly labels: ClaimedLabels | undefined
  /** Whether the catalogue states it. Otherwise the policy does, which a client does not know. */
  readonly isConfidentialityKnown: boolean
  readonly isTrustKnown: boolean
  isSensitive: boolean
  /** Whether it may write code that a later step runs, by the engine's rule. */
  readonly mayWriteCode: boolean
  /** Whether it was allowed, so that its result may arrive at any time. */
  ran: boolean
}

/** Twice the engine's cap of open calls. */
const CALLS_MAX = 64

export type HandoverTracker = ReturnType<typeof createHandoverTracker>

/**
 * Tracks what one session has learned, for sessions that it delegates to and for its parent. Folds the session's events
 * and answers, without the policy; where a monitor could know better, it errs to the unsafe side.
 */
export function createHandoverTracker(options: HandoverTrackerOptions) {
  const { root, key, entryOf } = options
  const untrusted = createFingerprintList()
  const instructed = createFingerprintList()
  const sensitive = createFingerprintList()
  let { signals, task } = options
  let limits = NO_LIMITS
  let asks: readonly Act[] = options.asks ?? []
  let taint: Taint | undefined
  let confidentiality: Confidentiality | undefined
  let isUnseen = false
  let isHeld = false
  let isCodeWritten = false
  const calls = new Map<string, Source>()
  if (options.inherits) absorb(options.inherits)

  function absorb({ fingerprints = {}, ...inherits }: Inherits): void {
    raise(inherits)
    const isSensitiveUnseen = (fingerprints.sensitive ?? []).length === 0 && isSensitive(inherits)
    isUnseen ||= inherits.unseen === true || isSensitiveUnseen
    isHeld ||= inherits.held === true
    isCodeWritten ||= inherits.codeWritten === true
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

  function sourceOf(call: Pick<StepCall, 'tool'> & Partial<Pick<StepCall, 'labels' | 'signals'>>): Source {
    const { labels: claimed, signals: seen } = call
    const entry = entryOf(call.tool)
    // As in the engine: complete labels of the arguments replace the tool's, down to the catalogue's floor.
    const isDerived = entry?.least && claimed?.capability && claimed.reversibility
    const labels = raiseClaims(isDerived ? entry.least : entry?.labels, claimed)
    const runsUnknown = labels?.capability === 'execute' && seen?.['complete'] !== 1
    return {
      labels,
      isConfidentialityKnown: entry?.labels.confidentiality !== undefined,
      isTrustKnown: entry?.labels.trust !== undefined,
      isSensitive: isSensitive(labels),
      mayWriteCode: entry === undefined || runsUnknown || (seen?.['code'] ?? 0) > 0,
      ran: false,
    }
  }

  function answered(answer: Answer): Answer {
    const { callId, mayRun, verdict, decision } = answer
    const call = calls.get(callId)
    // In mode `observe` the step runs although it leaks.
    isHeld ||=
      decision?.risk?.evidence !== undefined && holdsSession(decision.reasons, decision.risk.evidence)
    if (!mayRun) {
      if (verdict === 'block') calls.delete(callId)
      return answer
    }
    const { exposure = 'none', taint: reached } = decision?.risk ?? {}
    const level = exposure === 'none' ? undefined : exposure
    raise({ taint: reached, confidentiality: level })
    if (!call) return answer
    raiseBy(call.labels)
    call.ran = true
    isCodeWritten ||= call.mayWriteCode || (!decision && changesAnything(call.labels))
    // The policy's labels for unlabelled tools are unknown here; the exposure shows them.
    if (!call.isConfidentialityKnown && isSensitive({ confidentiality: level })) call.isSensitive = true
    return answer
  }

  function completed({ callId, tool }: Pick<Answer, 'callId' | 'tool'>, report: Completion): void {
    const open = calls.get(callId)
    const call = open ?? sourceOf({ tool })
    isCodeWritten ||= !open?.ran && (call.mayWriteCode || changesAnything(call.labels))
    calls.delete(callId)
    raiseBy(call.labels)
    raiseBy(report.labels)
    raise({ taint: report.taint })
    if (report.inherits) absorb(report.inherits)
    const trust = raiseClaims(call.labels, report.labels)?.trust
    const isTainted = report.taint !== undefined && report.taint !== 'none'
    if (!call.isTrustKnown || trust === 'untrusted' || isTainted) {
      untrusted.add(report.fingerprints)
      signals = raiseSignals(signals, report.signals && lastingSignals(report.signals))
    }
    instructed.add(report.instructed)
    if (call.isSensitive || isSensitive(report.labels)) readSensitive(report)
  }

  function readSensitive({ fingerprints = [], instructed: found = [], signals: seen = {} }: Completion) {
    const isPartial = (seen['partial'] ?? 0) > 0
    isUnseen ||= isPartial || fingerprints.length === 0 || fingerprints.length >= FINGERPRINTS_MAX
    sensitive.add([...fingerprints, ...found.filter(isDistinctive)])
  }

  return {
    /** Takes the report of the task. */
    started: (
      fingerprints: string[] | undefined,
      reported: Signals | undefined,
      set?: ReportedLimits,
    ): void => {
      if (set) limits = limitsAfter(limits, set)
      task ??= fingerprints
      if (options.task === undefined) asks = actsIn(reported)
    },
    /** Takes the report of a later message of the user. In a delegated session it names nothing for others. */
    instructed: (fingerprints: string[] = [], reported: Signals = {}, set?: ReportedLimits): void => {
      if (options.task !== undefined) return
      if (set) limits = limitsAfter(limits, set)
      // Newest first: beyond an event's cap the oldest are dropped.
      task = [...new Set([...fingerprints, ...(task ?? [])])].slice(0, FINGERPRINTS_MAX)
      asks = [...new Set([...asks, ...actsIn(reported)])]
    },
    asked: (call: StepCall): void => {
      if (call.inherits) absorb(call.inherits)
      calls.set(call.callId, sourceOf(call))
      if (calls.size <= CALLS_MAX) return
      const [oldest] = calls
      if (!oldest) return
      calls.delete(oldest[0])
      isUnseen ||= oldest[1].ran && oldest[1].isSensitive
    },
    answered,
    completed,
    handover: (): Handover => {
      const isWaiting = [...calls.values()].some(({ ran, isSensitive: isSource }) => ran && isSource)
      const fingerprints = {
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
          ...(key !== undefined && { fingerprints }),
        },
        task,
        ...(asks.length > 0 && { asks: [...asks] }),
        limits: reportOfLimits(limits),
        signals,
        key,
      }
    },
  }
}

/** What a result says to other sessions: not `partial`, of one list of fingerprints, nor `reach` and conduct, of this agent. */
const lastingSignals = (signals: Signals): Signals =>
  Object.fromEntries(Object.entries(signals).filter(([name]) => !/^(?:partial$|reach$|conduct)/.test(name)))

const SENSITIVE = CONFIDENTIALITIES.indexOf('sensitive')

function isSensitive(labels: Pick<ClaimedLabels, 'confidentiality'> | undefined): boolean {
  const confidentiality = confidentialityOf(labels)
  return confidentiality !== undefined && CONFIDENTIALITIES.indexOf(confidentiality) >= SENSITIVE
}

/** As in the engine: a step without a verdict may have written to anything that it can change. */
const changesAnything = (labels: ClaimedLabels | undefined): boolean => labels?.capability !== 'read'
