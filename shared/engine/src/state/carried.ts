import type { EventOf, Evidence, Fingerprint } from '@plimsoll/contracts'
import { SENSITIVE, TASK } from '../labels/safety-state.js'
import { type Matches, countOf, distinctiveShare } from '../provenance/matches.js'
import { areFetched } from '../provenance/own.js'
import { LOOKED_UP_MAX, firstGroupOf, isIn, lookUpSources, wasReadAs } from '../provenance/sources.js'
import { GRAMS_MIN, isComplete, isIncomplete, mayHoldUnlistedData, sendsRecords } from './evidence.js'
import type { SessionState } from './session.js'

/** What an outgoing step reports of what it sends. */
type Sent = Pick<
  EventOf<'step.proposed'>,
  'fingerprints' | 'addressed' | 'link' | 'recipients' | 'files' | 'signals'
>

/** How the step goes out. */
export interface Way {
  /** Whether it sends what cannot be taken back, and is no payment. */
  readonly sends: boolean
  readonly isPayment: boolean
  /** Whether the user, or a message that they said to follow, names everyone it goes to. */
  readonly toNamed: boolean
  /** Whether it sends files of the session that may hold what was read. */
  readonly sendsFiles: boolean
}

/** The purpose of a payment: `Spotify Premium`, `Rent`. Whom the user named, and their name. */
const NAMES_MAX = 2
/** More names than this in what is sent are content. */
const NAMES_SENT = 3

/** Where the step's fingerprints were seen: counted, and the classes of each. */
export interface Matched {
  readonly matches: Matches
  readonly found: Uint8Array
}

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
  { matches, found }: Matched,
  sent: Sent,
  { sends, toNamed, isPayment, sendsFiles }: Way,
): Evidence {
  const { fingerprints = [], link = [], signals } = sent
  const namesMax = toNamed || isPayment ? NAMES_MAX : 0
  const followed = followedIn(state, link)
  const count = Math.min(fingerprints.length, LOOKED_UP_MAX)
  let [identifiers, grams, others, unseen, newNames, newWords, words] = [0, 0, 0, 0, 0, 0, 0]
  let [links, knownLinks, unread] = [0, 0, 0]
  for (let i = 0; i < count; i++) {
    const fingerprint = fingerprints[i] ?? ''
    const letter = fingerprint.charAt(0)
    const bits = found[i] ?? 0
    if (letter === 'w') words++
    if (letter === 'u') links++
    if (letter === 'u' && bits !== 0) knownLinks++
    if (OF_TOOLS.includes(letter) || (bits & TASK) !== 0) continue
    if (followed !== NONE && followed.has(bitsOf(fingerprint))) continue
    if (bits === 0 && VALUES.includes(letter)) unread++
    if (bits === 0 && letter === 'n') newNames++
    else if (bits === 0 && letter === 'w') newWords++
    else if (bits === 0 && letter !== 'g') unseen++
    if ((bits & SENSITIVE) === 0 || (isAddressed(sent, fingerprint) && !isSecretName(state, fingerprint)))
      continue
    if (IDENTIFIERS.includes(letter) || wasReadAs(state.sources, fingerprint, IDENTIFIERS)) identifiers++
    else if (letter === 'g') grams++
    else if (NAMES.includes(letter)) others++
    else unseen++
  }
  const isList = sends && !toNamed && others >= NAMES_SENT
  if (identifiers > 0 || grams >= GRAMS_MIN || isList) return 'present'
  // To whom the user named goes what cannot be read as it was read. Another might get what a tool encoded.
  const isUnread =
    signals?.opaque === 1 && toNamed && areNamedFully(state, sent)
      ? unread > 0 || signals.partial === 1
      : isIncomplete(signals)
  if (!isComplete(signals) || isUnread) return 'unknown'
  // What a push sends was read when it was written.
  const paysByIds = isPayment && namesNoFile(sent)
  if (signals?.pushes === 1 ? sendsFiles : !paysByIds && sendsUnknownFiles(state, matches, sent))
    return 'unknown'
  if (grams > 0 || others > namesMax) return 'unknown'
  // Where a tool goes was named nowhere, and what stands behind the host may be anything.
  if (link.length > 0 && links > 1 && knownLinks === 0) return 'unknown'
  if (sends && !toNamed && distinctiveShare(matches, 'total') + countOf(matches, 'gram', 'total') === 0)
    return 'unknown'
  if (!mayHoldUnlistedData(state)) return 'absent'
  if (unseen > 0) return 'unknown'
  // To whom the user named, words may be new. Else each is known: of a long text not all are listed, and a passage is made of its words.
  const isKnown = newWords === 0 && newNames + others <= namesMax && words < WORDS_LISTED
  return isKnown || toNamed ? 'absent' : 'unknown'
}

