import type { EventOf, Evidence, Reason, Signals, Verdict } from '@plimsoll/contracts'
import { refinedOf } from '../labels/refined.js'
import {
  type StepLabels,
  actsDoneIn,
  isGiving,
  isLasting,
  isLocalWork,
  isProgram,
} from '../labels/safety-state.js'
import { ESCALATIONS, REVERSIBILITIES, VERDICTS } from '../labels/words.js'
import { type Matches, type Origin, countOf, distinctiveShare, shareOf } from '../provenance/matches.js'
import { type StepRisk, isLabelsOnly } from '../risk/risk.js'
import { crossed } from '../risk/scorer.js'
import type { Facts, Rules, ToolRule } from '../rules.js'
import type { SpecRule } from '../spec-rule.js'
import { type SpecStep, demands, matchesSpec } from '../specs/matching.js'
import type { SessionState } from '../state/session.js'
import { lineReason } from './line.js'

/** Prefix of a category that was found rather than declared, in a session's record. No chain has such a name. */
const FOUND = '~'

/**
 * A session's category: declared, else found by its client in the task and marked so; empty if there is none. In a delegated session
 * nothing is found, because an agent wrote the task.
 */
export function categoryOf({
  category,
  found,
  ...from
}: Pick<EventOf<'session.started'>, 'category' | 'found' | Ancestry>): string {
  if (category !== undefined) return category
  return found && !isDelegated(from) ? foundCategory(found.category) : ''
}

type Ancestry = 'inherits' | 'root' | 'sessionId'

/** Whether another session delegated to this one, so that an agent may have written its task. */
export const isDelegated = ({
  inherits,
  root,
  sessionId,
}: Pick<EventOf<'session.started'>, Ancestry>): boolean =>
  inherits !== undefined || (root !== undefined && root !== sessionId)

/** A found category as kept in a session's record. */
export const foundCategory = (category: string): string => `${FOUND}${category}`

/** The found category without its mark; undefined if it was declared or there is none. */
export const foundIn = (category: string): string | undefined =>
  category.startsWith(FOUND) ? category.slice(FOUND.length) : undefined

const WRITE = ESCALATIONS.indexOf('file_write')
const NETWORK = ESCALATIONS.indexOf('network')
const IRREVERSIBLE = REVERSIBILITIES.indexOf('irreversible')

export interface IntegrityStep {
  readonly state: Pick<SessionState, 'asked'>
  readonly labels: StepLabels
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
  readonly rules: Pick<Rules, 'integrity' | 'irreversible'>
}

type Directed = IntegrityStep & { readonly matches: Matches }

/**
 * The integrity line: a step that changes something is directed by other people's text and not by the task. Source: docs/decisions/20261123-integrity.md.
 *
 * - *by instructions*: an address, account, URL, path or id of the step occurs in text that reads like instructions, and neither in the
 *   task nor in a trusted result; or a name does, and those instructions mention the tool more than the task does; or they name the
 *   tool, and the task asks for no such step. For a request that only reads, its target counts. A program, whose text is full of names,
 *   paths and host-like words, counts if it reaches out or does something irreversible;
 * - *by untrusted results*: such a value occurs in untrusted results only, and the task does not ask for such a step.
 *
 * Without fingerprints nothing shows who directs a step; an irreversible one is then confirmed by `irreversibleReason`. O(1).
 */
export function integrityReason(step: IntegrityStep): Reason | undefined {
  const { labels, rules } = step
  const { integrity } = rules
  if (!integrity || labels.escalation < WRITE || !isFingerprinted(step)) return undefined
  if (isDirectedByInstructions(step)) {
    const isFinal = labels.reversibility >= IRREVERSIBLE
    return reasonOf(
      'directed_by_instructions',
      isFinal ? integrity.irreversible : integrity.instructed,
      BY_INSTRUCTIONS,
    )
  }
  if (
    isRead(step) ||
    isProgram(step.signals) ||
    identifiersOf(step, 'untrustedOnly') === 0 ||
    isRequestedByTask(step)
  )
    return undefined
  return reasonOf('directed_by_untrusted', integrity.untrusted, BY_UNTRUSTED)
}

const reasonOf = (code: string, verdict: Verdict, message: string): Reason | undefined =>
  verdict === 'allow' ? undefined : { source: 'integrity', code, verdict, message }

const isFingerprinted = (step: IntegrityStep): step is Directed => step.matches !== undefined

