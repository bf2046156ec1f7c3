import type { EventOf, Inherits, Mode, ToolLabels } from '@plimsoll/contracts'
import type { Facts, LoggedEvent, Outcome } from '@plimsoll/engine'
import type { Documents } from '@plimsoll/policy'
import { ACTS, actsIn } from './naive-integrity.js'
import { ESCALATIONS, EXPOSURES, LEVELS, TAINTS, naiveLevel, readOrStandIn } from './naive-levels.js'
import { approvalsAfter, refusalOf, withApproval, type NaiveApproval } from './naive-approvals.js'
import { naiveJudge, wayOut, type NaiveJudgement } from './naive-judge.js'
import { fillsFiles, isSensitive, writesCode } from './naive-files.js'
import { createNaivePayees, sourceOfStep } from './naive-payees.js'
import { createNaiveReading, sourceOf, type NaiveSource } from './naive-reading.js'
import { escalationOf, higher, raised } from './naive-labels.js'
import { createNaiveLabelling } from './naive-labelling.js'
import { createNaiveSession, reach, reportOf } from './naive-session.js'
import type { Expected, OpenStep, Question } from './naive-session.js'

const LIVE_CALLS_MAX = 32
const CALL_MS_MAX = 3_600_000

/**
 * A session kept as plain words and growing lists, without caps, sequence numbers or codes: the engine's state must be equivalent
 * to it. It learns which events the engine accepted, not their outcome.
 */
