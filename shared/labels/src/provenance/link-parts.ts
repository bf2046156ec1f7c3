import { FINGERPRINTS_MAX } from '@plimsoll/contracts'
import { linkOf } from './argument-text.js'
import type { FingerprintList } from './fingerprint-list.js'
import type { Candidates } from './values/candidates.js'

/** Parts of a link that are compared each as a whole, links of one step whose parts are, and the shortest part. */
const PARTS_MAX = 8
const LINKS_MAX = 4
const PART_MIN = 3
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

/** Adds the parts of the links among `values`: a name or password in a query is no value by its letters alone. */
export function addLinkParts(list: FingerprintList, text: string, values: Candidates): void {
  let left = LINKS_MAX
  for (let at = 0; at < values.count && left > 0; at++) {
    if (values.letter[at] !== LINK) continue
    left--
    for (const part of partsOfLink(text.slice(values.start[at], values.end[at])))
      if (list.size < FINGERPRINTS_MAX) list.addText('g', part)
  }
}
