import type { ReportedLimits } from '@plimsoll/contracts'

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

/**
 * `limits` with those of a further text. A user's text lifts what it asks to change. An agent's only adds: it lifts nothing, and opens no
 * place beside those to which the user restricts changes.
 */
export function limitsAfter(limits: Limits, reported: ReportedLimits, isByUser = true): Limits {
  const { only = [], never = [], waits = [] } = reported
  const allows = (isByUser ? reported.allows : undefined) ?? []
  const lifted = new Set(allows.map((allowed) => cellOf(MARKS.never, allowed)))
  const goes = isByUser && reported.goes === true
  let after = keep(limits, (cell) => !lifted.has(cell) && !(goes && cell.startsWith(MARKS.waits)))
  const isRestricted = hasMark(after, MARKS.only)
  if (isByUser || !isRestricted) for (const place of only) after = withCell(after, cellOf(MARKS.only, place))
  // What a later text asks to change joins the places of an earlier one.
  if (isRestricted) for (const place of allows) after = withCell(after, cellOf(MARKS.only, place))
  for (const name of never) after = withCell(after, cellOf(MARKS.never, name))
  for (const name of waits) after = withCell(after, cellOf(MARKS.waits, name))
  return after
}

/** `limits` as an event reports them; undefined if there are none. */
export function reportOfLimits(limits: Limits): ReportedLimits | undefined {
  const report: Partial<Record<keyof typeof MARKS, string[]>> = {}
  for (const [name, mark] of Object.entries(MARKS))
    for (let at = 0; at < limits.length; at += CELL)
      if (limits[at] === mark)
        (report[name as keyof typeof MARKS] ??= []).push(KIND + limits.slice(at + 1, at + CELL))
  return limits === NO_LIMITS ? undefined : report
}

/** Any kind of a fingerprint will do. */
const KIND = 'p'

/**
 * Whether a change is named that a limit forbids: of what stays as it is, or outside the places that may change. A change without names
 * may be of anything, so that any limit forbids it.
 *
 * @param changes for each change its names, as fingerprints
 */
export function isForbidden(limits: Limits, changes: readonly (readonly string[])[]): boolean {
  if (limits === NO_LIMITS) return false
  const isRestricted = hasMark(limits, MARKS.only)
  const isWaiting = hasMark(limits, MARKS.waits)
  return changes.some((names) => {
    const has = (mark: string): boolean => names.some((name) => holds(limits, cellOf(mark, name)))
    return (
      names.length === 0 ||
      has(MARKS.never) ||
      (isRestricted && !has(MARKS.only)) ||
      (isWaiting && !has(MARKS.waits))
    )
  })
}

/** Whether one of the names is of what stays as it is. */
export const isKept = (limits: Limits, names: readonly string[]): boolean =>
  limits !== NO_LIMITS && names.some((name) => holds(limits, cellOf(MARKS.never, name)))

/** Fingerprints are compared without their kind. */
const cellOf = (mark: string, fingerprint: string): string => mark + fingerprint.slice(1)

function keep(limits: Limits, isLeft: (cell: string) => boolean): Limits {
  let kept = NO_LIMITS
  for (let at = 0; at < limits.length; at += CELL) {
    const cell = limits.slice(at, at + CELL)
    if (isLeft(cell)) kept += cell
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
