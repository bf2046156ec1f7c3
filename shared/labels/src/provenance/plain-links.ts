import type { Fingerprint } from '@plimsoll/contracts'
import type { Tokens } from '../text/tokens.js'
import type { FingerprintList } from './fingerprint-list.js'
import { type Candidates, letterAt } from './values/candidates.js'

/** Links per text that are looked at, and characters of one. */
const LINKS_MAX = 64
const LINK_CHARS_MAX = 256
/** With more values than this outside of links, it is not known whether a part of a link is among them. */
const OTHERS_MAX = 100

/**
 * A link made of words and short numbers: `drive.example.com/shared/lily_white/document_89454`. A longer number, a query or a random text may
 * be a key to what it leads to.
 */
const PLAIN =
  /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6}(?:\/[a-z]{1,24}(?:[-_.][a-z]{1,24}){0,8}(?:[-_.]?\d{1,5})?|\/\d{1,5}){0,8}\/?$/i

/**
 * Those of `listed` that the text holds in links made of words and nowhere else: a link is a destination, not a secret. `found` are all its
 * values. Linear in the values.
 */
export function plainOf(
  list: FingerprintList,
  text: string,
  { units }: Tokens,
  listed: readonly Fingerprint[],
  found: readonly Candidates[],
): Fingerprint[] {
  const [values] = found
  const links = values === undefined ? [] : plainLinks(text, values)
  if (links.length === 0) return []
  const fingerprintsOf = (isWithin: boolean): ReadonlySet<string> => {
    for (const candidates of found)
      for (let i = 0, link = 0, last = 0; i < candidates.count && list.size <= OTHERS_MAX; i++) {
        const [start, end] = [candidates.start[i] ?? 0, candidates.end[i] ?? 0]
        if (start < last) link = 0
        last = start
        while (link < links.length && (links[link]?.[1] ?? 0) <= start) link++
        const [from = Infinity, to = 0] = links[link] ?? []
        if ((start >= from && end <= to) === isWithin) list.add(letterAt(candidates, i), units, start, end)
      }
    return new Set(list.take().map(valueOf))
  }
  const others = fingerprintsOf(false)
  if (others.size > OTHERS_MAX) return []
  const within = fingerprintsOf(true)
  return listed.filter((each) => within.has(valueOf(each)) && !others.has(valueOf(each)))
}

const valueOf = (fingerprint: Fingerprint): string => fingerprint.slice(1)

/** The plain links in order, each `[start, end)` without its scheme. */
function plainLinks(text: string, candidates: Candidates): (readonly [number, number])[] {
  const links: (readonly [number, number])[] = []
  for (let i = 0; i < candidates.count && links.length < LINKS_MAX; i++) {
    const [start, end] = [candidates.start[i] ?? 0, candidates.end[i] ?? 0]
    if (letterAt(candidates, i) !== 'u' || end - start > LINK_CHARS_MAX) continue
    if (start >= (links.at(-1)?.[1] ?? 0) && PLAIN.test(text.slice(start, end))) links.push([start, end])
  }
  return links
}
