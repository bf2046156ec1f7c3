/** What of a text reads otherwise once it is rewritten: the places that change, each with what stands around it. */
export interface Rewritten {
  /** Empty where nothing changes. */
  readonly text: string
  /** Whether so much of it changes that names and small numbers, which stand everywhere, are hidden in it too. */
  readonly isDense: boolean
}

/** Around a change so much is kept that a value which it stands in is whole, and cut where a word ends. */
const AROUND_UNITS = 48
const EDGE_UNITS_MAX = 64
const DENSE_SHARE = 1 / 8

export const UNCHANGED: Rewritten = { text: '', isDense: false }

/** Rewrites what `found` matches; the far surroundings are left out, for they were read as they stand. Linear. */
export function rewriteAround(
  text: string,
  found: RegExp,
  rewrite: (match: RegExpExecArray) => string,
): Rewritten {
  let rewritten = ''
  let done = -1
  let changed = 0
  for (const match of text.matchAll(found)) {
    const put = rewrite(match)
    if (put === match[0]) continue
    rewritten += before(text, done, match.index) + put
    done = match.index + match[0].length
    changed += match[0].length
  }
  if (done < 0) return UNCHANGED
  rewritten += text.slice(done, edgeAfter(text, done + AROUND_UNITS))
  return { text: rewritten, isDense: changed >= DENSE_SHARE * rewritten.length }
}

/** What stands between the last change and the next: all of it, or the ends. */
function before(text: string, done: number, at: number): string {
  if (done >= 0 && at - done <= 2 * AROUND_UNITS) return text.slice(done, at)
  const from = edgeBefore(text, at - AROUND_UNITS)
  if (done < 0) return text.slice(Math.max(0, from), at)
  const to = edgeAfter(text, done + AROUND_UNITS)
  return to >= from ? text.slice(done, at) : `${text.slice(done, to)}\n${text.slice(from, at)}`
}

function edgeBefore(text: string, at: number): number {
  let edge = at
  while (edge > 0 && at - edge < EDGE_UNITS_MAX && !isSpace(text.charCodeAt(edge - 1))) edge--
  return edge
}

function edgeAfter(text: string, at: number): number {
  let edge = at
  while (edge < text.length && edge - at < EDGE_UNITS_MAX && !isSpace(text.charCodeAt(edge))) edge++
  return edge
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)
