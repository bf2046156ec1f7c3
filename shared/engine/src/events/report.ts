import type { EventOf, Evidence, Signals } from '@plimsoll/contracts'
import { type StepEffect, actsBeyondOwn, effectsOf, isUnnamed } from '../effects/effects.js'
import { LOSING, SENSITIVE_EXPOSURE, escalationOf, exposureOf, isPaying } from '../labels/safety-state.js'
import { ESCALATIONS, EXPOSURES, TAINTS } from '../labels/words.js'
import {
  type Matches,
  countOf,
  createFound,
  distinctiveShare,
  matchFingerprints,
} from '../provenance/matches.js'
import { isForbidden } from '../provenance/limits.js'
import { compareGift } from '../provenance/payees.js'
import { NOTHING_OWN, asWritten, isOwn, ownOf } from '../provenance/own.js'
import { harmfulScripts, runsHarmful } from '../provenance/scripts.js'
import { namesEach } from '../provenance/named.js'
import { estimateStepRisk } from '../risk/risk.js'
import type { Rules } from '../rules.js'
import type { StepFacts } from '../spec-rule.js'
import { sessionTimeOf } from '../specs/counters.js'
import { readingsOf, tagsOf } from '../specs/matching.js'
import { areNamedPrograms, areNamedRecipients, hasStranger } from '../state/second-hand.js'
import { carriedEvidenceOf, givenEvidenceOf } from '../state/carried.js'
import { evidenceOf, isAtTheLine } from '../state/evidence.js'
import { mayFillFiles } from '../state/file-content.js'
import { labelsFor, relabelled } from '../state/labelling.js'
import type { PendingCall, SessionState } from '../state/session.js'
import type { StepContext } from '../verdict/context.js'
import type { JudgeContext } from '../verdict/outcome.js'
import { outletOf } from '../verdict/sources/outlet.js'

type Proposal = EventOf<'step.proposed'>

/** A step's labels and evidence before it is judged. */
export type StepReport = Pick<
  StepContext,
  | 'tool'
  | 'rule'
  | 'labels'
  | 'labelled'
  | 'derived'
  | 'evidence'
  | 'lineEvidence'
  | 'matches'
  | 'signals'
  | 'effects'
  | 'made'
> &
  Pick<StepFacts, 'tags' | 'readings'>

const INSTRUCTIONS = TAINTS.indexOf('instructions')
const NETWORK = ESCALATIONS.indexOf('network')
const CREDENTIALS = EXPOSURES.indexOf('credentials')

/** The classes of the fingerprints of the proposal that is read. */
const FOUND = createFound()

/** The report of a proposal, matched with what the session has read. */
export function reportOfProposal(state: SessionState, proposal: Proposal, rules: Rules): StepReport {
  const { tool, fingerprints } = proposal
  const effects = effectsOf(state, proposal)
  const matches = fingerprints && matchFingerprints(state.sources, fingerprints, FOUND)
  // Looked up once: each look-up also moves the tool to the end of a list of the latest.
  const rule = rules.tool(tool)
  const { labels, labelled, derived } = labelsFor(state, proposal, rule, rules)
  const signals = signalsOf(state, proposal, effects, matches, labels)
  const evidence = proposal.evidence?.sensitive ?? evidenceOf(state, matches, signals)
  const lineEvidence = lineEvidenceOf(state, proposal, { labels, matches, signals }) ?? evidence
  const tags = tagsOf(proposal, rule, rules)
  const readings = readingsOf(proposal, rule)
  const made = ownOf(proposal.made) + asWritten(harmfulScripts(state, proposal.scripts))
  return {
    tool,
    rule,
    labels,
    labelled,
    derived,
    evidence,
    lineEvidence,
    matches,
    signals,
    effects,
    made,
    tags,
    readings,
  }
}

/** The proposal's signals, and those that only the session's record can tell. */
function signalsOf(
  state: SessionState,
  proposal: Proposal,
  effects: StepReport['effects'],
  matches: Matches | undefined,
  labels: StepReport['labels'],
): Signals | undefined {
  const { changes, gives, programs, recipients } = proposal
  const signals = effects ? signalsOfEffects(proposal, effects) : signalsOfObjects(state, proposal)
  const forbidden = changes !== undefined && isForbidden(state.limits, changes) ? 1 : 0
  const scripted = runsHarmful(state, proposal)
  const mayMatter =
    gives !== undefined || state.sendsForOther || state.held || exposureOf(state.safety) >= SENSITIVE_EXPOSURE
  const toNamed =
    recipients !== undefined && mayMatter && areNamedRecipients(state.sources, recipients) ? 1 : 0
  const toStranger = recipients !== undefined && hasStranger(state.sources, recipients) ? 1 : 0
  // A download may have put another program there. After instructions so may any step, and what they say is given to none.
  const escalation = escalationOf(state.safety)
  const isUntouched =
    state.taint < INSTRUCTIONS
      ? escalation < NETWORK
      : escalation === 0 && labels.exposure < CREDENTIALS && !isInstructedIn(matches)
  const runsNamed = programs !== undefined && isUntouched && areNamedPrograms(state.sources, programs) ? 1 : 0
  const given = gives && compareGift(state.payees, state.sources, gives)
  const payee = given?.payee ?? 0
  const tenfold = given?.isTenfold === true ? 1 : 0
  // What a client says of them does not count.
  const isKept =
    forbidden === (signals?.forbidden ?? 0) &&
    scripted === (signals?.scripted ?? 0) &&
    toNamed === (signals?.toNamed ?? 0) &&
    toStranger === (signals?.toStranger ?? 0) &&
    runsNamed === (signals?.runsNamed ?? 0) &&
    payee === (signals?.payee ?? 0) &&
    tenfold === (signals?.tenfold ?? 0)
  return isKept
    ? signals
    : { ...signals, forbidden, scripted, toNamed, toStranger, runsNamed, payee, tenfold }
}

