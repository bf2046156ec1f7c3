import type {
  Catalogue,
  CatalogueEntry,
  ClaimedLabels,
  Policy,
  StepPattern,
  ToolLabels,
} from '@plimsoll/contracts'
import { createEntryFinder } from '@plimsoll/labels'
import { completeEntry, standInOf } from '../../compile/tools.js'
import type { Claims } from '../report.js'
import { type Raisable, type Raises, claimsAbove, raisesOf, withStepTags } from './claims.js'
import { isSensitive, joinedLabels, matchesLabels } from './labels.js'
import { toolNames } from './tool-names.js'

/** Steps that differ only in their arguments, represented by one of them. */
export interface StepKind {
  readonly tool: string
  readonly claims: ClaimedLabels | undefined
  /** The labels with the claims applied. */
  readonly labels: ToolLabels
  readonly isLabelled: boolean
  /** The tool's base labels, which results can raise. */
  readonly base: ToolLabels
  /** The raises that its result can report and that make a difference. */
  readonly raises: readonly ClaimedLabels[]
  /** Calls with the same number have the same possible raises; 0: none. */
  readonly raiseClass: number
}

/** Whether the line can judge it: it can send data out, or runs code that can. */
export const maySend = ({ labels }: Labelled): boolean =>
  labels.capability === 'network' || labels.capability === 'execute'

/** Whether the line judges it regardless of evidence. All other steps that may send are treated alike: see `proposalOf`. */
export const sendsForGood = ({ labels }: Labelled): boolean =>
  labels.capability === 'network' && labels.reversibility === 'irreversible'

type Labelled = Pick<StepKind, 'labels'>

export interface KindOptions {
  readonly policy: Policy
  readonly catalogue: Catalogue
  readonly claims: Claims
  /** The patterns that distinguish steps. */
  readonly patterns: readonly StepPattern[]
  /** All patterns of the documents: the source of tool names. */
  readonly allPatterns: readonly StepPattern[]
  /** Whether some spec of the whole policy names the tool: then it counts as known, labelled or not. */
  readonly isNamed: (tool: string) => boolean
  /** The patterns that are matched again when a result raises labels. */
  readonly raisables: readonly Raisable[]
  /** Whether a flow is tracked: then steps are distinguished by labels too, not only by the patterns they match. */
  readonly reportsLabels: boolean
}

export interface StepKinds {
  /** One step of each kind, those without claims first. */
  readonly all: readonly StepKind[]
  /** Whether the names cover every possible kind of tool. */
  readonly isWhole: boolean
  /** The kind of a step with this tool and these client claims; undefined if the options exclude such claims. */
  readonly of: (tool: string, claims: ClaimedLabels | undefined) => StepKind | undefined
}

export function stepKinds(options: KindOptions): StepKinds {
  const { policy, catalogue, claims, patterns, allPatterns, raisables, isNamed } = options
  const entryOf = createEntryFinder(catalogue)
  const kinds = new Map<string, StepKind>()
  const classes = new Map<string, number>([['', 0]])
  const profileOf = createProfile(options)
  const about = (tool: string) => {
    const known = completeEntry(entryOf(tool), policy.unlabelled.labels)
    const entry: CatalogueEntry = known ?? { tools: [tool], ...standInOf(policy.unlabelled, tool) }
    const base = joinedLabels(entry.labels, entry.least ?? {})
    const least = entry.least ?? base
    const raising = claims === 'none' ? NO_RAISES : raisesOf(tool, least, raisables)
    return { entry, isLabelled: known !== undefined, base, least, raising }
  }
  const keyOf = (step: DeclaredTool, isLabelled: boolean, raiseKey: string) =>
    `${isLabelled ? 2 : isNamed(step.tool) ? 1 : 0}${profileOf(step)} ${classes.get(raiseKey) ?? '?'}`
  const { names, isWhole: isNamedWhole } = toolNames(catalogue, allPatterns)
  for (const tool of names) {
    const { entry, isLabelled, base, least, raising } = about(tool)
    const raiseClass = numberOf(classes, raising.key)
    for (const { labels, claim } of candidates(base, entry, patterns, claims)) {
      const key = keyOf({ tool, labels }, isLabelled, raising.key)
      if (!kinds.has(key))
        kinds.set(key, {
          tool,
          claims: claim,
          labels,
          isLabelled,
          base: least,
          raises: raising.claims,
          raiseClass,
        })
    }
  }
  return {
    isWhole: isNamedWhole,
    all: [...kinds.values()].toSorted((a, b) => sizeOf(a.claims) - sizeOf(b.claims)),
    of: (tool, claimed = {}) => {
      const { entry, isLabelled, base, raising } = about(tool)
      const isWhole =
        entry.least !== undefined && claimed.capability !== undefined && claimed.reversibility !== undefined
      const labels = joinedLabels(isWhole ? (entry.least ?? base) : base, claimed)
      return kinds.get(keyOf({ tool, labels }, isLabelled, raising.key))
    },
  }
}

