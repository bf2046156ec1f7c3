import type { Event, EventOf, Inherits, ReportedLimits, ReportedPayee, Signals } from '@plimsoll/contracts'
import { fallbackLabels } from '../labels/refined.js'
import {
  type StepLabels,
  FOLLOWED,
  INSTRUCTED,
  SOUGHT,
  SENSITIVE,
  TASK,
  TRUSTED,
  UNTRUSTED,
  requestedActs,
  claimedClass,
  exposureIndex,
  raiseExposure,
  raiseLabels,
  riskLevelOf,
} from '../labels/safety-state.js'
import { TAINTS } from '../labels/words.js'
import { matchFingerprints } from '../provenance/matches.js'
import { limitsAfter } from '../provenance/limits.js'
import { addPayees } from '../provenance/payees.js'
import { type Own, NOTHING_OWN, addOwn, addRead } from '../provenance/own.js'
import { addRecords, recordsAfterTask } from '../provenance/records.js'
import { harmfulScripts } from '../provenance/scripts.js'
import { type Sources, LOOKED_UP_MAX, addNamedValues, addSource, blinded } from '../provenance/sources.js'
import { bucketFor } from '../risk/risk.js'
import { stateLeftAfterResult } from '../risk/transitions.js'
import type { Rules } from '../rules.js'
import { type SessionTime, sessionTimeOf } from '../specs/counters.js'
import { tagsOf } from '../specs/matching.js'
import { rememberInherited, rememberRaised, rememberReturn, voidedByInherited } from '../specs/memory.js'
import { findCall, removeCall } from '../state/calls.js'
import { isDelegated } from '../state/category.js'
import { isIncomplete } from '../state/evidence.js'
import { conductAfterResult } from '../state/conduct.js'
import { updateHistory } from '../state/history.js'
import { hasReport, inherit, inheritanceOf, namedByMessage, namedByTask } from '../state/inheritance.js'
import { readMessages } from '../state/second-hand.js'
import { type SessionState, LEFT_STATES, changed, draftOf } from '../state/session.js'
import { recordRunWithoutVerdict } from './run.js'

type Started = EventOf<'session.started'>
type Instructed = EventOf<'session.instructed'>
/** The report of a result, by its client or by another session. */
export type Completed = Omit<EventOf<'step.completed'>, keyof Envelope | 'type'>
type Envelope = Pick<Event, 'schema' | 'id' | 'sessionId' | 'producer' | 'seq' | 'time'>

const INSTRUCTIONS = TAINTS.indexOf('instructions')

/** A new session with its task and its inherited state. */
export function startSession(state: SessionState, event: Started, rules: Rules): SessionState {
  const { fingerprints, signals, limits, inherits } = event
  const fresh = isDelegated(event) ? changed(state, { delegated: true }) : state
  if (!inherits) return isReported(event) || rules.flow ? readTask(fresh, event, rules, true) : fresh
  const knowing = inherit(fresh, inherits)
  const named = fingerprints && namedByTask(knowing.sources, inherits, fingerprints)
  const read = readTask(knowing, { fingerprints: named, signals, limits }, rules, true)
  const started = hasReport(inherits)
    ? updateHistory(read.history, { kind: 'started', signals }, true)
    : read.history
  const history = inheritedHistory(started, inherits, signals)
  const memory = rememberInherited(state.memory, labelsOf(inherits), state, rules.memory)
  return withBucket(changed(read, { history, memory }), rules)
}

/** The report of a user's text: the task, or a later instruction. */
type Named = {
  readonly fingerprints?: readonly string[] | undefined
  readonly signals?: Signals | undefined
  readonly limits?: ReportedLimits | undefined
  readonly follows?: readonly string[] | undefined
  readonly payees?: readonly ReportedPayee[] | undefined
}

const isReported = ({ fingerprints, signals, limits, payees }: Named): boolean =>
  fingerprints !== undefined || signals !== undefined || limits !== undefined || payees !== undefined

/** `state` after a text of the user: values that the user names are not untrusted. */
function readTask(state: SessionState, named: Named, rules: Rules, isFirst = false): SessionState {
  const { fingerprints, follows, payees, signals } = named
  const said = fingerprints ? addNamedValues(state.sources, fingerprints) : state.sources
  const sources = follows && !state.delegated ? addSource(said, follows, FOLLOWED) : said
  const history = updateHistory(state.history, { kind: 'started', signals }, isReported(named))
  // A later message does not remove acts that the task asks for.
  const asked = state.asked | requestedActs(signals)
  const limits = named.limits ? limitsAfter(state.limits, named.limits, !state.delegated) : state.limits
  // A later message that orders a change does.
  const looksOnly = (signals?.looksOnly ?? 0) > 0 && (isFirst || state.looksOnly)
  const delegates = state.delegates || (!state.delegated && (signals?.delegates ?? 0) > 0)
  // An agent's task vouches for nobody.
  const known = payees && !state.delegated ? addPayees(state.payees, payees, TASK) : state.payees
  const records = recordsAfterTask(state.records, (signals?.meansMore ?? 0) > 0)
  const read = { sources, history, asked, looksOnly, limits, delegates, payees: known, records }
  return withBucket(changed(state, read), rules)
}

