import { withUnknown } from '../policies/naive/naive-labels.js'
import { actsIn, naiveIntegrity, type Sightings } from './naive-integrity.js'
import type { Bundle, CatalogueEntry, Policy, Signals, Verdict } from '@plimsoll/contracts'
import type { Documents } from '@plimsoll/policy'
import { isApprovedForSession, permittedFor, type NaiveCovered } from './naive-approvals.js'
import { ESCALATIONS, EXPOSURES, isPlainlyRead, LEVELS, REVERSIBILITIES } from './naive-levels.js'

/**
 * The verdict on one step, computed directly from the documents without regard to speed: shares no code with the engine
 * or the compiler. Source: docs/reference/policy-semantics.md.
 */
export interface NaiveStep extends Omit<NaiveCovered, 'isListed'> {
  /** Whether its labels are known, not the policy's default. */
  readonly labelled: boolean
  /** Whether a judge's answer replaces that default. */
  readonly replaced: boolean
  readonly evidence: 'present' | 'absent' | 'unknown'
  /** Whether a recipient that the task does not name gets a record. */
  readonly givesStrangers: boolean
  /** Whether what it sends is in records that the task does not name. */
  readonly givesRecords: boolean
  /** Where its fingerprints were seen when it was proposed. */
  readonly sightings: Sightings | undefined
  /** Whether the task gives an address. */
  readonly givesAddress: boolean
  /** Irreversible acts that the user asked for. */
  readonly asks: ReadonlySet<string>
  readonly signals: Signals | undefined
  /** Whether a step of the session was blocked with sensitive data in it. */
  readonly held: boolean
  /** Whether the session may have written code that the project's targets run. */
  readonly codeWritten: boolean
  /** Whether files may hold what it has read. */
  readonly filesMayHold: boolean
  readonly category: string
  /** Whether no step of the session was decided or ran before. */
  readonly isFirst: boolean
  /** What the session has read before this step. */
  readonly exposureBefore: string
  readonly bandBefore: number
  /** The risk triple after the step. */
  readonly exposure: string
  readonly escalation: string
  readonly level: string
  /** Whether the stop switch is on. */
  readonly stopped: boolean
  /** Reasons that a human has seen and approved. */
  readonly approved: ReadonlySet<string>
}

export interface NaiveJudgement {
  readonly verdict: Verdict
  /** `source:code` of each reason, sorted; lifted ones too. */
  readonly reasons: readonly string[]
  /** Reasons that a human must see: unlifted and `confirm`. */
  readonly asks: readonly string[]
  /** Reasons that ask, and that the human's answer to this request lifts. */
  readonly approves: readonly string[]
  /** What the policy permits for an approval of the step. */
  readonly permitted: string
  /** Whether the line blocks the step for sensitive data in it. */
  readonly leaks: boolean
  readonly hazard: number
  readonly probability: number
  readonly band: number
}

const ORDER = ['allow', 'warn', 'confirm', 'block'] as const

const expressions = new Map<string, RegExp>()

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern)
  if (known) return known
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
  const made = new RegExp(`^${escaped.replaceAll('*', '.*')}$`)
  expressions.set(pattern, made)
  return made
}

const matches = (patterns: readonly string[], tool: string): boolean =>
  patterns.some((pattern) => expressionOf(pattern).test(tool))

export const entryOf = ({ catalogue, policy }: Documents, tool: string): CatalogueEntry | undefined => {
  const exact = catalogue.tools.find(({ tools }) => tools.includes(tool))
  const found = exact ?? catalogue.tools.find(({ tools }) => matches(tools, tool))
  return found && withUnknown(found, policy.unlabelled.labels)
}

export function naiveJudge(documents: Documents, step: NaiveStep): NaiveJudgement {
  const { policy, bundle } = documents
  const specs = policy.specs.filter(({ tools = ['*'] }) => matches(tools, step.tool))
  const risk = naiveRisk(bundle, policy.forward.hysteresis, step)
  const found: [source: string, code: string, verdict: Verdict][] = []
  if (step.stopped) found.push(['stop', 'fleet_stopped', 'block'])
  for (const { tier, id } of specs) if (tier === 'blocklist') found.push([tier, id, 'block'])
  for (const { tier, id } of specs) if (tier === 'confirmation') found.push([tier, id, 'confirm'])
  const [code, lineVerdict] = naiveLine(policy, step) ?? []
  if (code && lineVerdict) found.push(['line', code, lineVerdict])
  found.push(...naiveIntegrity(policy, step).map(([...each]): (typeof found)[number] => each))
  const hazardVerdict = policy.hazard[risk.hazardReached - 1]
  if (hazardVerdict) found.push(['hazard', 'step_hazard', hazardVerdict])
  const forwardVerdict = policy.forward.verdicts[risk.band - 1]
  if (forwardVerdict && risk.band > step.bandBefore)
    found.push(['forward', `band_${risk.band}`, forwardVerdict])
  // A spec for `*` names no tool.
  const isNamed = specs.some(({ tools = [] }) =>
    matches(
      tools.filter((name) => name !== '*'),
      step.tool,
    ),
  )
  if (!step.labelled && !isNamed)
    found.push(
      step.replaced
        ? ['unlabelled', 'tool_refined', 'allow']
        : ['unlabelled', 'tool_unlabelled', isPlainRead(step) ? 'allow' : policy.unlabelled.verdict],
    )
  if (
    step.isFirst &&
    !(step.category in bundle.categories) &&
    step.category !== '' &&
    !step.category.startsWith('~')
  )
    found.push(['forward', 'category_unknown', 'allow'])
  const lifted = new Set(specs.flatMap((spec) => (spec.tier === 'allowlist' ? spec.lifts : [])) as string[])
  const covered = { ...step, isListed: entryOf(documents, step.tool) !== undefined }
  const unlifted = found.filter(([source, code, verdict]) => {
    const reason = `${source}:${code}`
    return !lifted.has(source) && !(verdict === 'confirm' && isApprovedForSession(policy, covered, reason))
  })
  const isApproved = ([source, code, verdict]: (typeof found)[number]) =>
    verdict !== 'block' && step.approved.has(`${source}:${code}`)
  const remaining = unlifted.filter((each) => !isApproved(each))
  const asking = (reasons: typeof found) =>
    reasons.filter(([, , verdict]) => verdict === 'confirm').map(([source, code]) => `${source}:${code}`)
  const worst = Math.max(0, ...remaining.map(([, , verdict]) => ORDER.indexOf(verdict)))
  return {
    verdict: ORDER[worst] ?? 'block',
    reasons: found.map(([source, code]) => `${source}:${code}`).sort(),
    asks: asking(remaining),
    approves: asking(unlifted.filter(isApproved)),
    permitted: permittedFor(policy, covered, asking(remaining)),
    leaks:
      step.evidence === 'present' &&
      remaining.some(([source, , verdict]) => source === 'line' && verdict === 'block'),
    hazard: risk.hazard,
    probability: risk.probability,
    band: risk.band,
  }
}

