import type { ConditionKey } from '@plimsoll/contracts'
import {
  type Span,
  type Rules,
  type SessionState,
  type SpecRule,
  FOR_EVER,
  WINDOW_CELLS,
  hasSpan,
} from '@plimsoll/engine'
import { COUNT_MAX, allHandled } from '../../specs/conditions.js'
import type { StepKind } from './step-kinds.js'

/** One item that a spec remembers, and its cells in a session's memory. */
export interface Cells {
  readonly spec: SpecRule
  readonly cell: number
  /**
   * `stamp`: when an event last occurred; 0 for never, or not within `reach`. `flag`: whether a condition holds. `bits`: a set of labels.
   * `count`: how often an event occurred, up to `max` + 1. `free`: `width` cells that the abstraction leaves open. `owed`: since when an
   * obligation is open, and whether a step that would meet it was blocked.
   */
  readonly kind: 'stamp' | 'flag' | 'bits' | 'count' | 'free' | 'owed'
  readonly reach: Span
  readonly width: number
}

/** The specs, each once, that concern a step of one of the kinds or a call in flight. */
export function specsOf(rules: Rules, kinds: readonly StepKind[]): SpecRule[] {
  const specs = new Map<string, SpecRule>()
  const take = (spec: SpecRule) => specs.set(spec.id, merged(specs.get(spec.id), spec))
  for (const { tool } of kinds) {
    const { blocklist, mustlist, allowlist, confirmation, memory } = rules.tool(tool)
    for (const spec of [...blocklist, ...mustlist, ...allowlist, ...confirmation]) take(spec)
    for (const { update } of memory.updates) take(update.spec)
    for (const { credit } of memory.creditables) take(credit.spec)
  }
  for (const spec of [...rules.memory.flows, ...rules.memory.obligations]) take(spec)
  return [...specs.values()]
}

/** A spec compiled for two tools: each may lack parts that the other has. */
function merged(known: SpecRule | undefined, spec: SpecRule): SpecRule {
  if (!known) return spec
  const defined = Object.entries(spec).filter(([, value]) => value !== undefined)
  return { ...known, ...Object.fromEntries(defined) }
}

/** The items that `spec` remembers for its conditions. */
export function cellsOf(spec: SpecRule): Cells[] {
  const cells: Cells[] = []
  const add = (kind: Cells['kind'], cell: number, reach: Span = FOR_EVER, width = 1) =>
    cells.push({ spec, cell, kind, reach, width })
  const { after, before, requires, between, flow, followedBy, ...counters }: Pick<SpecRule, ConditionKey> =
    spec
  for (const timed of [after, before, requires]) if (timed) add('stamp', timed.cell, timed)
  if (between) add('flag', between.cell)
  if (flow) add('bits', flow.cell)
  if (flow && hasSpan(flow)) add('stamp', flow.cell + 1, flow)
  if (followedBy) add('owed', followedBy.cell, followedBy)
  // A fleet limit reads other sessions: nothing of this one.
  const { atMost, sum, distinct, fleet: _, ...others } = counters
  allHandled(others)
  if (atMost && (hasSpan(atMost) || atMost.max > COUNT_MAX))
    add('free', atMost.cell, atMost, hasSpan(atMost) ? WINDOW_CELLS : 1)
  else if (atMost) add('count', atMost.cell)
  if (sum) add('free', sum.cell, sum, hasSpan(sum) ? WINDOW_CELLS : 1)
  if (distinct) add('free', distinct.cell, distinct, distinct.max * (hasSpan(distinct) ? 2 : 1))
  return cells
}

/**
 * The part of the specs' memory that a normal form keeps. Step numbers are relative to the next step, and go back only as far as a spec
 * reads them. An event within a time window counts as if it were now, until the model lets the window pass; long windows of steps are
 * treated alike. Sums, distinct values and counts in windows are left open.
 */