/** A request that only reads. */
const isRead = ({ labels }: Directed): boolean => labels.escalation >= NETWORK && labels.reversibility === 0

function isDirectedByInstructions(step: Directed): boolean {
  const { matches, signals, labels } = step
  if (isLocalWork(signals, labels)) return false
  const isWorking = isProgram(signals) && actsDoneIn(signals) === 0
  if (countOf(matches, 'target', 'instructedOnly') > 0) return true
  if (isRead(step) || isWorking) return false
  if (countOf(matches, 'reference', 'instructedOnly') > 0) return true
  if (isProgram(signals)) return false
  const byInstructions = shareOf(matches, 'tool', 'instructed')
  if (countOf(matches, 'name', 'instructedOnly') > 0 && byInstructions > shareOf(matches, 'tool', 'task'))
    return true
  return byInstructions === 1 && countOf(matches, 'tool', 'task') === 0 && !isRequestedByTask(step)
}

/** Distinctive values without names. */
const identifiersOf = ({ matches }: Directed, origin: 'instructedOnly' | 'untrustedOnly'): number =>
  countOf(matches, 'target', origin) + countOf(matches, 'reference', origin)

/** Whether the task asks for such a step, by its act or by a word of the tool's name. */
function isRequestedByTask({ state, signals, matches }: Directed): boolean {
  const does = actsDoneIn(signals)
  return does === 0 ? countOf(matches, 'tool', 'task') > 0 : (does & state.asked) !== 0
}

/**
 * A step that is irreversible, or that pays, grants or changes a secret, and that the task does not ask for. The task asks for it if it
 * mentions such an act; for a payment or a grant every recipient must also have been seen before. A program without known irreversible
 * acts is excluded: what its text hides is for the line. Source: docs/decisions/20261123-integrity.md. O(1).
 */
export function irreversibleReason(step: IntegrityStep): Reason | undefined {
  const { state, labels, matches, signals, rules } = step
  const { irreversible: verdict } = rules
  const does = actsDoneIn(signals)
  if (!verdict || verdict === 'allow' || labels.escalation < WRITE) return undefined
  const isFinal = labels.reversibility >= IRREVERSIBLE
  if (!isFinal && (labels.reversibility === 0 || !isLasting(does))) return undefined
  if (does === 0 && isProgram(signals)) return undefined
  const isRequested = does !== 0 && (does & ~state.asked) === 0
  if (isRequested && !(isFinal && isGiving(does) && hasUnseenTarget(matches))) return undefined
  const message = isRequested ? UNSEEN_TARGET : NOT_REQUESTED
  return { source: 'irreversible', code: 'irreversible_not_asked', verdict, message }
}

/** Whether a recipient of the step was seen nowhere before; also true without a report. */
const hasUnseenTarget = (matches: Matches | undefined): boolean =>
  !matches || countOf(matches, 'target', 'nowhere') > 0

const BY_INSTRUCTIONS = 'this step follows text that reads like instructions, not the task'
const BY_UNTRUSTED =
  'the recipient or target of this step comes from untrusted results only, and the task does not ask for such a step'
const NOT_REQUESTED = 'this step cannot be taken back, and the task does not ask for it'
const UNSEEN_TARGET = 'this step cannot be undone, and one of its recipients was never seen before'

/** Everything a verdict source can look at. */
export interface StepContext {
  readonly state: SessionState
  readonly rules: Rules
  readonly facts: Facts
  readonly tool: string
  readonly rule: ToolRule
  readonly labels: StepLabels
  /** Whether the tool is labelled, rather than by the policy's `unlabelled` labels. */
  readonly labelled: boolean
  /** Whether the client derived the labels from the arguments. */
  readonly derived: boolean
  readonly evidence: Evidence
  /** The evidence for the line: of reversible requests, only their content. */
  readonly lineEvidence: Evidence
  /** Where the step's fingerprints were seen before; undefined if it has none. */
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
  readonly stepRisk: StepRisk
  /** The context of the policy's specs. */
  readonly specs: SpecStep
}

/**
 * Every reason on the step, from the verdict sources in order: none sees another's. Reasons that the allowlist lifts are
 * marked so.
 */