const withBucket = (state: SessionState, rules: Rules): SessionState =>
  changed(state, { bucket: bucketFor(state, rules) })

/**
 * `state` after a further instruction, which counts like the task. In a delegated session an agent may have written it, so values that
 * this agent may have read do not become trusted, and its detected acts do not count.
 */
export function instructSession(state: SessionState, event: Instructed, rules: Rules): SessionState {
  if (!isReported(event)) return state
  const { fingerprints = [] } = event
  const named = state.delegated
    ? { fingerprints: namedByMessage(state, fingerprints), limits: event.limits }
    : event
  return changed(readTask(state, named, rules), { leftState: stateLeftAfterResult(state) })
}

/** Applies inherited state like one result. */
function inheritedHistory(
  history: readonly number[],
  inherits: Inherits,
  signals: Signals | undefined,
): readonly number[] {
  const { taint } = inheritanceOf(inherits)
  const isInstructed = taint === INSTRUCTIONS
  const read = { kind: 'completed', untrusted: taint > 0, instructed: isInstructed } as const
  return taint === 0
    ? history
    : updateHistory(history, { ...read, matches: undefined, signals, steps: 0 }, hasReport(inherits))
}

/** `state` with what a related session has read, before the next step. */
export function inheritState(
  state: SessionState,
  inherits: Inherits,
  rules: Rules,
  time: number,
): SessionState {
  const known = inherit(state, inherits)
  const { memory, calls } =
    rules.memory.cells === 0
      ? known
      : rememberHandedOver(known, labelsOf(inherits), sessionTimeOf(known, time), rules)
  const history = inheritedHistory(known.history, inherits, undefined)
  const leftState = stateLeftAfterResult(known)
  return withBucket(changed(known, { memory, calls, history, leftState }), rules)
}

/** Applies a result. It can raise exposure and taint, never lower them; a call that was never admitted counts as run. */
export function completeStep(
  state: SessionState,
  event: Completed,
  rules: Rules,
  time: number,
): SessionState {
  const ran = recordRunWithoutVerdict(state, event, rules, time)
  const known = event.inherits ? inherit(ran, event.inherits) : ran
  const safety = raiseExposure(known.safety, exposureIndex(event.labels?.confidentiality))
  const level = Math.max(known.level, riskLevelOf(safety))
  const untrusted = event.labels?.trust === 'untrusted' ? 1 : 0
  const taint = Math.max(known.taint, untrusted, event.taint ? TAINTS.indexOf(event.taint) : 0)
  const source = sourceOf(known, event)
  const history = historyAfterResult(known, event, source)
  const conduct = conductAfterResult(known.conduct, event.signals)
  const { memory, calls } = remembered(known, event, rules, time)
  const next = draftOf(known)
  next.safety = safety
  next.level = level
  next.taint = taint
  next.calls = removeCall(calls, event.callId)
  next.sources = sourcesOf(known.sources, event, source)
  if (event.messages !== undefined) Object.assign(next, readMessages(next, event.messages))
  if (event.payees !== undefined) next.payees = addPayees(next.payees, event.payees, source)
  if (event.records !== undefined)
    next.records = addRecords(next.records, known.sources, event.records, known.limits)
  next.own = ownAfter(known, event)
  if (event.scripts !== undefined) next.own = addRead(next.own, harmfulScripts(known, event.scripts))
  next.history = history
  next.conduct = conduct
  next.leftState = stateLeftAfterResult(known)
  next.memory = memory
  if (!isSeenAlike(ran, next)) next.bucket = bucketFor(next, rules)
  return next
}

/** What the session has made, with what a call has that is over. A failed call may have found it there. */
function ownAfter({ own, calls }: SessionState, { callId, outcome }: Completed): Own {
  if (outcome !== 'ok') return own
  for (const call of calls)
    if (call.status === 'open' && call.callId === callId && call.made !== NOTHING_OWN)
      return addOwn(own, call.made)
  return own
}

/** Whether the session scorer sees the same in both, so that the bucket of `before` counts: it does unless it is another bundle's. */
const isSeenAlike = (
  before: SessionState,
  { safety, level, taint, history, conduct }: SessionState,
): boolean =>
  before.leftState !== LEFT_STATES.elsewhere &&
  before.safety === safety &&
  before.level === level &&
  before.taint === taint &&
  before.history === history &&
  before.conduct === conduct

