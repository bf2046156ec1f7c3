import {
  type ClaimedLabels,
  type StepPattern,
  type ToolLabels,
  CAPABILITIES,
  CONFIDENTIALITIES,
  REVERSIBILITIES,
  STEP_TAGS,
} from '@plimsoll/contracts'

/** What a client may claim beyond `labels` that some of `patterns` or the line could tell. The first is nothing. */
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

/** Of these only what a result can tell. */
export function resultClaimsAbove(labels: ToolLabels, patterns: readonly StepPattern[]): ClaimedLabels[] {
  return claimsAbove(labels, patterns).filter(
    ({ capability, reversibility, tags = [] }) =>
      capability === undefined && reversibility === undefined && !tags.some(isStepTag),
  )
}

/** `claims`, and each of them with one of the tags that clients find in a step's arguments and some of `patterns` names. */
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

/** The words of `order` after `word`; of those only `only`, where it is given. */
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

/** Each tag that a pattern names and the labels lack, and all of those that results may carry together. */
function tagsBeyond(labels: ToolLabels, patterns: readonly StepPattern[]): string[][] {
  const named = new Set(patterns.flatMap(({ tags = [] }) => tags))
  const beyond = [...named].filter((tag) => !labels.tags?.includes(tag)).slice(0, TAGS_MAX)
  const carried = beyond.filter((tag) => !isStepTag(tag))
  const sets = [...beyond.map((tag) => [tag]), ...(carried.length > 1 ? [carried] : [])]
  return beyond.length > carried.length && carried.length > 0 ? [...sets, beyond] : sets
}

const TAGS_MAX = 8
