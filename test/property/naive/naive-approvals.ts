import type { ApprovalTerms, EventOf, Policy, Signals, ToolLabels } from '@plimsoll/contracts'
import { actsIn } from './naive-integrity.js'
import { EXPOSURES, REVERSIBILITIES } from './naive-levels.js'

/** A step that an approval may cover. */
export interface NaiveCovered {
  readonly tool: string
  /** Whether the catalogue has the tool. */
  readonly isListed: boolean
  readonly labels: ToolLabels
  readonly signals: Signals | undefined
  readonly argumentsDigest: string
  readonly evidence: 'present' | 'absent' | 'unknown'
  /** What the session has read before this step. */
  readonly exposureBefore: string
  readonly time: number
  /** Approvals for the session, first to last. */
  readonly sessionApprovals: readonly NaiveApproval[]
}

/** A human's approval of a step and of like steps. Source: docs/decisions/20261125-approvals.md. */
export interface NaiveApproval {
  readonly id: string
  readonly tool: string
  readonly argumentsDigest: string
  readonly labels: ToolLabels
  readonly reasons: readonly string[]
  /** What the session had read before. */
  readonly exposureBefore: string
  readonly until: number
}

const APPROVALS_MAX = 16

type Given = Omit<NaiveApproval, 'until'> & Pick<NaiveCovered, 'evidence' | 'signals'>

/** Approvals for the session, with one more if it lifts anything. */
export function withApproval(
  policy: Policy,
  approvals: readonly NaiveApproval[],
  given: Given,
  time: number,
): readonly NaiveApproval[] {
  if (given.reasons.length === 0) return approvals
  const seconds = Math.min(...given.reasons.map((reason) => termsFor(policy, reason, given)?.seconds ?? 0))
  return [...approvals, { ...given, until: time + 1000 * seconds }].slice(-APPROVALS_MAX)
}

/** Approvals that still count after a step: of the line only until another step runs that is not approved for the session. */
export function approvalsAfter(
  approvals: readonly NaiveApproval[],
  ran?: Pick<NaiveApproval, 'tool' | 'argumentsDigest'>,
  time = 0,
): readonly NaiveApproval[] {
  const isOfLine = (reason: string) => reason.startsWith('line:')
  const isApproved = approvals.some(
    ({ tool, argumentsDigest, until }) =>
      tool === ran?.tool && argumentsDigest === ran.argumentsDigest && time < until,
  )
  return isApproved ? approvals : approvals.filter(({ reasons }) => !reasons.some(isOfLine))
}

/** A program that may send what was read, and what a prediction asks about, may be approved with the same arguments. */
const isOfSameCall = (reason: string, { evidence }: Pick<NaiveCovered, 'evidence'>): boolean =>
  /^(?:hazard|forward):/.test(reason) ||
  (reason === 'line:unknown_code_after_sensitive' && evidence !== 'present')

/** The policy's terms for approvals of a reason. A program is never approved with any arguments. */
function termsFor(
  policy: Policy,
  reason: string,
  step: Pick<NaiveCovered, 'evidence' | 'signals'>,
): ApprovalTerms | undefined {
  const terms = anyTermsFor(policy, reason, step)
  return terms?.arguments === 'any' && (step.signals?.['program'] ?? 0) > 0 ? undefined : terms
}

function anyTermsFor(
  policy: Policy,
  reason: string,
  step: Pick<NaiveCovered, 'evidence'>,
): ApprovalTerms | undefined {
  const { sameCall } = policy.approvals
  if (sameCall && isOfSameCall(reason, step)) return { scopes: ['once', 'session'], ...sameCall }
  if (reason.startsWith('unlabelled:')) return policy.unlabelled.approval
  const spec = policy.specs.find(({ id, tier }) => tier === 'confirmation' && reason === `confirmation:${id}`)
  return spec?.tier === 'confirmation' ? spec.approval : undefined
}

/** What cannot be undone is approved one at a time: by its labels, by the name of an unlabelled tool, or by what it does. */
function isFinal({ tool, isListed, labels, signals = {} }: NaiveCovered): boolean {
  const isFinalByName = tool.startsWith('send_') && !isListed
  return labels.reversibility === 'irreversible' || isFinalByName || actsIn('does', signals).length > 0
}

/** Whether `reasons` may be approved for the session: each of them, and at least one. */
const permitsSession = (policy: Policy, step: NaiveCovered, reasons: readonly string[]): boolean =>
  reasons.length > 0 &&
  !isFinal(step) &&
  reasons.every((reason) => termsFor(policy, reason, step)?.scopes.includes('session'))

/** What an approval may count for, as in the decision: the scopes, and the days and arguments of `always`. */
export function permittedFor(policy: Policy, step: NaiveCovered, reasons: readonly string[]): string {
  if (!permitsSession(policy, step, reasons)) return 'once'
  const terms = reasons.flatMap((reason) => termsFor(policy, reason, step) ?? [])
  if (!terms.every(({ scopes }) => scopes.includes('always'))) return 'once,session'
  const days = Math.min(...terms.flatMap((each) => each.days ?? []))
  return `once,session,always:${days},${terms.every((each) => each.arguments === 'any') ? 'any' : 'same'}`
}

export function isApprovedForSession(policy: Policy, step: NaiveCovered, reason: string): boolean {
  if (!permitsSession(policy, step, [reason])) return false
  const isAnyArguments = termsFor(policy, reason, step)?.arguments === 'any'
  return step.sessionApprovals.some(
    ({ tool, argumentsDigest, labels, reasons, until, exposureBefore }) =>
      tool === step.tool &&
      reasons.includes(reason) &&
      (!reason.startsWith('line:') || exposureBefore === step.exposureBefore) &&
      step.time < until &&
      (isAnyArguments || argumentsDigest === step.argumentsDigest) &&
      isNoWorse(step.labels, labels),
  )
}

const isNoWorse = (labels: ToolLabels, than: ToolLabels): boolean =>
  EXPOSURES.indexOf(labels.confidentiality ?? 'none') <= EXPOSURES.indexOf(than.confidentiality ?? 'none') &&
  CAPABILITIES.indexOf(labels.capability) <= CAPABILITIES.indexOf(than.capability) &&
  REVERSIBILITIES.indexOf(labels.reversibility) <= REVERSIBILITIES.indexOf(than.reversibility) &&
  !(labels.trust === 'untrusted' && than.trust !== 'untrusted')

const CAPABILITIES = ['read', 'write', 'execute', 'network']

/** Why an answer is no approval. */
export function refusalOf(
  event: EventOf<'approval.resolved'>,
  timeMs: number,
  { expiresAt }: { readonly expiresAt: number },
): string | undefined {
  if (timeMs >= expiresAt) return 'approval_expired'
  return event.resolution === 'denied' ? 'approval_denied' : undefined
}
