import type { Counter, Span, SpecRule } from '../spec-rule.js'

/** A session's position in time: steps and blocked proposals so far, and the log's time in milliseconds. */
export interface SessionTime {
  readonly steps: number
  readonly blocked: number
  readonly time: number
}

/** A session's position when it receives an event at `time`. */
export const sessionTimeOf = (
  { steps, blocked }: Pick<SessionTime, 'steps' | 'blocked'>,
  time: number,
): SessionTime => ({
  steps,
  blocked,
  time,
})

/** The number of the proposed step in the windows of `spec`. */
export const nextNumber = ({ countsProposals }: SpecRule, { steps, blocked }: SessionTime): number =>
  steps + 1 + (countsProposals ? blocked : 0)

/** The stamp of something that happens with the proposed step. */
export const stampNext = (spec: SpecRule, { ms }: Span, moment: SessionTime): number =>
  ms === undefined ? nextNumber(spec, moment) : moment.time

/** The stamp of a completion between two steps: the number of steps so far. */
export const stampNow = (spec: SpecRule, { ms }: Span, moment: SessionTime): number =>
  // A completion before the first step must not have stamp 0, which means never.
  ms === undefined ? Math.max(nextNumber(spec, moment) - 1, 1) : moment.time

/** Whether something counts only within a window. */
export const hasSpan = ({ steps, ms }: Span): boolean => steps !== undefined || ms !== undefined

/** Whether something stamped `stamp` (0: never) still counts for the proposed step. */
export function isWithin(spec: SpecRule, reach: Span, stamp: number, moment: SessionTime): boolean {
  if (stamp === 0) return false
  if (reach.ms !== undefined) return stamp >= moment.time - reach.ms
  return reach.steps === undefined || stamp >= nextNumber(spec, moment) - reach.steps
}

/**
 * Counts in windows that slide in eighths. Cells with a window: the slice of the latest entry, then nine slices, each at its number
 * modulo nine. Without a window: the count only.
 */
const EIGHTHS = 8
const SLICES = EIGHTHS + 1
export const WINDOW_CELLS = 1 + SLICES

export function sliceOf(spec: SpecRule, { steps, ms }: Counter, moment: SessionTime): number {
  if (ms !== undefined) return Math.floor((moment.time * EIGHTHS) / ms)
  return steps === undefined ? 0 : Math.floor((nextNumber(spec, moment) * EIGHTHS) / steps)
}

/** The count in the window that ends with the proposed step. */
export function countedIn(
  memory: readonly number[],
  spec: SpecRule,
  counter: Counter,
  moment: SessionTime,
): number {
  const { cell } = counter
  if (!hasSpan(counter)) return memory[cell] ?? 0
  const latest = memory[cell] ?? 0
  const first = Math.max(sliceOf(spec, counter, moment) - EIGHTHS, latest - EIGHTHS, 0)
  let counted = 0
  for (let slice = first; slice <= latest; slice++) counted += memory[cell + 1 + (slice % SLICES)] ?? 0
  return counted
}

/** Adds `amount` to the slice of the proposed step; counts are capped just above `max`. */
export function addTo(
  memory: number[],
  spec: SpecRule,
  counter: Counter,
  moment: SessionTime,
  amount: number,
): void {
  const { cell, max } = counter
  if (!hasSpan(counter)) {
    memory[cell] = Math.min((memory[cell] ?? 0) + amount, max + 1)
    return
  }
  const slice = sliceOf(spec, counter, moment)
  const latest = memory[cell] ?? 0
  for (let gone = Math.max(latest + 1, slice - EIGHTHS); gone <= slice; gone++)
    memory[cell + 1 + (gone % SLICES)] = 0
  if (slice > latest) memory[cell] = slice
  const at = cell + 1 + (slice % SLICES)
  memory[at] = Math.min((memory[at] ?? 0) + amount, max + 1)
}

/**
 * Distinct values: cells are their hashes; with a window each is followed by the slice of its latest occurrence. The first `max` values
 * are kept.
 */
export function distinctWith(
  memory: readonly number[],
  spec: SpecRule,
  counter: Counter,
  moment: SessionTime,
  values: readonly number[],
): number {
  let known = 0
  const fresh = new Set(values)
  forEachLive(memory, spec, counter, moment, (hash) => {
    known++
    fresh.delete(hash)
  })
  return known + fresh.size
}

export function keepValues(
  memory: number[],
  spec: SpecRule,
  counter: Counter,
  moment: SessionTime,
  values: readonly number[],
): void {
  const slice = sliceOf(spec, counter, moment)
  const width = hasSpan(counter) ? 2 : 1
  const end = counter.cell + counter.max * width
  for (const value of values) {
    let place = -1
    for (let at = counter.cell; at < end; at += width) {
      if (memory[at] === value) place = at
      if (memory[at] === value) break
      if (place < 0 && !isLive(memory, at, width, slice)) place = at
    }
    if (place < 0) continue
    memory[place] = value
    if (width === 2) memory[place + 1] = slice
  }
}

const isLive = (memory: readonly number[], at: number, width: number, slice: number): boolean =>
  (memory[at] ?? 0) !== 0 && (width === 1 || (memory[at + 1] ?? 0) >= slice - EIGHTHS)

function forEachLive(
  memory: readonly number[],
  spec: SpecRule,
  counter: Counter,
  moment: SessionTime,
  take: (hash: number) => void,
): void {
  const slice = sliceOf(spec, counter, moment)
  const width = hasSpan(counter) ? 2 : 1
  const end = counter.cell + counter.max * width
  for (let at = counter.cell; at < end; at += width)
    if (isLive(memory, at, width, slice)) take(memory[at] ?? 0)
}
