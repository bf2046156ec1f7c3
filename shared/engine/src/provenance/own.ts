/**
 * What a session has made itself, and names of harmful scripts that it wrote, as fingerprints in one bounded text, oldest first: eight
 * characters each, as in `Sources`. What was forgotten is not own.
 */
export type Own = string

export const NOTHING_OWN: Own = ''

const CELL = 8
/** Things that are kept. The oldest go first; harmful scripts that the session wrote go last. */
const OWN_MAX = 64

/** `own` with what a step has made; what is known already is not added twice. */
export function addOwn(own: Own, made: Own): Own {
  let grown = own
  for (let at = 0; at < made.length; at += CELL) {
    const cell = made.slice(at, at + CELL)
    if (holds(grown, cell, READ)) grown = withoutOwn(grown, cell)
    if (!holds(grown, cell)) grown += cell
  }
  return grown.length > OWN_MAX * CELL ? withoutOldest(grown, grown.length / CELL - OWN_MAX) : grown
}

/** `own` without its `count` oldest things. Where all are harmful scripts, what is forgotten leaves a mark: any script may be one of them. */
function withoutOldest(own: Own, count: number): Own {
  let left = count
  const kept = keptOf(own, (cell) => cell.startsWith(WRITTEN) || --left < 0)
  const over = kept.length - OWN_MAX * CELL
  return over > 0 ? FORGOTTEN + kept.slice(over + CELL) : kept
}

/** The cells that `keeps`, in their order. */
function keptOf(own: Own, keeps: (cell: string) => boolean): Own {
  let kept = NOTHING_OWN
  for (let at = 0; at < own.length; at += CELL) {
    const cell = own.slice(at, at + CELL)
    if (keeps(cell)) kept += cell
  }
  return kept
}

/** The kind of a harmful script that was written. */
const WRITTEN = 'd'
const FORGOTTEN = `${WRITTEN}2222222`

/** Names of harmful scripts, as they are kept of what the session wrote. */
export const asWritten = (scripts: Own): Own => {
  let written = NOTHING_OWN
  for (let at = 0; at < scripts.length; at += CELL) written += WRITTEN + scripts.slice(at + 1, at + CELL)
  return written
}

/** Whether harmful scripts were forgotten that the session wrote. */
export const hasForgotten = (own: Own): boolean => own.startsWith(FORGOTTEN)

/** `own` without one thing. */
export const withoutOwn = (own: Own, fingerprint: string): Own =>
  keptOf(own, (cell) => !cell.endsWith(fingerprint.slice(1)))

/** The kind of a harmful script that was read, and not written. */
const READ = 't'

/** `own` with harmful scripts that the session has read, by their names. What it wrote stays written. */
export function addRead(own: Own, scripts: Own): Own {
  let read = NOTHING_OWN
  for (let at = 0; at < scripts.length; at += CELL)
    if (!holds(own, scripts.slice(at, at + CELL))) read += READ + scripts.slice(at + 1, at + CELL)
  return read === NOTHING_OWN ? own : addOwn(withoutOldRead(own, READ_MAX - read.length / CELL), read)
}

/** Scripts that were read and are kept: reading pushes nothing else out. */
const READ_MAX = 16

/** `own` with at most `max` scripts that were read, the latest. */
function withoutOldRead(own: Own, max: number): Own {
  let left = -max
  for (let at = 0; at < own.length; at += CELL) if (own.charAt(at) === READ) left += 1
  return keptOf(own, (cell) => !cell.startsWith(READ) || --left < 0)
}

/** Whether `name` is that of a harmful script which the session has read, and did not write. */
export const isRead = (own: Own, name: string): boolean => holds(own, name, READ)

/** The kind of a file that was fetched from a public page, in `made`. */
const FETCHED = 'u'

/** Whether each file, by one of its names, was fetched from a public page and moved nowhere since. */
export const areFetched = (own: Own, files: readonly (readonly string[])[]): boolean =>
  own !== NOTHING_OWN && files.every((names) => names.some((name) => holds(own, name, FETCHED)))

/** `own` once files may stand in the place of others: what was fetched is not known to be what it was. */
export const withoutFetched = (own: Own): Own =>
  own.includes(FETCHED) ? keptOf(own, (cell) => !cell.startsWith(FETCHED)) : own

/** The fingerprints of an event, as they are kept. */
export const ownOf = (made: readonly string[] | undefined): Own => made?.join('') ?? NOTHING_OWN

/** Whether one of the names of a thing is that of something own. */
export const isOwn = (own: Own, names: readonly string[]): boolean =>
  own !== NOTHING_OWN && names.some((name) => holds(own, name))

/** Fingerprints are compared without their kind, unless `kind` is given. */
function holds(own: Own, fingerprint: string, kind = ''): boolean {
  const value = fingerprint.slice(1)
  for (let at = own.indexOf(value); at >= 0; at = own.indexOf(value, at + 1))
    if (at % CELL === 1 && own.startsWith(kind, at - 1)) return true
  return false
}

/** Whether `text` could have been written here. */
export const isOwnText = (text: string): boolean =>
  text.length <= OWN_MAX * CELL && /^(?:[acupingwtd][a-z2-7]{7})*$/.test(text)