export interface MemoryForm {
  readonly normal: (state: SessionState) => Pick<SessionState, 'memory' | 'steps' | 'blocked'>
  readonly keyOf: (state: SessionState) => string
  /** Whether the memories are equal except for windows that have passed in the second. */
  readonly covers: (abstract: SessionState, concrete: SessionState) => boolean
  /**
   * The possible states when a step with the tool is proposed: `state` itself, and with each choice of passed windows among those that the
   * tool's specs read. A window that no spec reads now can pass later, when a spec reads it.
   */
  readonly passings: (state: SessionState, tool: string) => readonly Passing[]
  /** Whether every choice of windows was tried so far. */
  readonly isWhole: () => boolean
}

export interface Passing {
  readonly state: SessionState
  /** Ids of the specs whose windows have passed. */
  readonly specs: readonly string[]
}

export interface MemoryFormOptions {
  /** Whether runs are of bounded length: then only the clock is abstracted. */
  readonly isExact: boolean
  readonly time: number
}

/** Longer windows of steps are left open. */
const AGE_MAX = 12
/** Limit of windows that are tried in all combinations. The windows beyond it pass together or not at all. */
const PASSING_MAX = 6
/** The number of steps in every normal form: more than any window reaches back. */
const STEPS = 1_000_000
const NOW = { steps: STEPS, blocked: 0 }

export function createMemoryForm(
  rules: Rules,
  kinds: readonly StepKind[],
  { isExact, time }: MemoryFormOptions,
): MemoryForm {
  const specs = specsOf(rules, kinds)
  const all = specs.flatMap(cellsOf)
  const passing = new Map(
    specs.map((spec) => [
      spec.id,
      all.filter((cells) => cells.spec.id === spec.id && isOpenEnded(cells, isExact)),
    ]),
  )
  const readBy = new Map<string, readonly Cells[][]>()
  let isWhole = true

  const isOpen = (cells: Cells) => isOpenEnded(cells, isExact)
  // In runs of bounded length, step counts are kept exactly.
  const isKept = ({ kind, reach }: Cells) => isExact && (kind === 'free' || reach.steps !== undefined)
  const isCounting = all.some(({ reach }) => isExact && reach.steps !== undefined)
  const normal = (state: SessionState) => {
    const memory = state.memory.slice()
    if (memory.length > 0)
      for (const cells of all) if (!isKept(cells)) normalise(memory, cells, state, time, isOpen(cells))
    const { steps, blocked } = isCounting ? state : NOW
    return { memory: trimmed(memory), steps, blocked }
  }
  const windowsRead = (tool: string) => {
    const known = readBy.get(tool)
    if (known) return known
    const { blocklist, mustlist, allowlist, confirmation } = rules.tool(tool)
    const read = [...blocklist, ...mustlist, ...allowlist, ...confirmation].flatMap(({ id }: SpecRule) => {
      const cells = passing.get(id) ?? []
      return cells.length > 0 ? [cells] : []
    })
    readBy.set(tool, read)
    return read
  }
  return {
    normal,
    keyOf: ({ memory, steps, blocked }) =>
      isCounting ? `${steps} ${blocked} ${memory.join()}` : memory.join(),
    covers: (abstract, concrete) => {
      const open = all.filter(isOpen)
      const memory = abstract.memory.slice()
      for (const cells of open)
        if (hasPassed(concrete, cells, time) && isLive(abstract, cells, time))
          memory[cells.cell] = concrete.memory[cells.cell] ?? 0
      return trimmed(memory).join() === concrete.memory.join()
    },
    passings: (state, tool) => {
      const live = windowsRead(tool).filter((cells) => cells.some((each) => isLive(state, each, time)))
      if (live.length > PASSING_MAX) isWhole = false
      return live.length === 0 ? [{ state, specs: [] }] : passingsOf(state, live, time)
    },
    isWhole: () => isWhole,
  }
}

/** Whether a window passes by a choice of the model, not by events. */
const isOpenEnded = ({ reach, kind }: Cells, isExact: boolean): boolean =>
  kind !== 'free' &&
  (reach.ms !== undefined || (!isExact && reach.steps !== undefined && reach.steps > AGE_MAX))