const SENSITIVE = new Set<string>(['sensitive', 'credentials'])

/**
 * The line as a table. It has no reason against a step that cannot send, or before the session has sensitive data; a step
 * that reads something sensitive itself may send that.
 */
function naiveLine(policy: Policy, step: NaiveStep): [code: string, verdict: Verdict] | undefined {
  const { evidence, signals = {}, exposureBefore, labels, held } = step
  const way = wayOut(step)
  const isPushing = signals['pushes'] === 1
  const isAtStake = SENSITIVE.has(exposureBefore) || SENSITIVE.has(labels.confidentiality ?? 'none')
  if (way === 'none' || (!isAtStake && !held)) return undefined
  // It may send the data that it reads itself.
  const isHanded = SENSITIVE.has(labels.confidentiality ?? 'none') && step.givesRecords
  const staysInside =
    !((signals['outside'] ?? 0) > 0) && !((signals['external'] ?? 0) > 0) && !step.givesStrangers && !isHanded
  const isAmongColleagues = signals['outside'] === 0 && !signals['external'] && !signals['strangers']
  const isHarmlessVisit = way === 'visit' && (isAmongColleagues || (evidence === 'unknown' && staysInside))
  const isHarmless = isHarmlessVisit || (way === 'visit' && evidence === 'absent')
  const isProgramGivenNothing = way === 'program' && evidence === 'absent'
  const known = isProgramGivenNothing ? 'unknown' : evidence
  const isOfProgram = way === 'program' && !(isPushing && known === 'unknown')
  const code = isOfProgram ? 'unknown_code_after_sensitive' : 'outgoing_after_sensitive'
  const verdict = isHarmless ? undefined : policy.line[known]
  if (held && verdict !== 'confirm' && verdict !== 'block') return ['outgoing_after_blocked', 'confirm']
  return verdict && [code, verdict]
}

/** `mail` is irreversible, a `visit` is only a request, and the effect of a `program` is unknown. */
export function wayOut({
  labels,
  signals = {},
  codeWritten,
}: Pick<NaiveStep, 'labels' | 'signals' | 'codeWritten'>): 'none' | 'mail' | 'visit' | 'program' {
  const isRunner = signals['runner'] !== undefined && signals['runner'] !== 0
  if (labels.capability === 'network' && labels.reversibility === 'irreversible') return 'mail'
  if (labels.capability === 'network') return isRunner && codeWritten ? 'program' : 'visit'
  if (labels.capability !== 'execute') return 'none'
  return signals['complete'] !== 1 || (isRunner && codeWritten) ? 'program' : 'none'
}

function naiveRisk(bundle: Bundle, hysteresis: number, step: NaiveStep) {
  const declared = bundle.categories[step.category] ?? bundle.aggregate
  const found = step.category.startsWith('~') ? bundle.categories[step.category.slice(1)] : undefined
  // Findings in the text never lower the risk below the aggregate's.
  const both = found ? [found, bundle.aggregate] : [declared]
  const triple =
    12 * EXPOSURES.indexOf(step.exposure) +
    3 * ESCALATIONS.indexOf(step.escalation) +
    REVERSIBILITIES.indexOf(step.labels.reversibility)
  const index = bundle.space === 'paper5' ? LEVELS.indexOf(step.level) : triple
  const hazard = Math.max(...both.map((chain) => chain.hazard[index] ?? 0))
  const probability = Math.max(
    ...both.map((chain) => {
      const own = chain.hazard[index] ?? 0
      const after = chain.forward[bundle.horizon - 1]?.[index] ?? 0
      return Number((own + (1 - own) * after).toPrecision(6))
    }),
  )
  const lowest = (kind: 'hazard' | 'forward') =>
    [0, 1, 2].map((n) => Math.min(...both.map((chain) => chain.thresholds[kind][n] ?? Infinity)))
  const [one, two, three] = lowest('forward')
  const isIn = (band: number, threshold = Infinity) =>
    probability >= threshold || (step.bandBefore >= band && probability >= threshold - hysteresis)
  const band = isIn(3, three) ? 3 : isIn(2, two) ? 2 : isIn(1, one) ? 1 : 0
  return {
    hazard,
    probability,
    band,
    hazardReached: lowest('hazard').filter((threshold) => hazard >= threshold).length,
  }
}

const isPlainRead = ({ tool, labels, signals }: NaiveStep): boolean =>
  isPlainlyRead(tool) &&
  labels.capability === 'read' &&
  labels.reversibility === 'reversible' &&
  actsIn('does', signals).length === 0
