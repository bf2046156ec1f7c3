import type { Fingerprint } from '@plimsoll/contracts'
import { createTokenScanner } from '../text/tokens.js'
import { type ArgumentText, type Leaf, argumentText, linkOf } from './argument-text.js'
import type { FingerprintList } from './fingerprint-list.js'
import { proposalFingerprints } from './of-proposal.js'

/** Links per step, and characters of one: what a longer one holds counts as content. */
const LINKS_MAX = 4
const LINK_CHARS_MAX = 2_048

const scan = createTokenScanner()

/**
 * For each link among the arguments: the fingerprint of the whole, in the form in which links in a text are found, then those of all that
 * it is made of. Whether the session read it as a whole is for the monitor. Linear in the links.
 */
export function linkFingerprints(
  list: FingerprintList,
  seed: number,
  { text, leaves }: ArgumentText,
): Fingerprint[][] {
  return leaves
    .filter((leaf) => isLink(text, leaf))
    .slice(0, LINKS_MAX)
    .map(({ start, end }) => {
      const value = text.slice(start, end)
      list.addText('u', linkOf(value))
      const [whole] = list.take()
      const parts = proposalFingerprints(list, seed, {
        tool: '',
        description: undefined,
        given: argumentText({ url: value }),
        tokens: scan(value),
      })
      return whole === undefined ? [] : [whole, ...parts.filter((part) => part.slice(1) !== whole.slice(1))]
    })
    .filter((link) => link.length > 0)
}

function isLink(text: string, { start, end, letter }: Leaf): boolean {
  if (end - start > LINK_CHARS_MAX) return false
  const value = text.slice(start, end)
  return letter === 'u' || /^[a-z][a-z0-9+.-]{0,20}:\/\/\S+$/i.test(value)
}
