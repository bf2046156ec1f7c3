import { readSet, longPattern } from '../text/data.js'
import { readPrinted } from './printed.js'

/** Messages of one result that are compared: in one with more nobody is followed. Then: characters of a result and of a message, and depth and number of JSON values. */
const MESSAGES_MAX = 16
const RESULT_CHARS_MAX = 65_536
const MESSAGE_CHARS_MAX = 4_096
const DEPTH_MAX = 12
const VALUES_MAX = 4_096

/** A message in a result: who wrote it, as the result says, and all its text. */
export interface Message {
  readonly author: string
  readonly text: string
}

/**
 * The messages that a result holds: records of JSON or of Python's `repr`, or items of a YAML list, that name an author. Only forms in which a
 * text cannot pretend to be another record count; a result in any other form has none. Linear in the result.
 *
 * @param ofLists whether only records of lists such as `issues` count, as of a tool that reads a repository with its issues
 */
export function messagesIn(result: unknown, ofLists = false): Message[] {
  try {
    if (!ofLists && typeof result === 'string' && result.trimStart().startsWith('- '))
      return result.length > RESULT_CHARS_MAX ? [] : messagesOfList(result.trimStart())
    const value = typeof result === 'string' ? readRecords(result) : result
    return messagesOfRecords(ofLists ? listsOf(value) : [value, ...listsOf(value, true)])
  } catch {
    // No records, or a value with a getter that throws.
    return []
  }
}

/** Throws for a text in another form. */
function readRecords(text: string): unknown {
  const start = text.slice(0, RESULT_CHARS_MAX).trim()
  if (text.length > RESULT_CHARS_MAX || !/^(?:[[{]|[A-Z]\w{0,63}\()/.test(start))
    throw new SyntaxError('no records')
  try {
    return JSON.parse(start)
  } catch {
    return readPrinted(start)
  }
}

const LISTS = readSet('messages', 'lists')

/** The lists of messages among the members of a record, also where one is printed within a text. */
function listsOf(value: unknown, arePrinted = false): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, list]: [string, unknown]) => {
    if (!LISTS.has(name.toLowerCase())) return []
    if (typeof list === 'string') return list.startsWith('[') ? [readRecords(list)] : []
    return !arePrinted && Array.isArray(list) ? [list] : []
  })
}

const AUTHORS = readSet('messages', 'authors')
/** Members of an author that is a record. */
const NAMES = ['email', 'address', 'login', 'username', 'name'] as const

function messagesOfRecords(result: readonly unknown[]): Message[] {
  const found: Message[] = []
  eachRecord(result, (record) => {
    const author = authorOf(record)
    if (author !== undefined) found.push({ author, text: textOfRecord(record) || textOfOnlyPost(record) })
  })
  return found.length > MESSAGES_MAX ? [] : found
}

/** Calls `visit` with each record of a value, also those within others. Throws for too many values, or too deep ones. */
export function eachRecord(result: unknown, visit: (record: object) => void): void {
  let left = VALUES_MAX
  const walk = (value: unknown, depth: number): void => {
    if (--left < 0 || depth > DEPTH_MAX) throw new RangeError('too large')
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) visit(value)
    for (const each of Object.values(value)) walk(each, depth + 1)
  }
  walk(result, 0)
}

/** What the author of a record wrote: its texts, not those of records within it. */
const textOfRecord = (record: object): string =>
  Object.entries(record)
    .filter(([name, value]) => TEXTS.has(name.toLowerCase()) && typeof value === 'string')
    .map(([, value]) => String(value).slice(0, MESSAGE_CHARS_MAX))
    .join('\n')
    .slice(0, MESSAGE_CHARS_MAX)

const TEXTS = readSet('messages', 'members')
/** Members of a post beside its text. */
const OF_POSTS = longPattern('authored.OF_POSTS')

