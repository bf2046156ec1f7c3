import type { Limits as ReportedLimits } from '@plimsoll/contracts'

/**
 * The limits that the user sets to a session's changes, as fingerprints in one bounded text: eight characters each, a mark and the
 * fingerprint without its kind. Marks: `o` a place to which changes are restricted; `n` what stays as it is; `w` what alone may change
 * until a later text of the user asks for a change.
 */
export type Limits = string

export const NO_LIMITS: Limits = ''

const CELL = 8
/** Limits that are kept; the first ones stay. */
const LIMITS_MAX = 48
const MARKS = { only: 'o', never: 'n', waits: 'w' } as const

/** `limits` with those of a further text of the user, which lifts what it asks to change. */
export function limitsAfter(limits: Limits, reported: ReportedLimits): Limits {
  const { only = [], never = [], waits = [], allows = [], goes = false } = reported
  const lifted = new Set(allows.map((allowed) => cellOf(MARKS.never, allowed)))
  let after = keep(limits, (cell) => !lifted.has(cell) && !(goes && cell.startsWith(MARKS.waits)))
  // What a later text asks to change joins the places of an earlier one.
  const isJoining = only.length > 0 || hasMark(after, MARKS.only)
  for (const place of isJoining ? [...only, ...allows] : [])
    after = withCell(after, cellOf(MARKS.only, place))
  for (const name of never) after = withCell(after, cellOf(MARKS.never, name))
  for (const name of waits) after = withCell(after, cellOf(MARKS.waits, name))
  return after
}

/**
 * Whether a change is named that a limit forbids: of what stays as it is, or outside the places that may change.
 *
 * @param changes for each change its names, as fingerprints
 */
export function isForbidden(limits: Limits, changes: readonly (readonly string[])[]): boolean {
  if (limits === NO_LIMITS) return false
  const isRestricted = hasMark(limits, MARKS.only)
  const isWaiting = hasMark(limits, MARKS.waits)
  return changes.some((names) => {
    const has = (mark: string): boolean => names.some((name) => holds(limits, cellOf(mark, name)))
    return has(MARKS.never) || (isRestricted && !has(MARKS.only)) || (isWaiting && !has(MARKS.waits))
  })
}

/** Fingerprints are compared without their kind. */
const cellOf = (mark: string, fingerprint: string): string => mark + fingerprint.slice(1)

function keep(limits: Limits, isKept: (cell: string) => boolean): Limits {
  let kept = NO_LIMITS
  for (let at = 0; at < limits.length; at += CELL) {
    const cell = limits.slice(at, at + CELL)
    if (isKept(cell)) kept += cell
  }
  return kept
}

const withCell = (limits: Limits, cell: string): Limits =>
  limits.length >= LIMITS_MAX * CELL || holds(limits, cell) ? limits : limits + cell

function hasMark(limits: Limits, mark: string): boolean {
  for (let at = 0; at < limits.length; at += CELL) if (limits[at] === mark) return true
  return false
}

function holds(limits: Limits, cell: string): boolean {
  for (let at = limits.indexOf(cell); at >= 0; at = limits.indexOf(cell, at + 1))
    if (at % CELL === 0) return true
  return false
}

/** Whether `text` could have been written here. */
export const isLimitsText = (text: string): boolean =>
  text.length <= LIMITS_MAX * CELL && /^(?:[onw][a-z2-7]{7})*$/.test(text)
