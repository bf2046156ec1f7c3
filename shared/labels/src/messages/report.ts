import { type EventOf, type Fingerprint, type ReportedMessage, ACTS, actSignal } from '@plimsoll/contracts'
import { actsAsked } from '../acts/asked.js'
import type { Fingerprinter } from '../provenance/fingerprinter.js'
import { type Message, messagesIn } from './authored.js'
import { formsOfAuthor } from './authors.js'
import { readSet } from '../text/data.js'
import { wordsOf } from '../tools/words-of.js'
import { delegationOf, writersIn } from './delegation.js'

/** Fingerprints of one author, and of all whom a user says to follow. */
const FORMS_MAX = 8
const FOLLOWED_MAX = 24

/** Reports whom a session's user says to follow, and what they write. */
export interface MessageReports {
  followed(task: string): Pick<EventOf<'session.started'>, 'follows' | 'signals'>
  /** The people of whom a task says that they wrote something, as it names them. */
  writers(task: string): Fingerprint[]
  /** Empty unless the user may have said to follow somebody, and the tool reads messages by its name. */
  messages(tool: string, result: unknown): ReportedMessage[]
}

/** @param isResumed whether the session began elsewhere, so that whom its user says to follow is not known here */
export function createMessageReports(fingerprinter: Fingerprinter, isResumed: boolean): MessageReports {
  let mayFollow = isResumed
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
    messages: (tool, result) =>
      mayFollow
        ? messagesOf(tool, result)
            .map(({ author, text }) => reportOf(author, text, fingerprinter))
            .filter(({ by }) => by.length > 0)
        : NO_MESSAGES,
  }
}

const NO_MESSAGES: ReportedMessage[] = []

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
function messagesOf(tool: string, result: unknown): Message[] {
  const words = wordsOf(tool)
  if (words.some((word) => TOOLS.has(word))) return messagesIn(result)
  return words.some((word) => PLACES.has(word)) && !words.some((word) => FILES.has(word))
    ? messagesIn(result, true)
    : []
}

/** Words in the names of tools that read messages, of those that read places with messages, and of those that read files there. */
const TOOLS = readSet('messages', 'tools')
const PLACES = readSet('messages', 'places')
const FILES = readSet('messages', 'files')