interface DeclaredTool {
  readonly tool: string
  readonly labels: ToolLabels
}

const sizeOf = (claims: ClaimedLabels | undefined): number => Object.keys(claims ?? {}).length

interface Candidate {
  readonly labels: ToolLabels
  readonly claim: ClaimedLabels | undefined
}

/** The labels that a step with the tool can have: the catalogue's, raised by claims, or lowered by its arguments. */
function candidates(
  base: ToolLabels,
  entry: CatalogueEntry,
  patterns: readonly StepPattern[],
  claims: Claims,
): Candidate[] {
  const reported = (of: ToolLabels): ClaimedLabels[] => {
    if (claims === 'any') return claimsAbove(of, patterns)
    return claims === 'none' ? ruledBy(entry) : withStepTags(ruledBy(entry), patterns)
  }
  const raised = reported(base).map((claim) => ({
    labels: joinedLabels(base, claim),
    claim: sizeOf(claim) > 0 ? claim : undefined,
  }))
  const { least } = entry
  if (!least) return raised
  const brought = reported(least).map((claim) => {
    const labels = joinedLabels(least, claim)
    return { labels, claim: labels }
  })
  return [...raised, ...brought]
}

/** The effects of the catalogue's argument rules on a step: none, each rule alone, and all together. */
function ruledBy({ when = [] }: CatalogueEntry): ClaimedLabels[] {
  const rules = when.map(({ labels }) => labels)
  const [first, ...others] = rules
  if (!first) return [{}]
  const floor: ToolLabels = { capability: 'read', reversibility: 'reversible' }
  const all = others.reduce<ToolLabels>(
    (joined, each) => joinedLabels(joined, each),
    joinedLabels(floor, first),
  )
  return [{}, ...rules, all]
}

const NO_RAISES: Raises = { claims: [], key: '' }

type Profile = (step: DeclaredTool) => string

/** A key of everything that distinguishes a step from others, except its arguments. */
function createProfile({ patterns, reportsLabels }: KindOptions): Profile {
  const concerns = (member: keyof StepPattern) =>
    reportsLabels && patterns.some((pattern) => pattern[member] !== undefined)
  const reportsConfidentiality = concerns('confidentiality')
  const reportsTrust = concerns('trust')
  const named = reportsLabels ? [...new Set(patterns.flatMap(({ tags = [] }) => tags))] : []
  return (step) => {
    const { confidentiality, trust, tags = [] } = step.labels
    let profile = `${sendsForGood(step) ? 2 : maySend(step) ? 1 : 0}${isSensitive(step.labels) ? 1 : 0}`
    for (const pattern of patterns) profile += matchesLabels(pattern, step) ? '1' : '0'
    if (reportsConfidentiality) profile += `/${confidentiality ?? 'none'}`
    if (reportsTrust) profile += `/${trust === 'untrusted'}`
    for (const tag of named) profile += tags.includes(tag) ? '1' : '0'
    return profile
  }
}

function numberOf(numbers: Map<string, number>, key: string): number {
  const number = numbers.get(key) ?? numbers.size
  numbers.set(key, number)
  return number
}
