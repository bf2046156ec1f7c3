import { longPattern } from '../text/data.js'
import { membersInText } from '../provenance/listed-text.js'
import { authorOf, eachRecord } from './authored.js'

/** Messages of one session whose senders are kept; the oldest go first. */
const SENDERS_MAX = 256
/** Longer results are not read, in characters. */
const RESULT_CHARS_MAX = 32_768
const ID_CHARS_MAX = 128

/** Members by which a list names its mails, and arguments by which a tool is asked for one: not of threads, which several people write. */
const IDS = longPattern('senders.IDS')
/** Words in the names of tools that hold what several people write. */
const OF_SEVERAL = longPattern('senders.OF_SEVERAL')
/** Stands before the id of a message among what a step reads; no path of a script begins so. */
const MARK = 'message:'

/** Who sent the messages that lists showed, by their ids: what a tool then gives for such an id, they wrote. */
export interface Senders {
  /** Keeps what a list of messages says. Only forms in which a text cannot pretend to be another message count. */
  note(tool: string, result: unknown, text: string): void
  /** The sender of the one message that a step read; undefined if a list showed none of its ids, or several. */
  of(reads: readonly string[]): string | undefined
}

export function createSenders(): Senders {
  const senders = new Map<string, string>()
  const keep = (id: unknown, author: string | undefined): void => {
    if ((typeof id !== 'string' && typeof id !== 'number') || author === undefined) return
    const key = String(id)
    if (key === '' || key.length > ID_CHARS_MAX) return
    // An id that two lists give to two senders is no one's.
    senders.set(key, (senders.get(key) ?? author) === author ? author : '')
    if (senders.size > SENDERS_MAX) senders.delete(senders.keys().next().value ?? '')
  }
  return {
    note: (tool, result, text) => {
      if (text.length > RESULT_CHARS_MAX || OF_SEVERAL.test(tool)) return
      const listed = typeof result === 'string' ? membersInText(text) : undefined
      for (const each of listed ?? recordsIn(result, text)) {
        const ids = Object.entries(each).filter(([name]) => IDS.test(name))
        const author = authorOf(each)
        for (const [, id] of ids) keep(id, author)
      }
    },
    of: (reads) => {
      const found = new Set(
        reads.filter((each) => each.startsWith(MARK)).map((each) => senders.get(each.slice(MARK.length))),
      )
      const [author] = found
      return found.size === 1 && author !== '' ? author : undefined
    },
  }
}

/** The records of a result in JSON; none for any other, or for too large a one. */
function recordsIn(result: unknown, text: string): readonly object[] {
  const found: object[] = []
  try {
    if (typeof result !== 'string') eachRecord(result, (record) => found.push(record))
    else if (/^\s{0,8}[[{]/.test(text)) eachRecord(JSON.parse(text), (record) => found.push(record))
  } catch {
    return []
  }
  return found
}

/** The ids of messages for which a tool is asked, among what its step reads. */
export const messagesAsked = (tool: string, args: Readonly<Record<string, unknown>>): readonly string[] =>
  OF_SEVERAL.test(tool)
    ? []
    : Object.entries(args).flatMap(([name, value]) =>
        IDS.test(name) && (typeof value === 'string' || typeof value === 'number') ? [`${MARK}${value}`] : [],
      )
