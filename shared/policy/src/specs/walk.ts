import { PATTERN_MEMBERS, type Policy, type Run, type Spec, type StepPattern } from '@plimsoll/contracts'

type Path = readonly PropertyKey[]

/** A pattern of the document, and where it stands. */
export interface Placed {
  readonly pattern: StepPattern
  readonly path: Path
}

/** Every pattern of a policy; those of the analysis too. */
export function patternsIn({ specs, declassifiers = [], analysis }: Policy): Placed[] {
  return [
    ...specs.flatMap((spec, i) => patternsOfSpec(spec, ['specs', i])),
    ...declassifiers.map(({ step }, i) => ({ pattern: step, path: ['declassifiers', i, 'step'] })),
    ...(analysis?.hazards ?? []).flatMap(({ reached }, i) =>
      patternsOfRun(reached, ['analysis', 'hazards', i, 'reached']),
    ),
    ...(analysis?.goals ?? []).flatMap(({ reached }, i) =>
      patternsOfRun(reached, ['analysis', 'goals', i, 'reached']),
    ),
  ]
}

export function patternsOfSpec(spec: Spec, path: Path): Placed[] {
  const placed = (pattern: StepPattern | undefined, ...at: string[]): Placed[] =>
    pattern ? [{ pattern, path: [...path, ...at] }] : []
  // A flow may leave it to its `to` to say which steps it speaks on.
  const own = placed(hasCondition(spec) ? spec : undefined)
  if (spec.tier === 'mustlist')
    return [
      ...own,
      ...placed(spec.requires, 'requires'),
      ...placed(spec.followedBy?.step, 'followedBy', 'step'),
    ]
  const order = [
    ...own,
    ...placed(spec.after, 'after'),
    ...placed(spec.before, 'before'),
    ...placed(spec.between?.from, 'between', 'from'),
    ...placed(spec.between?.to, 'between', 'to'),
  ]
  if (spec.tier === 'allowlist') return order
  return [...order, ...placed(spec.flow?.from, 'flow', 'from'), ...placed(spec.flow?.to, 'flow', 'to')]
}

const hasCondition = (pattern: StepPattern): boolean =>
  PATTERN_MEMBERS.some((member) => pattern[member] !== undefined)

function patternsOfRun(run: Run | undefined, path: Path): Placed[] {
  if (!run) return []
  if ('endsAfter' in run)
    return [
      { pattern: run.endsAfter, path: [...path, 'endsAfter'] },
      { pattern: run.without, path: [...path, 'without'] },
    ]
  return [
    ...run.sequence.map((pattern, i) => ({ pattern, path: [...path, 'sequence', i] })),
    ...(run.unless ? [{ pattern: run.unless, path: [...path, 'unless'] }] : []),
  ]
}
