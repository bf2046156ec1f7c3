import type { Scalar } from '../../tools/values.js'
import { wordsOfName } from '../../tools/words-of.js'
import { readSet, longPattern } from '../../text/data.js'

/** Limits of one call: values, nesting depth, characters of a name, of a text that is parsed, and lines of a manifest. */
const VALUES_MAX = 512
const DEPTH_MAX = 8
const NAME_MAX = 64
const TEXT_MAX = 65_536
const LINES_MAX = 1_024

/** A value that a call is given, wherever in its arguments it stands. */
export interface Given {
  /** The argument's or member's name as it is, and its words. */
  readonly name: string
  readonly words: readonly string[]
  /** The value; undefined for an empty record. */
  readonly value: Scalar | undefined
  /** The names of the records that it stands in, outermost first. */
  readonly above: readonly string[]
  /** The members of the innermost of them. */
  readonly beside: Readonly<Record<string, unknown>>
}

/** Arguments that may hold a document as text, by the last word of their names. Texts that are only kept, as files are, are not among them. */
export const DOCUMENTS = readSet('values', 'documents')
/** Those of them that may hold a manifest, a document of lines with names and values. */
const MANIFESTS = readSet('values', 'manifests')

/** Records whose members mean something to programs and people only. */
const KEPT = readSet('values', 'kept')

/** The values of a call's arguments, also within records, lists, JSON and manifests; at most `VALUES_MAX`. Linear in the arguments. */
export function givenIn(args: Readonly<Record<string, unknown>>): readonly Given[] {
  const found: Given[] = []
  const within: Within = { above: NO_WORDS, beside: args }
  for (const name in args) {
    if (found.length >= VALUES_MAX) break
    walk(name, args[name], within, found)
  }
  return found
}

const isFull = (found: readonly Given[], { above }: Within): boolean =>
  found.length >= VALUES_MAX || above.length > DEPTH_MAX

function note(name: string, value: Given['value'], { above, beside }: Within, found: Given[]): void {
  found.push({ name, words: nameWords(name), value, above, beside })
}

function walk(name: string, value: unknown, within: Within, found: Given[]): void {
  if (isFull(found, within) || (typeof value === 'object' && isKept(name))) return
  if (Array.isArray(value)) {
    const inner = { above: [...within.above, name], beside: within.beside }
    for (const each of value.slice(0, VALUES_MAX)) walk(name, each, inner, found)
  } else if (typeof value === 'object' && value !== null)
    walkRecord(name, value as Record<string, unknown>, within, found)
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    const document = typeof value === 'string' ? documentIn(name, value) : undefined
    if (document === undefined) note(name, value, within, found)
    else walk(name, document, { above: [...within.above, name], beside: within.beside }, found)
  }
}

const isKept = (name: string): boolean => KEPT.has(wordsOfName(name.slice(0, NAME_MAX)).join('+'))

function walkRecord(name: string, value: Given['beside'], within: Within, found: Given[]): void {
  // What a policy denies lets nobody in.
  const effect = value['Effect'] ?? value['effect']
  if (typeof effect === 'string' && effect.toLowerCase() === 'deny') return
  const inner = { above: [...within.above, name], beside: value }
  let isEmpty = true
  for (const key in value) {
    if (isFull(found, within)) return
    isEmpty = false
    walk(key, value[key], inner, found)
  }
  if (isEmpty) note(name, undefined, within, found)
}

type Within = Pick<Given, 'above' | 'beside'>

const nameWords = (name: string): readonly string[] => (name.length > NAME_MAX ? NO_WORDS : wordsOfName(name))
const NO_WORDS: readonly string[] = []

/** Whether a name stands anywhere among the arguments: in records, or in the text of a document. */
export function hasName(value: unknown, names: readonly string[], depth = 0): boolean {
  if (typeof value === 'string') return value.length <= TEXT_MAX && includesOne(value, names)
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return false
  let left = VALUES_MAX
  for (const key in value) {
    if ((left -= 1) < 0) return false
    if (names.includes(key) || hasName((value as Record<string, unknown>)[key], names, depth + 1)) return true
  }
  return false
}

function includesOne(text: string, names: readonly string[]): boolean {
  for (const name of names) if (text.includes(name)) return true
  return false
}

/** The records of a text that is JSON or a manifest; undefined if it is another text. */
function documentIn(name: string, text: string): unknown {
  if (text.length < 2 || text.length > TEXT_MAX || name.length > NAME_MAX) return undefined
  const last = wordsOfName(name).at(-1) ?? ''
  if (!DOCUMENTS.has(last)) return undefined
  if (/^\s{0,64}[[{]/.test(text)) {
    try {
      return JSON.parse(text) as unknown
    } catch {
      return undefined
    }
  }
  return MANIFESTS.has(last) && text.includes('\n') ? linesIn(text) : undefined
}

/** A line of a manifest: a name and a value, or a value of the list above. */
const LINE = longPattern('given.LINE')
const ITEM = longPattern('given.ITEM')
const NAMED = longPattern('given.NAMED')

function linesIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = []
  let above = ''
  for (const line of text.slice(0, TEXT_MAX).split('\n', LINES_MAX)) {
    const short = line.slice(0, 400)
    const [, name = '', value = ''] = LINE.exec(short) ?? []
    const item = ITEM.exec(short)?.[1]
    if (name !== '') found.push({ [name]: scalarOf(value.trim()) })
    else if (item !== undefined && above !== '') found.push({ [above]: scalarOf(item.trim()) })
    else above = NAMED.exec(short)?.[1] ?? above
  }
  return found
}

const scalarOf = (text: string): Scalar =>
  text === 'true' ? true : text === 'false' ? false : /^\d{1,12}$/.test(text) ? Number(text) : text
