import {
  type SpecOf,
  type ConditionsOf,
  type ClaimedLabels,
  type Run,
  type Spec,
  type StepPattern,
  type ToolLabels,
  CAPABILITIES,
  CONFIDENTIALITIES,
  REVERSIBILITIES,
  STEP_TAGS,
} from '@plimsoll/contracts'
import { allHandled } from '../../specs/conditions.js'
import { isRaisable } from '../../specs/patterns.js'
import { patternOf } from '../../specs/walk.js'
import { type LabelledTool, isSensitive, joinedLabels, matchesLabels } from './labels.js'

/** The claims that a client can report beyond `labels` and that `patterns` or the line distinguish, starting with the empty claim. */
export function claimsAbove(labels: ToolLabels, patterns: readonly StepPattern[]): ClaimedLabels[] {
  const concerns = (member: keyof StepPattern) => patterns.some((pattern) => pattern[member] !== undefined)
  const capabilities = above(CAPABILITIES, labels.capability, concerns('capability') ? undefined : 'network')
  const reversibilities = above(
    REVERSIBILITIES,
    labels.reversibility,
    concerns('reversibility') ? undefined : 'irreversible',
  )
  const confidentialities = above(
    CONFIDENTIALITIES,
    labels.confidentiality,
    concerns('confidentiality') ? undefined : 'sensitive',
  )
  const trusts = concerns('trust') && labels.trust !== 'untrusted' ? ['untrusted' as const] : []
  let claims: ClaimedLabels[] = [{}]
  claims = withEach(claims, 'capability', capabilities)
  claims = withEach(claims, 'reversibility', reversibilities)
  claims = withEach(claims, 'confidentiality', confidentialities)
  claims = withEach(claims, 'trust', trusts)
  return withEach(claims, 'tags', tagsBeyond(labels, patterns))
}

/** The claims that a result can have. */
function resultClaimsAbove(labels: ToolLabels, patterns: readonly StepPattern[]): ClaimedLabels[] {
  return claimsAbove(labels, patterns).filter(
    ({ capability, reversibility, tags = [] }) =>
      capability === undefined && reversibility === undefined && !tags.some(isStepTag),
  )
}

/** `claims`, and each of them with one of the tags that clients detect in arguments and that `patterns` name. */
export function withStepTags(
  claims: readonly ClaimedLabels[],
  patterns: readonly StepPattern[],
): ClaimedLabels[] {
  const named = STEP_TAGS.filter((tag) => patterns.some(({ tags = [] }) => tags.includes(tag)))
  const tagged = named.flatMap((tag) =>
    claims.map((claim) => ({ ...claim, tags: [...(claim.tags ?? []), tag] })),
  )
  return [...claims, ...tagged]
}

const isStepTag = (tag: string): boolean => STEP_TAGS.some((each) => each === tag)

/** The words of `order` after `word`, restricted to `only` if given. */
function above<T extends string>(order: readonly T[], word: T | undefined, only: T | undefined): T[] {
  const higher = order.slice(word === undefined ? 0 : order.indexOf(word) + 1)
  return only === undefined ? higher : higher.filter((each) => each === only)
}

function withEach<K extends keyof ClaimedLabels>(
  claims: readonly ClaimedLabels[],
  member: K,
  values: readonly ClaimedLabels[K][],
): ClaimedLabels[] {
  return [...claims, ...values.flatMap((value) => claims.map((claim) => ({ ...claim, [member]: value })))]
}

/** Each tag that a pattern names and the labels lack, and the set of all those that results can carry. */
function tagsBeyond(labels: ToolLabels, patterns: readonly StepPattern[]): string[][] {
  const named = new Set(patterns.flatMap(({ tags = [] }) => tags))
  const beyond = [...named].filter((tag) => !labels.tags?.includes(tag)).slice(0, TAGS_MAX)
  const carried = beyond.filter((tag) => !isStepTag(tag))
  const sets = [...beyond.map((tag) => [tag]), ...(carried.length > 1 ? [carried] : [])]
  return beyond.length > carried.length && carried.length > 0 ? [...sets, beyond] : sets
}

const TAGS_MAX = 8

/** An effect that counts against a session and may only become known with a result. */
export interface Raisable {
  readonly step: StepPattern
  readonly unless?: StepPattern
  /** Whether it tracks which of the labels that `step` names the result has. */
  readonly isFlow: boolean
}

