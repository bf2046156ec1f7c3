import type { EventOf, Evidence } from '@plimsoll/contracts'
import { SENSITIVE, TASK } from '../labels/safety-state.js'
import { type Matches, countOf, distinctiveShare } from '../provenance/matches.js'
import { LOOKED_UP_MAX, firstGroupOf, lookUpSources, wasReadAs } from '../provenance/sources.js'
import { GRAMS_MIN, isComplete, isIncomplete, mayHoldUnlistedData, sendsRecords } from './evidence.js'
import type { SessionState } from './session.js'

/** What an outgoing step reports of what it sends. */
type Sent = Pick<EventOf<'step.proposed'>, 'fingerprints' | 'addressed' | 'links' | 'recipients' | 'signals'>

/** How the step goes out. */
export interface Way {
  /** Whether it only reads: a file that it names and that was never seen is then what it reads into. */
  readonly reads: boolean
  /** Whether it sends what cannot be taken back, and is no payment. */
  readonly sends: boolean
  /** Whether the user, or a message that they said to follow, names everyone it goes to. */
  readonly toNamed: boolean
  readonly isPayment: boolean
}

/** The purpose of a payment: `Spotify Premium`, `Rent`. What is looked up: a person, a project. Whom the user named, and their name. */
const NAMES_MAX = 2
/** More names than this in what is sent are content. */
const NAMES_SENT = 3

const FOUND = new Uint8Array(LOOKED_UP_MAX)
const FOUND_OF_LINK = new Uint8Array(LOOKED_UP_MAX)

/**
 * Whether an outgoing step carries sensitive data that the session has read. The people, records and links that it addresses are not
 * content: a record returns by its id to where it came from, and a link that was read is followed. Source: docs/decisions/20261122-line.md.
 *
 * - `present`: an account, an id or a path in its content, three stretches of text, or three names in what is sent to others than the task
 *   names.
 * - `absent`: all that leaves was reported and understood, and either none of it was seen in sensitive data, and the sources hold all such
 *   data; or each value and word of it is known otherwise: named by the task, read where nothing was sensitive, or addressed.
 * - `unknown`: everything else.
 */
export function carriedEvidenceOf(
  state: SessionState,
  matches: Matches,
  { fingerprints = [], addressed = [], links = [], recipients = [], signals }: Sent,
  { reads, sends, toNamed, isPayment }: Way,
): Evidence {
  const about = new Set([...addressed, ...recipients.flat()].map(bitsOf))
  const namesMax = reads || toNamed || isPayment ? NAMES_MAX : 0
  const followed = followedIn(state, links)
  lookUpSources(state.sources, fingerprints, FOUND)
  const count = Math.min(fingerprints.length, LOOKED_UP_MAX)
  let [identifiers, grams, others, unseen, newNames, words] = [0, 0, 0, 0, 0, 0]
  let knowsFile = false
  for (let i = 0; i < count; i++) {
    const fingerprint = fingerprints[i] ?? ''
    const letter = fingerprint.charAt(0)
    const value = bitsOf(fingerprint)
    const bits = FOUND[i] ?? 0
    if (letter === 'w') words++
    if (OF_TOOLS.includes(letter) || (bits & TASK) !== 0 || followed.has(value)) continue
    if (reads && letter === 'p' && bits !== 0) knowsFile = true
    if (reads && (letter === 'p' || letter === 'w')) continue
    if (bits === 0 && letter === 'n') newNames++
    else if (bits === 0 && letter !== 'g') unseen++
    if ((bits & SENSITIVE) === 0 || about.has(value)) continue
    if (IDENTIFIERS.includes(letter) || wasReadAs(state.sources, fingerprint, IDENTIFIERS)) identifiers++
    else if (letter === 'g') grams++
    else if (NAMES.includes(letter)) others++
    else unseen++
  }
  const isList = sends && !toNamed && others >= NAMES_SENT
  if (identifiers > 0 || grams >= GRAMS_MIN || isList) return 'present'
  const sendsWhatItNames = (!reads || knowsFile) && !toNamed && sendsRecords(matches, signals)
  if (!isComplete(signals) || isIncomplete(signals) || sendsWhatItNames) return 'unknown'
  if (grams > 0 || others > namesMax) return 'unknown'
  if (sends && !toNamed && distinctiveShare(matches, 'total') + countOf(matches, 'gram', 'total') === 0)
    return 'unknown'
  // A passage is made of its words, and of a long text not all words are listed.
  const isKnown = unseen === 0 && newNames + others <= namesMax && words < WORDS_LISTED
  return isKnown || toNamed || !mayHoldUnlistedData(state) ? 'absent' : 'unknown'
}

/** A client lists so many words of a step at most. */
const WORDS_LISTED = 20
const OF_TOOLS = 'td'
const IDENTIFIERS = 'cip'
const NAMES = 'aun'
const bitsOf = (fingerprint: string): string => fingerprint.slice(1)

const NONE: ReadonlySet<string> = new Set()

/**
 * The links that were read as a whole, and their parts. A part that was sensitive before the link was read still counts as content: the
 * agent may have put it into the link itself.
 */
function followedIn({ sources }: SessionState, links: readonly (readonly string[])[]): ReadonlySet<string> {
  if (links.length === 0) return NONE
  const followed = new Set<string>()
  for (const link of links) {
    lookUpSources(sources, link, FOUND_OF_LINK)
    const [whole = ''] = link
    if ((FOUND_OF_LINK[0] ?? 0) === 0) continue
    const readAt = firstGroupOf(sources, whole, 0)
    link.forEach((part, i) => {
      const isSensitive = ((FOUND_OF_LINK[i] ?? 0) & SENSITIVE) !== 0
      if (!isSensitive || firstGroupOf(sources, part, SENSITIVE) >= readAt) followed.add(bitsOf(part))
    })
  }
  return followed
}
