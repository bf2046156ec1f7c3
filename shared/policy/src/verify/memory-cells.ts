import { FOR_EVER, isReaching, WINDOW_CELLS, type Reach, type Rules, type SpecRule } from '@plimsoll/engine'
import type { StepKind } from './step-kinds.js'

/** What one thing that a spec remembers is, and in which cells of a session's memory it stands. */
export interface Cells {
  readonly spec: SpecRule
  readonly cell: number
  /**
   * `stamp`: when something was last; 0 for never, or not within `reach`. `flag`: whether something is so. `bits`: a set of labels.
   * `count`: how often something was, up to `max` and once more. `free`: what the abstraction leaves open, so many cells. `owed`: since when
   * something is owed, and whether what pays was blocked.
   */
  readonly kind: 'stamp' | 'flag' | 'bits' | 'count' | 'free' | 'owed'
  readonly reach: Reach
  readonly width: number
}

/** Counts beyond that are left open: each number is a state of its own. */
const COUNT_MAX = 16

/** Every spec that some step of the kinds, or a call in flight, has to do with; once each. */
export function specsOf(rules: Rules, kinds: readonly StepKind[]): SpecRule[] {
  const specs = new Map<string, SpecRule>()
  const take = (spec: SpecRule) => specs.set(spec.id, merged(specs.get(spec.id), spec))
  for (const { tool } of kinds) {
    const { blocklist, mustlist, allowlist, confirmation, memory } = rules.tool(tool)
    for (const spec of [...blocklist, ...mustlist, ...allowlist, ...confirmation]) take(spec)
    for (const { effect } of memory.marks) take(effect.spec)
    for (const { credit } of memory.creditables) take(credit.spec)
  }
  for (const spec of [...rules.memory.flows, ...rules.memory.obligations]) take(spec)
  return [...specs.values()]
}

/** A spec as two tools see it: each may lack what the other has. */
function merged(known: SpecRule | undefined, spec: SpecRule): SpecRule {
  if (!known) return spec
  const defined = Object.entries(spec).filter(([, value]) => value !== undefined)
  return { ...known, ...Object.fromEntries(defined) }
}

/** What `spec` remembers, by its conditions. */
export function cellsOf(spec: SpecRule): Cells[] {
  const cells: Cells[] = []
  const add = (kind: Cells['kind'], cell: number, reach: Reach = FOR_EVER, width = 1) =>
    cells.push({ spec, cell, kind, reach, width })
  for (const timed of [spec.after, spec.before, spec.requires]) if (timed) add('stamp', timed.cell, timed)
  if (spec.between) add('flag', spec.between.cell)
  if (spec.flow) add('bits', spec.flow.cell)
  if (spec.flow && isReaching(spec.flow)) add('stamp', spec.flow.cell + 1, spec.flow)
  if (spec.followedBy) add('owed', spec.followedBy.cell, spec.followedBy)
  const { atMost, sum, distinct } = spec
  if (atMost && (isReaching(atMost) || atMost.max > COUNT_MAX))
    add('free', atMost.cell, atMost, isReaching(atMost) ? WINDOW_CELLS : 1)
  else if (atMost) add('count', atMost.cell)
  if (sum) add('free', sum.cell, sum, isReaching(sum) ? WINDOW_CELLS : 1)
  if (distinct) add('free', distinct.cell, distinct, distinct.max * (isReaching(distinct) ? 2 : 1))
  return cells
}