/** The effects of a spec that the engine checks again when a result reports more labels. */
export function raisablesOfSpec(spec: Spec): Raisable[] {
  const made: {
    readonly step: StepPattern | undefined
    readonly unless?: StepPattern
    readonly isFlow?: boolean
  }[] = []
  if (spec.tier === 'mustlist') {
    const { followedBy, requires: _, ...others }: ConditionsOf<SpecOf<'mustlist'>> = spec
    allHandled(others)
    if (followedBy) made.push({ step: patternOf(spec), unless: followedBy.step })
  } else if (spec.tier === 'allowlist') {
    const { before, between, after: _, ...others }: ConditionsOf<SpecOf<'allowlist'>> = spec
    allHandled(others)
    made.push({ step: before }, { step: between?.to })
  } else {
    const { after, between, flow, before: _, ...counters }: ConditionsOf<typeof spec> = spec
    // What is counted is counted when the step runs, not again when a result reports more.
    const { atMost: _atMost, sum: _sum, distinct: _distinct, fleet: _fleet, ...others } = counters
    allHandled(others)
    made.push({ step: after }, { step: between?.from }, { step: flow?.from, isFlow: true })
  }
  return made.flatMap(({ step, unless, isFlow = false }) =>
    step && isRaisable(step) ? [{ step, isFlow, ...(unless && { unless }) }] : [],
  )
}

/** The same for a watched run. */
export const raisablesOfRun = (run: Run): Raisable[] =>
  ('endsAfter' in run ? [run.endsAfter] : run.sequence)
    .filter(isRaisable)
    .map((step) => ({ step, isFlow: false }))

export interface Raises {
  /** One for each effect that a result may have; for tools of one key the n-th claims have the same effect. */
  readonly claims: readonly ClaimedLabels[]
  /** Results of tools of one key can have the same effects. */
  readonly key: string
}

/** The reports on results of the tool, beyond `base`, that make a difference. */
export function raisesOf(tool: string, base: ToolLabels, raisables: readonly Raisable[]): Raises {
  const byEffect = new Map<string, ClaimedLabels>()
  const patterns = raisables.map(({ step }) => step)
  for (const claim of resultClaimsAbove(base, patterns)) {
    const effect = effectOf({ tool, labels: base }, { tool, labels: joinedLabels(base, claim) }, raisables)
    if (effect !== '' && !byEffect.has(effect)) byEffect.set(effect, claim)
  }
  const effects = [...byEffect].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { claims: effects.map(([, claim]) => claim), key: effects.map(([effect]) => effect).join(' ') }
}

function effectOf(before: LabelledTool, after: LabelledTool, raisables: readonly Raisable[]): string {
  const effects = raisables.flatMap((raisable, i) => {
    if (!isMade(raisable, after)) return []
    if (!raisable.isFlow) return isMade(raisable, before) ? [] : [`${i}`]
    const brought = flowLabelsOf(raisable.step, after.labels)
    const known = isMade(raisable, before) ? flowLabelsOf(raisable.step, before.labels) : []
    return brought.every((label) => known.includes(label)) && isMade(raisable, before)
      ? []
      : [`${i}:${brought.join()}`]
  })
  if (isSensitive(after.labels) && !isSensitive(before.labels)) effects.push('s')
  return effects.join(';')
}

const isMade = ({ step, unless }: Raisable, labelled: LabelledTool): boolean =>
  matchesLabels(step, labelled) && !(unless && isKnown(unless) && matchesLabels(unless, labelled))

/** When the result arrives, the arguments are no longer available: for a pattern that reads them the match is unknown. */
const isKnown = ({ where, recipient, act, object, reach }: StepPattern): boolean =>
  where === undefined && recipient === undefined && !act && !object && !reach

/** The labels of a step that a flow's `from` names. */
function flowLabelsOf(
  { confidentiality = [], trust = [], tags = [] }: StepPattern,
  labels: ToolLabels,
): string[] {
  const has = new Set([labels.confidentiality, labels.trust ?? 'trusted', ...(labels.tags ?? [])])
  return [...confidentiality, ...trust, ...tags].filter((label) => has.has(label))
}
