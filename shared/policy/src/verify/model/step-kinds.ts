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

/** Steps that nothing tells apart but their arguments, by one of them. */
export interface StepKind {
  readonly tool: string
  readonly claims: ClaimedLabels | undefined
  /** Those that it has with the claims. */
  readonly labels: ToolLabels
  readonly isLabelled: boolean
  /** What the tool is known to be at least, from which results tell more. */
  readonly base: ToolLabels
  /** What its result may tell beyond that and somebody could tell apart. */
  readonly raises: readonly ClaimedLabels[]
  /** Calls of one number are alike in what their results may tell; 0 where that is nothing. */
  readonly raiseClass: number
}

/** Whether the line may judge it: it reaches out, or it runs what may. */
export const maySend = ({ labels }: Labelled): boolean =>
  labels.capability === 'network' || labels.capability === 'execute'

/** Whether the line judges it whatever its evidence is. The line treats all others that may send alike: see `proposalOf`. */
export const sendsForGood = ({ labels }: Labelled): boolean =>
  labels.capability === 'network' && labels.reversibility === 'irreversible'

type Labelled = Pick<StepKind, 'labels'>

export interface KindOptions {
  readonly policy: Policy
  readonly catalogue: Catalogue
  readonly claims: Claims
  /** Those by which steps are told apart. */
  readonly patterns: readonly StepPattern[]
  /** All of the documents, by which tools are named. */
  readonly allPatterns: readonly StepPattern[]
  /** Whether some spec of the whole policy names the tool: then it is no stranger, labelled or not. */
  readonly isNamed: (tool: string) => boolean
  /** What is read again when a result tells more. */
  readonly raisables: readonly Raisable[]
  /** Whether a flow is tracked: then it counts which labels a step has, besides which patterns it matches. */
  readonly reportsLabels: boolean
}

export interface StepKinds {
  /** One step of each kind, those without claims first. */
  readonly all: readonly StepKind[]
  /** Whether tools of every kind that there can be were named. */
  readonly isWhole: boolean
  /** The kind of a step with the tool of which a client claims so much; undefined where nobody is taken to claim that. */
  readonly of: (tool: string, claims: ClaimedLabels | undefined) => StepKind | undefined
}

export function stepKinds(options: KindOptions): StepKinds {
  const { policy, catalogue, claims, patterns, allPatterns, raisables, isNamed } = options
  const entryOf = createEntryFinder(catalogue)
  const kinds = new Map<string, StepKind>()
  const classes = new Map<string, number>([['', 0]])
  const profileOf = createProfile(options)
  const about = (tool: string) => {
    const entry = completeEntry(entryOf(tool), policy.unlabelled.labels)
    const base = entry
      ? joinedLabels(entry.labels, entry.least ?? {})
      : standInOf(policy.unlabelled.labels, tool)
    const least = entry?.least ?? base
    const raising = claims === 'none' ? NO_RAISES : raisesOf(tool, least, raisables)
    return { entry, base, least, raising }
  }
  const keyOf = (step: DeclaredTool, isLabelled: boolean, raiseKey: string) =>
    `${isLabelled ? 2 : isNamed(step.tool) ? 1 : 0}${profileOf(step)} ${classes.get(raiseKey) ?? '?'}`
  const { names, isWhole: isNamedWhole } = toolNames(catalogue, allPatterns)
  for (const tool of names) {
    const { entry, base, least, raising } = about(tool)
    const raiseClass = numberOf(classes, raising.key)
    const isLabelled = entry !== undefined
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
      const { entry, base, raising } = about(tool)
      const isWhole =
        entry?.least !== undefined && claimed.capability !== undefined && claimed.reversibility !== undefined
      const labels = joinedLabels(isWhole ? (entry.least ?? base) : base, claimed)
      return kinds.get(keyOf({ tool, labels }, entry !== undefined, raising.key))
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

/** What a step with the tool may be: as the catalogue says, more than that, or what its arguments bring it down to. */
function candidates(
  base: ToolLabels,
  entry: CatalogueEntry | undefined,
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
  const { least } = entry ?? {}
  if (!least) return raised
  const brought = reported(least).map((claim) => {
    const labels = joinedLabels(least, claim)
    return { labels, claim: labels }
  })
  return [...raised, ...brought]
}

/** What the catalogue's rules on single arguments make of a step: nothing, each of them, and all together. */
function ruledBy(entry: CatalogueEntry | undefined): ClaimedLabels[] {
  const rules = (entry?.when ?? []).map(({ labels }) => labels)
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

/** Everything by which a step is told from others, its arguments apart. */
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
