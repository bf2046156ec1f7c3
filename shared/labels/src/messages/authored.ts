import { readSet } from '../text/data.js'

/** Messages of one result that are read, characters of a result and of a message, and depth and number of JSON values. */
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
 * The messages that a result holds: records of JSON, or items of a YAML list, that name an author. Only forms in which a text cannot pretend to
 * be another record count; a result in any other form has none. Linear in the result.
 */
export function messagesIn(result: unknown): Message[] {
  try {
    return typeof result === 'string' ? messagesOfText(result) : messagesOfJson(result)
  } catch {
    // No JSON, or a value with a getter that throws.
    return []
  }
}

function messagesOfText(result: string): Message[] {
  if (result.length > RESULT_CHARS_MAX) return []
  const start = result.trimStart()
  if (start.startsWith('- ')) return messagesOfList(start)
  return /^[[{]/.test(start) ? messagesOfJson(JSON.parse(start)) : []
}

const AUTHORS = readSet('messages', 'authors')
/** Members of an author that is a record. */
const NAMES = ['email', 'address', 'login', 'username', 'name'] as const

function messagesOfJson(result: unknown): Message[] {
  const found: Message[] = []
  let left = VALUES_MAX
  /** Returns the text of `value` that belongs to the record around it: not that of messages within it. */
  const walk = (value: unknown, depth: number): string => {
    if (--left < 0 || depth > DEPTH_MAX || value === null || value === undefined) return ''
    if (typeof value === 'string') return `${value.slice(0, MESSAGE_CHARS_MAX)}\n`
    if (typeof value === 'number' || typeof value === 'boolean') return `${value}\n`
    if (typeof value !== 'object') return ''
    if (Array.isArray(value)) return value.map((each) => walk(each, depth + 1)).join('')
    const author = authorOf(value)
    const text = Object.values(value)
      .map((each) => walk(each, depth + 1))
      .join('')
    if (author === undefined) return text
    if (found.length < MESSAGES_MAX) found.push({ author, text: text.slice(0, MESSAGE_CHARS_MAX) })
    return ''
  }
  walk(result, 0)
  return found
}

function authorOf(record: object): string | undefined {
  for (const [name, value] of Object.entries(record)) {
    if (!AUTHORS.has(name.toLowerCase())) continue
    if (typeof value === 'string' && value !== '') return value
    if (typeof value !== 'object' || value === null) continue
    const named = NAMES.map((each) => (value as Record<string, unknown>)[each]).find(
      (each) => typeof each === 'string',
    )
    if (typeof named === 'string' && named !== '') return named
  }
  return undefined
}

/** Items begin in the first column and their members in the third; what a value holds is indented further. */
function messagesOfList(text: string): Message[] {
  const found: Message[] = []
  let lines: string[] = []
  let author: string | undefined
  const end = (): void => {
    if (author !== undefined && found.length < MESSAGES_MAX)
      found.push({ author, text: lines.join('\n').slice(0, MESSAGE_CHARS_MAX) })
    lines = []
    author = undefined
  }
  for (const line of text.split('\n')) {
    if (line.startsWith('- ')) end()
    else if (!/^(?: {2}|$)/.test(line)) return []
    const [, name = '', value = ''] = MEMBER.exec(line) ?? []
    if (AUTHORS.has(name.toLowerCase()) && value !== '') author = author === undefined ? value : ''
    lines.push(line.slice(2))
  }
  end()
  return found.filter((message) => message.author !== '')
}

const MEMBER = /^(?:- | {2})([A-Za-z_]{1,32}): (?:['"]?)([^'"\s][^'"]{0,200}?)['"]?$/