/** The post of a record that has no text of its own, if it is the only one and says of nobody else that they wrote it. */
function textOfOnlyPost(record: object): string {
  const [posts = [], ...others] = Object.values(record).filter(
    (value) => Array.isArray(value) && value.length > 0,
  ) as unknown[][]
  const [post] = posts
  if (others.length > 0 || posts.length !== 1 || typeof post !== 'object' || post === null) return ''
  return Object.keys(post).every((name) => TEXTS.has(name.toLowerCase()) || OF_POSTS.test(name))
    ? textOfRecord(post)
    : ''
}

/** Who wrote a record, as one of its members says. */
export function authorOf(record: object): string | undefined {
  for (const [name, value] of Object.entries(record)) {
    if (!AUTHORS.has(name.toLowerCase())) continue
    if (typeof value === 'string' && value !== '') return value
    if (typeof value !== 'object' || value === null) continue
    // Microsoft's mail: `{ from: { emailAddress: { address } } }`.
    const { emailAddress: inner = value } = value as { emailAddress?: object }
    const named = NAMES.map((each) => (inner as Record<string, unknown>)[each]).find(
      (each) => typeof each === 'string',
    )
    if (typeof named === 'string' && named !== '') return named
  }
  return undefined
}

/**
 * Items begin in the first column, each with the same members in the third; what a value holds is indented further. Any other text is no such
 * list.
 */
function messagesOfList(text: string): Message[] {
  const items: { readonly names: string[]; author: string | undefined; text: string }[] = []
  let isOfText = false
  for (const line of text.split('\n')) {
    const item = line.startsWith('- ') ? { names: [], author: undefined, text: '' } : items.at(-1)
    if (line.startsWith('- ') && item) items.push(item)
    const [, name, given = ''] = MEMBER.exec(line) ?? []
    const value = given.replace(/^(['"])(.*)\1$/, '$2')
    if (name === undefined) {
      // A list as a member, or more of a value.
      if (!item || !/^(?: {2}- | {3,}|$)/.test(line)) return []
      if (isOfText) item.text += `\n${line}`
      continue
    }
    if (!item || item.names.includes(name)) return []
    item.names.push(name)
    isOfText = TEXTS.has(name.toLowerCase())
    if (isOfText) item.text += `\n${value}`
    if (AUTHORS.has(name.toLowerCase())) item.author = value
  }
  const [first] = items
  const isAlike = items.every(({ names }) => names.join() === first?.names.join())
  if (!isAlike || items.length > MESSAGES_MAX) return []
  return items.flatMap((each) =>
    each.author === undefined || each.author === ''
      ? []
      : [{ author: each.author, text: each.text.slice(0, MESSAGE_CHARS_MAX) }],
  )
}

const MEMBER = longPattern('authored.MEMBER')

/** Lines of a letter's head, and how one names who wrote in the languages of mail programs. */
const HEAD_MAX = 16
const HEADER = longPattern('authored.HEADER')
const FROM = longPattern('authored.FROM')
/** Where a text says who wrote it, or quotes a text that does. */
const ANY_FROM = longPattern('authored.ANY_FROM')

/** At how many places a result may say who wrote, counted up to `most`. Linear in the text. */
export function countAuthors(text: string, most: number): number {
  let count = 0
  for (const _ of text.matchAll(ANY_FROM)) if ((count += 1) === most) break
  return count
}

/**
 * The only letter of a result that is plain text: headers, then the rest. No message if another place may say who wrote: the result may hold
 * several letters, and what stands below is then not known to be of the first. Linear in the text.
 *
 * @example letterIn('Subject: Order 7\nFrom: Ann <ann@b.example>\n\nIt came.')?.author // 'Ann <ann@b.example>'
 */
export function letterIn(text: string): Message | undefined {
  if (text.length > RESULT_CHARS_MAX || countAuthors(text, 2) > 1) return undefined
  const letter = text.trimStart()
  for (const line of letter.split('\n', HEAD_MAX)) {
    const [, name = '', author = ''] = HEADER.exec(line.trimEnd()) ?? []
    if (name === '') return undefined
    if (FROM.test(name)) return { author, text: letter }
  }
  return undefined
}
