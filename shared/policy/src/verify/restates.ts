import {
  canonicalJson,
  type Policy,
  type RecentPattern,
  type Run,
  type Spec,
  type StepPattern,
} from '@plimsoll/contracts'
import { ownPattern } from './patterns.js'

/** Ids of the specs whose patterns are those of the run: by them it says only what they do. */
export function restatedBy(run: Run, { specs }: Policy): string[] {
  const said = patternsSaid(run)
  return specs.filter((spec) => sayings(spec).includes(said)).map(({ id }) => id)
}

const textOf = (patterns: readonly StepPattern[]): string => canonicalJson(patterns.map(ordered))

/** `pattern` with its lists in one order: which comes first means nothing. */
const ordered = (pattern: StepPattern): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(pattern).map(([key, value]) => [
      key,
      Array.isArray(value) ? [...value].toSorted(byText) : value,
    ]),
  )

const byText = (a: string, b: string): number => (a < b ? -1 : 1)

const patternsSaid = (run: Run): string =>
  'endsAfter' in run ? textOf([run.endsAfter, run.without]) : textOf(run.sequence)

/** What a restricting spec keeps from happening, as sequences of patterns. */
function sayings(spec: Spec): string[] {
  if (spec.tier === 'allowlist') return []
  const own = ownPattern(spec)
  if (spec.tier === 'mustlist') return spec.followedBy ? [textOf([own, spec.followedBy.step])] : []
  const before = [spec.after, spec.between?.from, spec.flow?.from].flatMap((pattern) =>
    pattern ? [bare(pattern)] : [],
  )
  const last = spec.flow && Object.keys(own).length === 0 ? spec.flow.to : own
  return before.length > 0 ? before.map((each) => textOf([each, last])) : [textOf([own])]
}

function bare(pattern: RecentPattern): StepPattern {
  const { within: _, ...rest } = pattern
  return rest
}