export function judge(context: StepContext): Reason[] {
  const { rule, specs } = context
  const reasons: Reason[] = []
  const add = (reason: Reason | undefined) => reason && reasons.push(reason)
  add(stopReason(context))
  addTier(rule.blocklist, specs, reasons, specVerdict)
  addTier(rule.mustlist, specs, reasons, demands)
  add(lineReason(context))
  add(integrityReason(context))
  add(irreversibleReason(context))
  add(hazardReason(context))
  add(forwardReason(context))
  addTier(rule.confirmation, specs, reasons, specVerdict)
  add(unlabelledReason(context))
  add(categoryReason(context))
  return reasons.length === 0 ? reasons : liftByAllowlist(reasons, rule, specs)
}

/** The most severe verdict of the reasons that are not lifted; allow if there is none. */
export function verdictOf(reasons: readonly Reason[]): Verdict {
  let verdict: Verdict = 'allow'
  for (const reason of reasons)
    if (reason.liftedBy === undefined && severity(reason.verdict) > severity(verdict))
      verdict = reason.verdict
  return verdict
}

export const severity = (verdict: Verdict): number => VERDICTS.indexOf(verdict)

/** The stop switch. Source: docs/decisions/20261122-controls.md. */
function stopReason({ facts }: StepContext): Reason | undefined {
  if (!facts.stop) return undefined
  const { by, reason } = facts.stop
  const message = `stopped by \`${by}\`${reason === undefined ? '' : `: ${reason}`}`
  return { source: 'stop', code: 'fleet_stopped', verdict: 'block', message }
}

const specVerdict = (spec: SpecRule, step: SpecStep): Verdict | undefined =>
  matchesSpec(spec, step) ? spec.verdict : undefined

/** p1 of this step. Source: docs/explanation/prediction.md. */
function hazardReason(context: StepContext): Reason | undefined {
  const { stepRisk: prospect, rules } = context
  const reached = crossed(prospect.hazard, prospect.chain.hazardThresholds)
  const verdict = rules.hazard[reached - 1]
  if (verdict === undefined) return undefined
  const message =
    prospect.chain.space === 'flow'
      ? `of the recorded steps like this one, ${percent(prospect.hazard)} were the violation (${sourceOf(context)}): ${causeOf(context)}`
      : `of the recorded steps that led here, ${percent(prospect.hazard)} were the violation (${sourceOf(context)})`
  return { source: 'hazard', code: 'step_hazard', verdict, message }
}

/** The name of the chain, and whether the labels-only model is used although the bundle has a better one. */
const sourceOf = ({ stepRisk: prospect, rules }: StepContext): string =>
  isLabelsOnly(prospect, rules) ? `${prospect.chain.name}, by labels alone` : prospect.chain.name

/** The strongest factor against a step, in plain words. */
function causeOf({ state, matches }: StepContext): string {
  for (const [origin, from] of CAUSES) {
    const count = matches ? distinctiveShare(matches, origin) : 0
    if (matches && count > 0)
      return `${count} of ${distinctiveShare(matches, 'total')} distinctive values ${from}`
  }
  return SESSION_CAUSES[state.taint] ?? SESSION_CAUSES[0]
}

const CAUSES: readonly (readonly [Origin, string])[] = [
  ['instructedOnly', 'come from instruction-like text'],
  ['untrustedOnly', 'come from untrusted results alone'],
  ['sensitiveOnly', 'come from sensitive results'],
  ['nowhere', 'were seen nowhere before'],
]

/** By taint. */
const SESSION_CAUSES = [
  'by what it does and what the session did before',
  'the session has read untrusted data',
  'the session has read instruction-like text',
] as const

/** P(h), on entering a higher band only, and what the chain says of the time left. Source: docs/explanation/prediction.md. */
function forwardReason(context: StepContext): Reason | undefined {
  const { state, stepRisk: prospect, rules } = context
  if (prospect.band <= state.band) return undefined
  const verdict = rules.forward[prospect.band - 1]
  if (verdict === undefined) return undefined
  const message = `of the recorded sessions that came here, ${percent(prospect.probability)} were violated within ${rules.horizon} steps (${sourceOf(context)})${aheadText(prospect)}`
  return { source: 'forward', code: `band_${prospect.band}`, verdict, message }
}

/** When a violation is to be expected from the state that a step arrives in; empty if none was ever observed from there. */
function aheadText({ stepsToViolation, noReturn }: StepRisk): string {
  const within = noReturn === 1 ? 'the next step' : `the next ${noReturn} steps`
  return [
    stepsToViolation === null
      ? ''
      : `; the violation came ${stepsToViolation.toFixed(1)} steps later on average`,
    noReturn === 0 ? '' : `; a point of no return: a violation within ${within} is more likely than not`,
  ].join('')
}