/** The spec memory after a result: first what it raises, which may cancel credits of the call; then its credits. */
function remembered(
  state: SessionState,
  event: Completed,
  rules: Rules,
  time: number,
): Pick<SessionState, 'memory' | 'calls'> {
  if (rules.memory.cells === 0) return state
  const moment = sessionTimeOf(state, time)
  const { inherits, labels, outcome } = event
  const known = inherits ? rememberHandedOver(state, labelsOf(inherits), moment, rules) : state
  const raised: Pick<SessionState, 'memory' | 'calls'> =
    labels || event.taint ? rememberReportedLabels(known, event, rules, moment) : known
  if (outcome !== 'ok') return raised
  const call = raised.calls.find(({ callId }) => callId === event.callId)
  const credits = call?.status === 'open' ? call.credits : []
  return { memory: rememberReturn(raised.memory, credits, moment, rules.memory), calls: raised.calls }
}

function rememberHandedOver(
  state: SessionState,
  labels: Pick<StepLabels, 'exposure' | 'untrusted'>,
  moment: SessionTime,
  rules: Rules,
): SessionState {
  const memory = rememberInherited(state.memory, labels, moment, rules.memory)
  return changed(state, { memory, calls: voidedByInherited(state.calls, labels, rules.memory) })
}

function rememberReportedLabels(
  state: Pick<SessionState, 'memory' | 'calls' | 'refined'>,
  { tool, labels, taint }: Completed,
  rules: Rules,
  moment: SessionTime,
): Pick<SessionState, 'memory' | 'calls'> {
  const rule = rules.tool(tool)
  const base = rule.least ?? rule.labels ?? fallbackLabels(tool, state.refined, rules)
  const claimed = raiseLabels(base, labels)
  const isTainted = taint === 'data' || taint === 'instructions'
  const raised = {
    labels: isTainted ? { ...claimed, untrusted: true } : claimed,
    tags: tagsOf({ labels }, rule, rules),
  }
  return rememberRaised(state, rule.memory, { labels: base, tags: rule.tags }, raised, moment, rules.memory)
}

const labelsOf = (inherits: Inherits): Pick<StepLabels, 'exposure' | 'untrusted'> => {
  const { exposure, taint } = inheritanceOf(inherits)
  return { exposure, untrusted: taint > 0 }
}

/** The class of a result: that of the admitted call, and what the client saw of it. */
function sourceOf(state: SessionState, { callId, labels, taint }: Completed): number {
  const call = findCall(state, callId)
  // A step that had no place counts as untrusted.
  const known = call?.status === 'open' ? call.source : UNTRUSTED
  return claimedClass(known, labels, taint === 'data' || taint === 'instructions')
}

/** Instructed values before others: full sources forget the first part last. */
function sourcesOf(
  sources: Sources,
  { fingerprints, instructed, linkParts, signals }: Completed,
  source: number,
): Sources {
  const instructedClass = (source & ~(TRUSTED | SOUGHT)) | UNTRUSTED | INSTRUCTED
  let read = sources
  // Before the values, so that a part of a link is not older than with its host.
  if (linkParts && linkParts.length > 0) read = addSource(read, linkParts, source & ~SENSITIVE)
  if (instructed && instructed.length > 0) read = addSource(read, instructed, instructedClass)
  if (fingerprints && fingerprints.length > 0) read = addSource(read, fingerprints, source)
  const isFullyReported =
    fingerprints && fingerprints.length > 0 && fingerprints.length < LOOKED_UP_MAX && !isIncomplete(signals)
  return (source & SENSITIVE) !== 0 && !isFullyReported ? blinded(read) : read
}

function historyAfterResult(state: SessionState, event: Completed, source: number): readonly number[] {
  const { signals, fingerprints, instructed, taint, inherits } = event
  const hasNewReport =
    hasReport(inherits) || [signals, fingerprints, instructed].some((reported) => reported !== undefined)
  const inherited = inherits ? inheritanceOf(inherits).taint : 0
  if (!hasNewReport && state.history.length === 0) return state.history
  return updateHistory(
    state.history,
    {
      kind: 'completed',
      untrusted: (source & UNTRUSTED) !== 0 || inherited > 0,
      instructed: taint === 'instructions' || (instructed?.length ?? 0) > 0 || inherited === INSTRUCTIONS,
      matches: instructed && instructed.length > 0 ? matchFingerprints(state.sources, instructed) : undefined,
      signals,
      steps: state.steps,
    },
    hasNewReport,
  )
}