/**
 * Whether a program of the user's is given sensitive data that was read: values, or stretches of text. The paths of files that it is to work on are
 * none. Never `absent`, as its code is not understood.
 */
export function givenEvidenceOf(fingerprints: readonly string[], found: Uint8Array): Evidence {
  let [values, grams] = [0, 0]
  for (let i = 0; i < fingerprints.length && i < LOOKED_UP_MAX; i++) {
    const letter = fingerprints[i]?.charAt(0) ?? ''
    const bits = found[i] ?? 0
    if ((bits & SENSITIVE) === 0 || (bits & TASK) !== 0 || WITHOUT_VALUE.includes(letter)) continue
    if (letter === 'g') grams++
    else values++
  }
  return values > 0 || grams >= GRAMS_MIN ? 'present' : 'unknown'
}

/** Words, words of tools, and paths. */
const WITHOUT_VALUE = 'wtdp'

/** Whether the task names each recipient as a whole, or by two names: a first name alone may be anybody's. */
const areNamedFully = ({ sources }: SessionState, { recipients = [] }: Sent): boolean =>
  recipients.every((forms) => {
    const named = forms.map((form) => isIn(sources, [form], TASK))
    return named[0] === true || named.filter(Boolean).length > 1
  })

/** Whether the step takes files along that may hold what was read: not what the session fetched from a public page. */
function sendsUnknownFiles(state: SessionState, matches: Matches, { files, signals }: Sent): boolean {
  if (!sendsRecords(matches, signals)) return false
  return files === undefined || state.filesMayHold || state.secretWritten || !areFetched(state.own, files)
}

/** A payment says by ids what is paid, and sends none of those records. */
const namesNoFile = ({ fingerprints = [] }: Sent): boolean =>
  fingerprints.every((fingerprint) => !fingerprint.startsWith('p'))

/** Whether the step only addresses the value, or names a recipient by it. */
function isAddressed({ addressed = [], recipients = [] }: Sent, fingerprint: string): boolean {
  const value = bitsOf(fingerprint)
  const isIt = (each: string): boolean => each.startsWith(value, 1)
  return addressed.some(isIt) || recipients.some((forms) => forms.some(isIt))
}

/** A secret that stands where the name of a place should. */
const isSecretName = ({ sources }: SessionState, fingerprint: Fingerprint): boolean =>
  fingerprint.startsWith('n') && wasReadAs(sources, fingerprint, 'c')

/** A client lists so many words of a step at most. */
const WORDS_LISTED = 20
const OF_TOOLS = 'td'
const IDENTIFIERS = 'cip'
const VALUES = 'uipc'
const NAMES = 'aun'
const bitsOf = (fingerprint: string): string => fingerprint.slice(1)

const NONE: ReadonlySet<string> = new Set()

/**
 * The link that was read as a whole, and its parts. A part that was sensitive before still counts as content, unless it came in a link of the
 * same host: the agent may have put it into the link itself.
 */
function followedIn({ sources }: SessionState, link: readonly string[]): ReadonlySet<string> {
  const [whole] = link
  if (whole === undefined) return NONE
  lookUpSources(sources, link, FOUND_OF_LINK)
  if ((FOUND_OF_LINK[0] ?? 0) === 0) return NONE
  const followed = new Set([bitsOf(whole)])
  const readAt = firstGroupOf(sources, whole, 0)
  for (let i = 1; i + 1 < link.length; i += 2) {
    const [part = '', withHost = ''] = [link[i], link[i + 1]]
    const isSensitive = ((FOUND_OF_LINK[i] ?? 0) & SENSITIVE) !== 0
    const came = isSensitive ? firstGroupOf(sources, part, SENSITIVE) : Infinity
    if (came >= readAt || firstGroupOf(sources, withHost, 0) <= came) followed.add(bitsOf(part))
  }
  return followed
}