/** The cells without trailing zeros: no memory and all zeros are the same. */
function trimmed(memory: readonly number[]): readonly number[] {
  return memory.some((cell) => cell !== 0) ? memory : []
}

function normalise(memory: number[], cells: Cells, state: SessionState, time: number, isOpen: boolean): void {
  const { cell, kind, width } = cells
  if (kind === 'free') memory.fill(0, cell, cell + width)
  else if (kind === 'flag') memory[cell] = (memory[cell] ?? 0) === 0 ? 0 : 1
  else if (kind === 'stamp') memory[cell] = stampOf(memory[cell] ?? 0, cells, state, time, isOpen)
  else if (kind === 'owed') {
    memory[cell] = sinceOf(memory[cell] ?? 0, cells, state, time, isOpen)
    memory[cell + REPORTED] = 0
  }
}
/** Cell that says whether the open obligation was reported: no verdict reads it. */
const REPORTED = 2

/** The stamp in normal form; 0 if it has no effect any more. */
function stampOf(
  stamp: number,
  { reach, spec }: Cells,
  state: SessionState,
  time: number,
  isOpen: boolean,
): number {
  if (stamp === 0) return 0
  if (reach.ms !== undefined) return stamp >= state.time - reach.ms ? time : 0
  if (reach.steps === undefined) return 1
  const age = nextNumber(spec, state) - stamp
  if (age > reach.steps) return 0
  return STEPS + 1 - (isOpen ? 1 : age)
}

/** Since when an obligation is open; overdue obligations are exact to the step. */
function sinceOf(
  since: number,
  { reach, spec }: Cells,
  state: SessionState,
  time: number,
  isOpen: boolean,
): number {
  if (since === 0) return 0
  if (reach.ms !== undefined) return state.time > since + reach.ms ? time - reach.ms - 1 : time
  if (reach.steps === undefined) return 1
  const age = nextNumber(spec, state) - since
  if (age >= reach.steps) return STEPS + 1 - reach.steps
  return STEPS + 1 - (isOpen ? 1 : age)
}

const nextNumber = ({ countsProposals }: SpecRule, { steps, blocked }: SessionState): number =>
  steps + 1 + (countsProposals ? blocked : 0)

/** Whether the window could still pass. */
function isLive({ memory, steps }: SessionState, { cell, kind, reach }: Cells, time: number): boolean {
  const stamp = memory[cell] ?? 0
  if (stamp === 0) return false
  if (kind !== 'owed') return true
  return reach.ms === undefined ? steps + 1 - stamp < (reach.steps ?? Infinity) : time <= stamp + reach.ms
}

const hasPassed = (state: SessionState, cells: Cells, time: number): boolean => !isLive(state, cells, time)

/** Choices of passed windows, starting with none. */
function passingsOf(state: SessionState, windows: readonly (readonly Cells[])[], time: number): Passing[] {
  const singles = windows.slice(0, PASSING_MAX).map((cells) => [cells])
  const rest = windows.slice(PASSING_MAX)
  let passings: Passing[] = [{ state, specs: [] }]
  for (const together of rest.length > 0 ? [...singles, rest] : singles)
    passings = [
      ...passings,
      ...passings.map((each) => ({
        state: { ...each.state, memory: passed(each.state, together.flat(), time) },
        specs: [...each.specs, ...together.map(([first]) => first?.spec.id ?? '')],
      })),
    ]
  return passings
}

function passed({ memory, steps }: SessionState, windows: readonly Cells[], time: number): readonly number[] {
  const changed = memory.slice()
  for (const { cell, kind, reach } of windows) {
    if ((changed[cell] ?? 0) === 0) continue
    const overdue = reach.ms === undefined ? steps + 1 - (reach.steps ?? 0) : time - reach.ms - 1
    changed[cell] = kind === 'owed' ? Math.max(overdue, 1) : 0
  }
  return changed
}
