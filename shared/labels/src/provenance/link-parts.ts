import { FINGERPRINTS_MAX } from '@plimsoll/contracts'
import { type Leaf, linkOf } from './argument-text.js'
import type { FingerprintList } from './fingerprint-list.js'
import type { Candidates } from './values/candidates.js'

/** Parts of a link that are compared each as a whole, links of one step whose parts are, and the shortest part. */
const PARTS_MAX = 8
const LINKS_MAX = 4
const PART_MIN = 3
/** Longer arguments are text for people. */
const ARGUMENT_UNITS_MAX = 1_024
const LINK = 'u'.charCodeAt(0)
const BETWEEN = /[/?&=#;]/

/** What stands between the marks of a link behind its host, decoded. */
export function partsOfLink(link: string): readonly string[] {
  const [, ...parts] = linkOf(link).split(BETWEEN, 2 * PARTS_MAX)
  return parts
    .filter(({ length }) => length >= PART_MIN)
    .slice(0, PARTS_MAX)
    .map(decoded)
}

function decoded(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Adds the parts of the links among `values` that stand in short arguments, as those that a step goes to: a name or password in a query is no
 * value by its letters alone.
 */
export function addLinkParts(
  list: FingerprintList,
  text: string,
  values: Candidates,
  leaves: readonly Leaf[],
): void {
  let left = LINKS_MAX
  let leaf = 0
  for (let at = 0; at < values.count && left > 0; at++) {
    if (values.letter[at] !== LINK) continue
    while ((leaves[leaf]?.end ?? Infinity) <= (values.start[at] ?? 0)) leaf++
    const { start = 0, end = 0 } = leaves[leaf] ?? {}
    if (end - start > ARGUMENT_UNITS_MAX) continue
    left--
    for (const part of partsOfLink(text.slice(values.start[at], values.end[at])))
      if (list.size < FINGERPRINTS_MAX) list.addText('g', part)
  }
}
