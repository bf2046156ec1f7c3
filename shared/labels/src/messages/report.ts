import { type EventOf, type Fingerprint, type ReportedMessage, ACTS, actSignal } from '@plimsoll/contracts'
import { actsAsked } from '../acts/asked.js'
import type { Fingerprinter } from '../provenance/fingerprinter.js'
import { type Message, countAuthors, letterIn, messagesIn } from './authored.js'
import { formsOfAuthor } from './authors.js'
import { readSet } from '../text/data.js'
import { keptByName } from '../text/kept.js'
import { wordsOfName } from '../tools/words-of.js'
import { delegationOf, writersIn } from './delegation.js'
import { createWritings } from './returned.js'
import { createSenders, messagesAsked } from './senders.js'

/** Fingerprints of one author, and of all whom a user says to follow. */
const FORMS_MAX = 8
const FOLLOWED_MAX = 24

/** Reports whom a session's user says to follow, and what they write. */
export interface MessageReports {
  followed(task: string): Pick<EventOf<'session.started'>, 'follows' | 'signals'>
  /** The people of whom a task says that they wrote something, as it names them. */
  writers(task: string): Fingerprint[]
  /**
   * Empty unless the user may have said to follow a person, and the tool reads messages by its name.
   *
   * @param text of the result
   * @param isReceipt whether the tool sends: what it returns is no letter
   * @param reads of `asked`
   */
  messages(
    tool: string,
    result: unknown,
    text: string,
    isReceipt: boolean,
    reads: readonly string[],
  ): ReportedMessage[]
  /** The messages for which a tool is asked, if it reads messages by its name. */
  asked(tool: string, args: Readonly<Record<string, unknown>>): readonly string[]
  /** Those of a step's fingerprints that each of its recipients wrote to the session, as far as that is known. */
  returning(
    fingerprints: readonly Fingerprint[] | undefined,
    recipients: readonly (readonly Fingerprint[])[] | undefined,
  ): readonly Fingerprint[]
}

/** @param isResumed whether the session began elsewhere, so that whom its user says to follow is not known here */
export function createMessageReports(fingerprinter: Fingerprinter, isResumed: boolean): MessageReports {
  let mayFollow = isResumed
  const writings = createWritings(fingerprinter)
  const senders = createSenders()
  return {
    followed: (task) => {
      const { isGiven, names } = delegationOf(task)
      mayFollow ||= names.length > 0
      const forms = names.flatMap((name) => [name, ...name.split(/\s+/)])
      return {
        ...(names.length > 0 && { follows: fingerprinter.people(forms).slice(0, FOLLOWED_MAX) }),
        ...(isGiven && { signals: { delegates: 1 } }),
      }
    },
    writers: (task) => fingerprinter.people(writersIn(task).flatMap((name) => [name, ...name.split(/\s+/)])),
    asked: (tool, args) => (isOfMail(tool) ? messagesAsked(tool, args) : NO_IDS),
    messages: (tool, result, text, isReceipt, reads) => {
      const isOfMessages = isOfMail(tool)
      const isFew = !isReceipt && isOfMessages && countAuthors(text, AUTHORS_MAX + 1) <= AUTHORS_MAX
      const found = mayFollow || isFew ? messagesOf(tool, result, isOfMessages) : NO_TEXTS
      const letter = isFew && found.length === 0 ? letterIn(text) : undefined
      const sender = isFew && found.length === 0 && !letter ? senders.of(reads) : undefined
      // A text that says of another who wrote it may hold what others wrote.
      const isOfSender = sender !== undefined && countAuthors(text, 1) === 0
      if (isFew) writings.add(isOfSender ? [{ author: sender, text }] : letter ? [letter] : found)
      if (isOfMessages && !isReceipt) senders.note(tool, result, text)
      return mayFollow
        ? found
            .map((each) => reportOf(each.author, each.text, fingerprinter))
            .filter(({ by }) => by.length > 0)
        : NO_MESSAGES
    },
    returning: writings.returning,
  }
}

/** Whether a tool is one of messages by its name. */
const isOfMail = keptByName((tool: string): boolean => wordsOfName(tool).some((word) => TOOLS.has(word)))

const NO_IDS: readonly string[] = []
const NO_MESSAGES: ReportedMessage[] = []
const NO_TEXTS: readonly Message[] = []

/** Of longer lists no writings are kept: each message would be read twice. */
const AUTHORS_MAX = 4

function reportOf(author: string, text: string, fingerprinter: Fingerprinter): ReportedMessage {
  const orders = actsAsked(text)
  const asks = ACTS.filter((act) => orders[actSignal('asks', act)] === 1)
  return {
    by: fingerprinter.people(formsOfAuthor(author)).slice(0, FORMS_MAX),
    values: fingerprinter.message(text),
    ...(asks.length > 0 && { asks }),
  }
}

/** Messages of a tool that reads some, or a place with lists of them. A file there says who wrote what as it likes. */
function messagesOf(tool: string, result: unknown, isOfMessages: boolean): Message[] {
  if (isOfMessages) return messagesIn(result)
  const words = wordsOfName(tool)
  return words.some((word) => PLACES.has(word)) && !words.some((word) => FILES.has(word))
    ? messagesIn(result, true)
    : []
}

/** Words in the names of tools that read messages, of those that read places with messages, and of those that read files there. */
const TOOLS = readSet('messages', 'tools')
const PLACES = readSet('messages', 'places')
const FILES = readSet('messages', 'files')
