import type { ApprovalTerms, Decision, PermittedScope, Reason } from '@plimsoll/contracts'
import { actsDoneIn, exposureOf, isProgram } from '../labels/safety-state.js'
import { REVERSIBILITIES } from '../labels/words.js'
import { type SessionApproval, DIGEST_DIGITS } from '../state/session.js'
import type { StepContext } from './context.js'
import { severity } from './severity.js'

/**
 * Approvals for a session: a human let a step run and like steps after it. A like step has the same tool and no worse labels; its
 * arguments are the same, unless the policy permits any. Only reasons that the human saw are lifted, and only while the policy permits
 * that scope for them. A program is approved with its arguments only, until another step runs.
 * Source: docs/decisions/20261125-approvals.md.
 */

const IRREVERSIBLE = REVERSIBILITIES.indexOf('irreversible')

/** The part of a decision that says what its approval may count for. */
export type PermittedApproval = Pick<NonNullable<Decision['approval']>, 'scopes' | 'always'>

const once = (): PermittedApproval => ({ scopes: ['once'] })

/** What the policy permits for an approval of this step: what it permits for every reason that asks. O(reasons). */
export function permittedFor(reasons: readonly Reason[], context: StepContext): PermittedApproval {
  if (isDestructive(context)) return once()
  const terms = askingIn(reasons).map((reason) => usableTerms(reason, context))
  const isPermitted = (scope: PermittedScope) => terms.every((each) => each?.scopes.includes(scope) === true)
  if (terms.length === 0 || !isPermitted('session')) return once()
  if (!isPermitted('always')) return { scopes: ['once', 'session'] }
  const isForAny = terms.every((each) => each?.arguments === 'any')
  const days = Math.min(...terms.map((each) => each?.days ?? 0))
  return { scopes: ['once', 'session', 'always'], always: { arguments: isForAny ? 'any' : 'same', days } }
}

/** Whether the step may do what cannot be undone: it is approved one at a time. */
const isDestructive = ({ labels, signals, rule }: StepContext): boolean =>
  labels.reversibility >= IRREVERSIBLE || rule.isFinalByName === true || actsDoneIn(signals) !== 0

/** What the policy says of approvals of this reason; undefined: once only. */
function termsOf(reason: Reason, { lineEvidence, rule, rules }: StepContext): ApprovalTerms | undefined {
  if (reason.source === 'unlabelled') return rules.unlabelled.approval
  if (reason.source === 'confirmation')
    return rule.confirmation.find(({ id }) => id === reason.code)?.approval
  const isRepeatable =
    reason.source === 'hazard' ||
    reason.source === 'forward' ||
    (reason.source === 'line' && reason.code === 'unknown_code_after_sensitive' && lineEvidence !== 'present')
  return isRepeatable ? rules.sameCall : undefined
}

/** The same, unless it would let a program run with any arguments. */
function usableTerms(reason: Reason, context: StepContext): ApprovalTerms | undefined {
  const terms = termsOf(reason, context)
  return isProgram(context.signals) && terms?.arguments === 'any' ? undefined : terms
}

export const keyOf = ({ source, code }: Reason): string => `${source}:${code}`

/** What an approval for the session lifts: of the line only while nothing more sensitive was read than when it was given. */
const liftedKey = (reason: Reason, { state }: StepContext): string =>
  reason.source === 'line' ? `${keyOf(reason)}:${exposureOf(state.safety)}` : keyOf(reason)

/** The reasons that a human is asked about, and lifts with an approval. O(reasons). */
export const askingIn = (reasons: readonly Reason[]): Reason[] =>
  reasons.filter(({ verdict, liftedBy }) => verdict === 'confirm' && liftedBy === undefined)

/** The same as `source:code`, as the session's record keeps them. */
export const shownOf = (reasons: readonly Reason[]): string[] => askingIn(reasons).map(keyOf)

/** Marks the reasons that an approval for the session lifts. O(reasons × approvals), both capped; nothing for most sessions. */
export function liftByApprovals(reasons: Reason[], argumentsDigest: string, context: StepContext): Reason[] {
  const { approvals } = context.state
  if (approvals.length === 0 || isDestructive(context)) return reasons
  const near = approvals.filter((approval) => isLikeStep(approval, context))
  if (near.length === 0) return reasons
  const digest = argumentsDigest.slice(0, DIGEST_DIGITS)
  return reasons.map((reason) => {
    if (reason.liftedBy !== undefined || severity(reason.verdict) !== severity('confirm')) return reason
    const terms = usableTerms(reason, context)
    if (terms?.scopes.includes('session') !== true) return reason
    const key = liftedKey(reason, context)
    const lifter = near.find(
      ({ lifts, digest: approved }) =>
        lifts.includes(key) && (terms.arguments === 'any' || approved === digest),
    )
    return lifter ? { ...reason, liftedBy: `approval:${lifter.id}` } : reason
  })
}

function isLikeStep(approval: SessionApproval, { tool, labels, specs }: StepContext): boolean {
  const { labels: approved } = approval
  return (
    approval.tool === tool &&
    specs.moment.time < approval.expiresAt &&
    labels.exposure <= approved.exposure &&
    labels.escalation <= approved.escalation &&
    labels.reversibility <= approved.reversibility &&
    (approved.untrusted || !labels.untrusted)
  )
}

/** The approval for the session that `id` gave for this step, from the reasons that it lifted. */
export function sessionApproval(
  id: string,
  reasons: readonly Reason[],
  argumentsDigest: string,
  context: StepContext,
): SessionApproval {
  const { tool, labels, specs } = context
  const seconds = reasons.map((reason) => usableTerms(reason, context)?.seconds ?? 0)
  return {
    id,
    tool,
    digest: argumentsDigest.slice(0, DIGEST_DIGITS),
    labels,
    lifts: reasons.map((reason) => liftedKey(reason, context)),
    expiresAt: specs.moment.time + Math.min(...seconds) * 1000,
  }
}
