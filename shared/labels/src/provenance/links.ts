import { longPattern } from '../text/data.js'
import type { Fingerprint } from '@plimsoll/contracts'
import { createTokenScanner } from '../text/tokens.js'
import { type ArgumentText, type Leaf, argumentText, linkOf } from './argument-text.js'
import type { FingerprintList } from './fingerprint-list.js'
import { proposalFingerprints } from './of-proposal.js'
import { partsOfLink } from './link-parts.js'
import { type Candidates, createCandidates } from './values/candidates.js'
import { findParts, hiddenStartsOf } from './values/parts.js'

/** Characters of a link: fingerprints compare no more than the first 512, and what a longer one holds counts as content. */
const LINK_CHARS_MAX = 500

const scan = createTokenScanner()
const found = createCandidates()

/**
 * For the link that a step goes to: the fingerprint of the whole, in the form in which links in a text are found; then for each part of it two
 * fingerprints, of the part and of the part with its host. A step to two places has none, nor a query of a well-known search engine: its words
 * are content, and nobody else stands behind that host. Linear in the link.
 */
export function linkFingerprints(
  list: FingerprintList,
  seed: number,
  { text, leaves }: ArgumentText,
): Fingerprint[] {
  const [link, ...others] = leaves.filter(isDestination)
  if (
    link === undefined ||
    others.length > 0 ||
    link.letter !== 'u' ||
    link.end - link.start > LINK_CHARS_MAX
  )
    return []
  const value = text.slice(link.start, link.end)
  if (SEARCH_ENGINE.test(linkOf(value)) && !LEADS_ON.test(value)) return []
  list.addText('u', linkOf(value))
  const [whole] = list.take()
  if (whole === undefined) return []
  const all = proposalFingerprints(list, seed, {
    tool: '',
    description: undefined,
    given: argumentText({ url: value }),
    tokens: scan(value),
  })
  const withHost = partsWithHost(list, value)
  const parts = all.filter((part) => part.slice(1) !== whole.slice(1))
  // A part that is no value of its own has no form with its host: the whole stands for it.
  return [whole, ...parts.flatMap((part) => [part, withHost.get(part.slice(1)) ?? whole])]
}

/** A query of a search engine that anyone knows. */
const SEARCH_ENGINE = longPattern('links.SEARCH_ENGINE')

/** What makes a search engine go to the first result, another engine or an edit. */
const LEADS_ON = longPattern('links.LEADS_ON')

const isDestination = ({ letter, isTarget }: Leaf): boolean => isTarget && 'acu'.includes(letter)

/** By the value of each part of a link, the fingerprint of it with its host. */
function partsWithHost(list: FingerprintList, value: string): ReadonlyMap<string, Fingerprint> {
  const tokens = scan(value)
  found.clear()
  findParts(tokens, hiddenStartsOf(tokens), found)
  const host = hostOf(linkOf(value))
  const pairs = new Map<string, Fingerprint>()
  for (const part of [...partsIn(found, value, 0, value.length), ...partsOfLink(value)]) {
    list.addText('g', part)
    const [alone] = list.take()
    list.addText('g', host + part)
    const [together] = list.take()
    if (alone !== undefined && together !== undefined) pairs.set(alone.slice(1), together)
  }
  return pairs
}

const hostOf = (link: string): string => /^[^/?#]*/.exec(link)?.[0] ?? ''

function partsIn(parts: Candidates, text: string, from: number, to: number): string[] {
  const within: string[] = []
  for (let i = 0; i < parts.count && within.length < PARTS_MAX; i++) {
    const [start, end] = [parts.start[i] ?? 0, parts.end[i] ?? 0]
    if (start >= from && end <= to) within.push(text.slice(start, end))
  }
  return within
}

/** Links of a result whose parts are kept with their hosts, and parts of one link and of all. */
const LINKS_MAX = 16
const PARTS_MAX = 4
const KEPT_MAX = 32

/**
 * Of the links of a text: fingerprints of their parts with their hosts. So a part that was first read in a link of the same host differs from one
 * that was put into a link. Linear in the values.
 */
export function linkPartsOf(
  list: FingerprintList,
  text: string,
  values: Candidates,
  parts: Candidates,
): Fingerprint[] {
  let links = 0
  for (let i = 0; i < values.count && links < LINKS_MAX && list.size < KEPT_MAX; i++) {
    const [start, end] = [values.start[i] ?? 0, values.end[i] ?? 0]
    if (String.fromCharCode(values.letter[i] ?? 0) !== 'u' || end - start > LINK_CHARS_MAX) continue
    const link = text.slice(start, end)
    const host = hostOf(link)
    if (host.length === link.length) continue
    links++
    for (const part of [...partsIn(parts, text, start, end), ...partsOfLink(link)])
      if (list.size < KEPT_MAX) list.addText('g', host + part)
  }
  return list.take()
}
