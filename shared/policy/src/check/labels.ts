import type { Declassifier, PolicyParts, Spec } from '@plimsoll/contracts'
import type { Problem } from '../source/problem.js'
import { BITS, patternsOf } from '../specs/numbering.js'

/** More tags in a policy, or more labels in a flow, than the engine tells apart. */
export function labelProblems({ specs, declassifiers = [] }: PolicyParts): Problem[] {
  return [
    ...tagProblems(specs, declassifiers),
    ...specs.flatMap((spec, i) => flowProblems(spec, ['specs', i, 'flow'], declassifiers)),
  ]
}

function tagProblems(specs: readonly Spec[], declassifiers: readonly Declassifier[]): Problem[] {
  const tags = new Set(declassifiers.flatMap(({ step }) => step.tags ?? []))
  let first: number | undefined
  for (const [i, spec] of specs.entries()) {
    for (const pattern of patternsOf(spec)) for (const tag of pattern.tags ?? []) tags.add(tag)
    if (tags.size > BITS) first ??= i
  }
  if (tags.size <= BITS) return []
  const message = `from here on the policy names more than ${BITS} tags, ${tags.size} in all, and no more are told apart: give tools that are meant alike one tag`
  return [{ path: first === undefined ? ['declassifiers'] : ['specs', first], message }]
}

function flowProblems(
  spec: Spec,
  path: readonly PropertyKey[],
  declassifiers: readonly Declassifier[],
): Problem[] {
  const flow = 'flow' in spec ? spec.flow : undefined
  if (!flow) return []
  const { confidentiality = [], trust = [], tags = [] } = flow.from
  const ends = declassifiers
    .filter(({ id }) => flow.declassifiers?.includes(id))
    .flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]))
  const labels = new Set<string>([...confidentiality, ...trust, ...tags, ...ends])
  if (labels.size <= BITS) return []
  const message = `speaks of ${labels.size} labels, those of its declassifiers among them, and at most ${BITS} are told apart: make two flows of it`
  return [{ path, message }]
}