/** Whether a step may hold values or text that only instructions had, or goes where nobody named. */
const isInstructedIn = (matches: Matches | undefined): boolean =>
  !matches ||
  countOf(matches, 'target', 'nowhere') > 0 ||
  distinctiveShare(matches, 'instructedOnly') + countOf(matches, 'gram', 'instructedOnly') > 0

/**
 * The proposal's signals, with a mark if all that its acts are done to is the session's own, or if the task does not name what else it is. What
 * is lost without an effect is not known to be own.
 */
function signalsOfEffects(
  { signals }: Proposal,
  effects: NonNullable<StepReport['effects']>,
): Signals | undefined {
  const others = effects.filter(({ relation }) => relation !== 'own')
  // Only the session's record knows what is own.
  const known = signals?.own === undefined ? signals : { ...signals, own: 0 }
  const isAllOwn = others.length === 0 && (actsBeyondOwn(known, effects) & LOSING) === 0
  if (isAllOwn) return { ...signals, own: 1 }
  // The task names each file whose values are set, and where.
  if (known?.records === 1 && effects.length > 0 && effects.every(isNamedSetting))
    return { ...known, records: 0 }
  return others.some(isUnnamed) ? { ...known, unnamed: 1 } : known
}

const isNamedSetting = ({ act, object, byName, relation }: StepEffect): boolean =>
  act === 'change' && object === 'setting' && byName && relation === 'named'

/** The same by the `objects` of clients of before. */
function signalsOfObjects({ asked, sources, own }: SessionState, proposal: Proposal): Signals | undefined {
  const { objects } = proposal
  // Only the session's record knows what is own.
  const signals = proposal.signals?.own === undefined ? proposal.signals : { ...proposal.signals, own: 0 }
  if (!objects || objects.length === 0) return signals
  const others = own === NOTHING_OWN ? objects : objects.filter((names) => !isOwn(own, names))
  if (others.length === 0) return { ...signals, own: 1 }
  const isNaming = asked !== 0 || (signals?.byName ?? 0) > 0
  return isNaming && !namesEach(sources, others) ? { ...signals, unnamed: 1 } : signals
}

/** The evidence for the line if it differs from that of the specs: of what goes out, and only if it can matter. */
function lineEvidenceOf(
  state: SessionState,
  proposal: Proposal,
  { labels, matches, signals }: Pick<StepReport, 'labels' | 'matches' | 'signals'>,
): Evidence | undefined {
  if (proposal.evidence || !matches || !isAtTheLine(state, labels, signals)) return undefined
  const outlet = outletOf({ labels, signals }, state)
  if (outlet === 'code' && signals?.runsNamed === 1)
    return givenEvidenceOf(proposal.fingerprints ?? [], FOUND)
  // What an unlabelled tool does with a record of the service that the record came from is not known, but its id is no content.
  if (outlet === 'code' && (proposal.addressed?.length ?? 0) > 0)
    return carriedEvidenceOf(state, { matches, found: FOUND }, proposal, UNKNOWN_WAY)
  if (outlet !== 'request' && outlet !== 'sends') return undefined
  const isPayment = outlet === 'sends' && isPaying(signals)
  // Which of the files it sends the task names, the record tells.
  const sent = signals && signals.records !== proposal.signals?.records ? { ...proposal, signals } : proposal
  return carriedEvidenceOf(state, { matches, found: FOUND }, sent, {
    sends: outlet === 'sends' && !isPayment,
    toNamed: signals?.toNamed === 1,
    isPayment,
    sendsFiles:
      signals?.pushes === 1 &&
      (state.filesMayHold ||
        state.secretWritten ||
        state.codeWritten ||
        mayFillFiles({ state, labels, signals, matches })),
  })
}

const UNKNOWN_WAY = { sends: true, isPayment: false, toNamed: false, sendsFiles: false }

/** The report of a pending call's proposal, with its current labels. */
export function reportOfPendingCall(state: SessionState, call: PendingCall, rules: Rules): StepReport {
  const { tool, evidence, lineEvidence, matches, signals, effects, made, readings } = call
  const { labels, labelled, derived } = relabelled(state, call, rules)
  const rule = rules.tool(tool)
  const tags = call.tags | rule.tags
  return {
    tool,
    rule,
    labels,
    labelled,
    derived,
    evidence,
    lineEvidence,
    matches,
    signals,
    effects,
    made,
    tags,
    readings,
  }
}

/** Everything that the verdict sources look at. */
export function contextOf(
  state: SessionState,
  { rules, facts, time }: JudgeContext,
  reported: StepReport,
): StepContext {
  const { tool, labels, tags, readings, signals, evidence, matches } = reported
  // Every member by name: a spread copies an object without its shape, which cost a third of a step.
  return {
    state,
    rules,
    facts,
    tool,
    rule: reported.rule,
    labels,
    labelled: reported.labelled,
    derived: reported.derived,
    evidence,
    lineEvidence: reported.lineEvidence,
    matches,
    signals,
    effects: reported.effects,
    made: reported.made,
    stepRisk: estimateStepRisk(state, reported, rules),
    specs: {
      memory: state.memory,
      moment: sessionTimeOf(state, time),
      facts: { labels, tags, effects: reported, outside: signals?.['outside'], readings },
      evidence,
      matches,
      signals,
      fleet: facts.readings,
    },
  }
}