/**
 * An unlabelled tool is confirmed unless its name says that it only reads. Its results count as the policy's `unlabelled` labels say in
 * any case.
 */
function unlabelledReason(context: StepContext): Reason | undefined {
  const { state, rule, labelled, rules, tool } = context
  if (labelled || rule.isNamed) return undefined
  if (refinedOf(state.refined, tool)?.replaces) {
    const message = `no catalogue labels the tool \`${tool}\`; it is taken for what a judge made of it`
    return { source: 'unlabelled', code: 'tool_refined', verdict: 'allow', message }
  }
  const isRead = isPlainRead(context)
  const verdict = isRead ? 'allow' : rules.unlabelled.verdict
  const message = `no catalogue labels the tool \`${tool}\`${isRead ? '; by its name it only reads' : ''}`
  return { source: 'unlabelled', code: 'tool_unlabelled', verdict, message }
}

/** Whether the tool counts as a read, and the client found nothing else in the arguments. */
function isPlainRead({ rule: { readAs }, labels, signals }: StepContext): boolean {
  if (!readAs || actsDoneIn(signals) !== 0) return false
  return labels.escalation <= readAs.escalation && labels.reversibility <= readAs.reversibility
}

/** Notes that the session's category has no chain of its own. */
function categoryReason({ state, stepRisk: prospect }: StepContext): Reason | undefined {
  if (state.category === prospect.chain.name || state.category === '') return undefined
  if (foundIn(state.category) !== undefined) return undefined
  const message = `the bundle has no chain for \`${state.category}\`; the aggregate was read`
  return { source: 'forward', code: 'category_unknown', verdict: 'allow', message }
}

/**
 * Maximum reasons of one tier on one step, because a decision must stay bounded. Beyond it, only more severe reasons than all before are
 * added.
 */
const REASONS_PER_TIER_MAX = 32

function addTier(
  specs: readonly SpecRule[],
  step: SpecStep,
  reasons: Reason[],
  verdictOn: (spec: SpecRule, step: SpecStep) => Verdict | undefined,
): void {
  const end = reasons.length + REASONS_PER_TIER_MAX
  let worst: Verdict = 'allow'
  for (const spec of specs) {
    const verdict = verdictOn(spec, step)
    if (!verdict) continue
    const isWorse = severity(verdict) > severity(worst)
    if (reasons.length >= end && !isWorse) continue
    reasons.push(specReason(spec, verdict))
    if (isWorse) worst = verdict
    if (worst === 'block' && reasons.length >= end) return
  }
}

function specReason({ source, id, message, requirements }: SpecRule, verdict: Verdict): Reason {
  const reason: Reason = { source, code: id, verdict, message }
  return requirements ? { ...reason, requirements: [...requirements] } : reason
}

function liftByAllowlist(reasons: Reason[], { allowlist }: ToolRule, step: SpecStep): Reason[] {
  if (allowlist.length === 0) return reasons
  const lifters = allowlist.filter((spec) => matchesSpec(spec, step))
  return reasons.map((reason) => {
    if (reason.verdict === 'allow') return reason
    const lifter = lifters.find(({ lifts }) => (lifts as ReadonlySet<string>).has(reason.source))
    return lifter ? { ...reason, liftedBy: lifter.id } : reason
  })
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

/**
 * The calls in flight that a blocked proposal only has to wait for; undefined if something else also blocks it, or nothing it waits for
 * is in flight.
 */
export function waitForOf(reasons: readonly Reason[], context: StepContext): string[] | undefined {
  const calls = new Set<string>()
  for (const reason of reasons) {
    if (reason.verdict !== 'block' || reason.liftedBy !== undefined) continue
    const awaited = reason.source === 'mustlist' ? inFlightFor(reason.code, context) : []
    if (awaited.length === 0) return undefined
    for (const callId of awaited) calls.add(callId)
  }
  return calls.size === 0 ? undefined : [...calls]
}

/** Calls that earn a credit for the spec `id` once they complete with `ok`. */
function inFlightFor(id: string, { state, rules }: StepContext): string[] {
  const callIds: string[] = []
  for (const call of state.calls)
    if (call.status === 'open' && call.credits.some((n) => rules.memory.credits[n]?.spec.id === id))
      callIds.push(call.callId)
  return callIds
}