export function createNaiveModel(initial: Documents) {
  let documents = initial
  let facts: Facts = { mode: 'enforce' }
  const session = createNaiveSession()
  let sessionApprovals: readonly NaiveApproval[] = []
  /** Whether no step was decided or ran yet. */
  let isFirst = true
  const open = new Map<string, OpenStep>()
  const reading = createNaiveReading()
  const payees = createNaivePayees()
  const questions = new Map<string, Question>()
  const labelling = createNaiveLabelling(() => documents)

  function ran(labels: ToolLabels): void {
    session.reversibility = labels.reversibility
    reach(session, labels)
  }

  function ranUnasked(
    step: Pick<EventOf<'step.proposed'>, 'callId' | 'tool' | 'labels'>,
    timeMs: number,
  ): void {
    if (open.has(step.callId)) return
    const { labels: known, labelled } = labelling.of(step)
    // It ran without waiting for its decision: the report of its proposal counts as well.
    const asked = [...questions.values()].find(({ callId }) => callId === step.callId)
    const labels = raised(known, asked?.labels)
    ran(labels)
    // It ran without a verdict.
    if (labels.capability !== 'read') session.codeWritten = true
    if (labels.capability !== 'read') session.filesMayHold = true
    setApprovals(approvalsAfter(sessionApprovals))
    session.steps++
    isFirst = false
    forget(step.callId)
    const source = sourceOf(labels, labelled)
    if (open.size + questions.size < LIVE_CALLS_MAX)
      open.set(step.callId, { ...source, tool: step.tool, digest: undefined, since: timeMs })
    else if (source.isSensitive) reading.overlook()
  }

  /** A waiting or blocked step has not run. */
  function refine({ tool, callId, labels, effect }: EventOf<'labels.refined'>, { state }: Outcome): void {
    labelling.refine({ tool, labels, effect })
    const call = state?.calls.find((each) => each.callId === callId)
    if (call && call.status !== 'open') return
    reach(session, labels)
    const { isSensitive } = sourceOf(labels, true)
    const standIn = readOrStandIn(documents.policy.unlabelled.labels, tool)
    if (!isSensitive || sourceOf(standIn, true).isSensitive) return
    reading.overlook()
    const source = open.get(callId)
    if (source) open.set(callId, { ...source, isSensitive })
  }

  function forget(callId: string): void {
    open.delete(callId)
    for (const [id, question] of questions) if (question.callId === callId) questions.delete(id)
  }

  /** A call that never completes counts as failed: its result is unknown. */
  function fail(callId: string): void {
    if (open.get(callId)?.isSensitive) reading.overlook()
    forget(callId)
  }

  function failOverdue({ type, ...event }: LoggedEvent['event'], timeMs: number): void {
    const awaited = type === 'step.completed' && 'callId' in event ? event.callId : undefined
    for (const [callId, { since }] of open)
      if (timeMs - since >= CALL_MS_MAX && callId !== awaited) fail(callId)
  }

  /** Removes expired approval requests to make room. */
  function lapse(timeMs: number): void {
    for (const [id, { expiresAt }] of questions) if (expiresAt <= timeMs) questions.delete(id)
  }

  function judge(
    step: Omit<Question, 'shown' | 'expiresAt'>,
    time: number,
    approved: ReadonlySet<string>,
  ): NaiveJudgement {
    const arrival = {
      exposure: higher(EXPOSURES, session.exposure, step.labels.confidentiality ?? 'none'),
      escalation: higher(ESCALATIONS, session.escalation, escalationOf(step.labels)),
      reversibility: step.labels.reversibility,
    }
    const level = higher(LEVELS, session.level, naiveLevel(arrival))
    const { category, exposure: exposureBefore, band: bandBefore, held, codeWritten, filesMayHold } = session
    return naiveJudge(documents, {
      ...step,
      ...arrival,
      level,
      category,
      isFirst,
      exposureBefore,
      bandBefore,
      held,
      codeWritten,
      filesMayHold,
      asks: new Set(session.asks.split(' ')),
      givesAddress: reading.givesAddress(),
      replaced: labelling.isReplaced(step.tool),
      stopped: facts.stop !== undefined,
      approved,
      time,
      sessionApprovals,
    })
  }

  const mode = (): Mode => (facts.stop ? 'enforce' : facts.mode)

  function settle(
    step: Omit<Question, 'expiresAt'>,
    judgement: NaiveJudgement,
    timeMs: number,
    { decision }: Outcome,
  ): void {
    isFirst = false
    forget(step.callId)
    const isObserved = mode() === 'observe'
    if (judgement.leaks) session.held = true
    if (judgement.verdict === 'confirm' && !isObserved) {
      const shown = new Set([...step.shown, ...judgement.asks])
      questions.set(decision?.id ?? '', { ...step, shown, expiresAt: decision?.expiresAt ?? 0 })
    } else if (judgement.verdict !== 'block' || isObserved) {
      if (fills(step)) session.filesMayHold = true
      const taintBefore = session.taint
      ran(step.labels)
      if (writesCode(step, taintBefore)) session.codeWritten = true
      setApprovals(approvalsAfter(sessionApprovals, step, timeMs))
      session.steps++
      session.band = judgement.band
      const { tool, argumentsDigest: digest } = step
      open.set(step.callId, { ...sourceOfStep(step), tool, digest, since: timeMs })
    }
  }

  function fills(step: Pick<Question, 'labels' | 'signals' | 'carriesSome'>): boolean {
    const mayBeUnlisted = reading.isUnseen() || [...open.values()].some((each) => each.isSensitive)
    return fillsFiles(step, { ...session, mayBeUnlisted })
  }

  function propose(event: EventOf<'step.proposed'>, timeMs: number, outcome: Outcome): Expected | undefined {
    for (const step of event.withoutVerdict ?? []) ranUnasked(step, timeMs)
    if (event.inherits) inherit(event.inherits)
    if (outcome.fault) return undefined
    if (open.size + questions.size >= LIVE_CALLS_MAX) lapse(timeMs)
    const waitsForSensitive = [...open.values()].some(({ isSensitive }) => isSensitive)
    const known = labelling.of(event)
    const { fingerprints, addressed, signals } = event
    const way = wayOut({ labels: known.labels, signals, codeWritten: session.codeWritten })
    const isPayment = way === 'mail' && actsIn('does', signals).join() === 'Pay'
    const carriesSome = reading.carriesSome(fingerprints)
    const isAtStake = isSensitive(session.exposure) || isSensitive(known.labels.confidentiality ?? 'none')
    const isAbout = way === 'program' && addressed !== undefined && addressed.length > 0
    const isOut = (way === 'visit' || way === 'mail' || isAbout) && (isAtStake || session.held)
    const mayHold = session.filesMayHold || session.codeWritten
    const sendsFiles = mayHold || fills({ labels: known.labels, signals, carriesSome })
    const kind = isPayment ? 'payment' : way === 'mail' || isAbout ? 'mail' : 'visit'
    const report = [fingerprints, addressed, signals, waitsForSensitive] as const
    const seen = isOut
      ? reading.carried(...report, kind, !isAbout && sendsFiles)
      : reading.evidence(fingerprints, signals, waitsForSensitive)
    const step = {
      callId: event.callId,
      tool: event.tool,
      argumentsDigest: event.argumentsDigest,
      ...known,
      evidence: event.evidence?.sensitive ?? seen,
      givesStrangers: reading.givesStrangers(fingerprints, signals),
      givesRecords: reading.sendsRecords(fingerprints, signals),
      carriesSome,
      sightings: reading.sightings(fingerprints),
      provenance: reading.provenance(event.fingerprints),
      signals: payees.signalsOf(event, reading.whereabouts),
    }
    const judgement = judge(step, timeMs, new Set())
    settle({ ...step, shown: new Set() }, judgement, timeMs, outcome)
    return expectedOf(judgement, step)
  }

  const expectedOf = (judgement: NaiveJudgement, step: Omit<Question, 'shown' | 'expiresAt'>): Expected => ({
    ...judgement,
    mode: mode(),
    permitted: judgement.verdict === 'confirm' && mode() === 'enforce' ? judgement.permitted : undefined,
    ...reportOf(step),
  })

  function approve(
    event: EventOf<'approval.resolved'>,
    timeMs: number,
    outcome: Outcome,
  ): Expected | undefined {
    const question = questions.get(event.decisionId)
    if (!question || outcome.fault) return undefined
    const refusal = refusalOf(event, timeMs, question)
    if (refusal !== undefined) return denyStep(question, timeMs, refusal)
    const known = labelling.byNow(question)
    const judgement = judge(known, timeMs, question.shown)
    const given = { ...known, id: event.id, reasons: judgement.approves, exposureBefore: session.exposure }
    const approvals = withApproval(documents.policy, sessionApprovals, given, timeMs)
    settle(known, judgement, timeMs, outcome)
    if (event.scope === 'session' && judgement.approves.length > 0 && /allow|warn/.test(judgement.verdict))
      setApprovals(approvals)
    return expectedOf(judgement, known)
  }

  function setApprovals(approvals: readonly NaiveApproval[]): void {
    sessionApprovals = approvals
    session.approvals = approvals.map(({ id }) => id).join()
  }

  function denyStep(question: Question, timeMs: number, refusal: string): Expected {
    forget(question.callId)
    const judgement = judge(labelling.byNow(question), timeMs, question.shown)
    return {
      ...judgement,
      permitted: undefined,
      verdict: 'block',
      reasons: [`approval:${refusal}`],
      mode: 'enforce',
      ...reportOf(question),
    }
  }

  /** An approval request expired. */
  function expire({ due }: EventOf<'deadline.reached'>, timeMs: number): Expected | undefined {
    const question = due.kind === 'approval' ? questions.get(due.decisionId) : undefined
    if (!question || timeMs < question.expiresAt) return undefined
    return denyStep(question, timeMs, 'approval_expired')
  }

  return {
    session,
    isOpen: (callId: string) => open.has(callId),
    /** The session moves to other documents: its state stays; what was approved or shown under the old policy lifts nothing. */
    transition(to: Documents): void {
      const isSame = to.policy === documents.policy
      documents = to
      if (isSame) return
      setApprovals([])
      for (const [id, question] of questions) questions.set(id, { ...question, shown: new Set() })
    },
    /** Applies an event that the engine accepted; returns the expected decision, if one is due. */
    hear({ event }: LoggedEvent, timeMs: number, outcome: Outcome, reported: Facts): Expected | undefined {
      facts = reported
      if (outcome.fault?.code === 'session_ended') return undefined
      failOverdue(event, timeMs)
      if (event.type === 'session.started') {
        // Text written by another agent is not evidence of the session's category.
        const found = event.found && !event.inherits ? `~${event.found.category}` : ''
        session.category = event.category ?? found
        session.delegated = event.inherits !== undefined || (event.root ?? 's') !== 's'
        if (event.inherits) inherit(event.inherits)
        const isDictated =
          event.inherits?.taint === 'instructions' && !event.inherits.fingerprints?.instructed?.length
        if (!isDictated) reading.task(event.fingerprints)
        if (!session.delegated) payees.add(event.payees, 'task')
      }
      if (event.type === 'session.started') session.asks = actsIn('asks', event.signals).join(' ')
      if (event.type === 'session.instructed') {
        if (!session.delegated)
          session.asks = ACTS.filter((act) =>
            [...session.asks.split(' '), ...actsIn('asks', event.signals)].includes(act),
          ).join(' ')
        if (!session.delegated) payees.add(event.payees, 'task')
        if (!session.delegated) reading.named(event.fingerprints)
        else if (session.taint !== 'instructions') reading.task(event.fingerprints)
      }
      if (event.type === 'step.proposed') return propose(event, timeMs, outcome)
      if (event.type === 'approval.resolved') return approve(event, timeMs, outcome)
      if (event.type === 'approval.revoked')
        setApprovals(sessionApprovals.filter(({ id }) => id !== event.approval))
      if (event.type === 'deadline.reached') return expire(event, timeMs)
      if (event.type === 'labels.refined') refine(event, outcome)
      // `line` is reserved: no flow of these policies has that id.
      if (event.type === 'declassification.granted' && event.spec === 'line')
        session.held = session.filesMayHold = false
      if (event.type === 'step.completed') complete(event, timeMs)
      return undefined
    },
  }

  /** Applies the state of a relative: this session may know all that the relative knows. */
  function inherit({ taint, confidentiality, unseen, fingerprints = {}, held, codeWritten }: Inherits): void {
    setApprovals(approvalsAfter(sessionApprovals))
    if (held) session.held = true
    if (codeWritten) session.codeWritten = true
    reading.inherit(fingerprints)
    if (fingerprints.untrusted?.length) session.taint = higher(TAINTS, session.taint, 'data')
    if (fingerprints.instructed?.length) session.taint = 'instructions'
    session.taint = higher(TAINTS, session.taint, taint ?? 'none')
    session.exposure = higher(EXPOSURES, session.exposure, confidentiality ?? 'none')
    if (unseen || fingerprints.sensitive?.length)
      session.exposure = higher(EXPOSURES, session.exposure, 'sensitive')
    const isRead = isSensitive(confidentiality ?? 'none')
    if (unseen || fingerprints.sensitive?.length || isRead) session.filesMayHold = true
    session.level = higher(LEVELS, session.level, naiveLevel(session))
    if (unseen || (isRead && !fingerprints.sensitive?.length)) reading.overlook()
  }

  function complete(event: EventOf<'step.completed'>, timeMs: number): void {
    const meant = open.get(event.callId)
    const isOther = (reported: string | undefined, known: string | undefined) =>
      reported !== undefined && known !== undefined && reported !== known
    if (meant && (isOther(event.tool, meant.tool) || isOther(event.argumentsDigest, meant.digest)))
      fail(event.callId)
    ranUnasked(event, timeMs)
    if (event.inherits) inherit(event.inherits)
    const known: NaiveSource = open.get(event.callId) ?? { isSensitive: false, isUntrusted: true }
    const claimed = sourceOf({ ...event.labels, capability: 'read', reversibility: 'reversible' }, true)
    const isUntrusted = known.isUntrusted || claimed.isUntrusted || (event.taint ?? 'none') !== 'none'
    reading.read(event, {
      isSensitive: known.isSensitive || claimed.isSensitive,
      isUntrusted,
      isSought: known.isSought === true,
    })
    payees.add(event.payees, isUntrusted ? 'untrusted' : 'trusted')
    forget(event.callId)
    session.exposure = higher(EXPOSURES, session.exposure, event.labels?.confidentiality ?? 'none')
    const seen = event.labels?.trust === 'untrusted' ? 'data' : 'none'
    session.taint = higher(TAINTS, higher(TAINTS, session.taint, seen), event.taint ?? 'none')
    session.level = higher(LEVELS, session.level, naiveLevel(session))
  }
}

export type NaiveModel = ReturnType<typeof createNaiveModel>
