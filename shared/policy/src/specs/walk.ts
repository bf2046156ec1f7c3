import { type PolicyParts, type Run, type Spec, type StepPattern, PATTERN_MEMBERS } from '@plimsoll/contracts'
import { CONDITIONS } from './conditions.js'

export type Path = readonly PropertyKey[]

/** A pattern, and its path in the document. */
export interface Placed {
  readonly pattern: StepPattern
  readonly path: Path
}

/** The value at a path; undefined where there is none. */
export function valueAt(content: unknown, path: Path): unknown {
  let value = content
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** The pattern alone, without the other members of its holder (a spec, or a pattern with a window). */
export const patternOf = (holder: StepPattern): StepPattern =>
  Object.fromEntries(
    PATTERN_MEMBERS.flatMap((member) => (holder[member] === undefined ? [] : [[member, holder[member]]])),
  )

const INSIDE_SPECS: readonly Path[] = Object.values(CONDITIONS).flatMap<Path>(({ patterns }) => patterns)

const INSIDE_RUNS = ['endsAfter', 'without', 'unless'] as const

const placedIn = (holder: object, inside: readonly Path[], path: Path): Placed[] =>
  inside.flatMap((at) => {
    const pattern = valueAt(holder, at) as StepPattern | undefined
    return pattern ? [{ pattern, path: [...path, ...at] }] : []
  })

/** Every pattern of a spec, its own first. */
export const placedInSpec = (spec: Spec, path: Path = []): Placed[] => [
  { pattern: spec, path },
  ...placedIn(spec, INSIDE_SPECS, path),
]

export const patternsOfSpec = (spec: Spec): StepPattern[] => placedInSpec(spec).map(({ pattern }) => pattern)

const placedInRun = (run: Run, path: Path): Placed[] => [
  ...('sequence' in run
    ? run.sequence.map((pattern, i) => ({ pattern, path: [...path, 'sequence', i] }))
    : []),
  ...placedIn(
    run,
    INSIDE_RUNS.map((member) => [member]),
    path,
  ),
]

/** Every pattern of a run: its steps first, then what undoes them. */
export const patternsOfRun = (run: Run): StepPattern[] => placedInRun(run, []).map(({ pattern }) => pattern)

/** Every pattern of a policy: of specs, declassifiers, hazards and goals. */
export function placedPatterns({ specs, declassifiers = [], analysis = {} }: PolicyParts): Placed[] {
  return [
    ...specs.flatMap((spec, i) => placedInSpec(spec, ['specs', i])),
    ...declassifiers.map(({ step }, i) => ({ pattern: step, path: ['declassifiers', i, 'step'] })),
    ...(['hazards', 'goals'] as const).flatMap((list) =>
      (analysis[list] ?? []).flatMap(({ reached }, i) =>
        reached ? placedInRun(reached, ['analysis', list, i, 'reached']) : [],
      ),
    ),
  ]
}
