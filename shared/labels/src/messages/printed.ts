import { longPattern } from '../text/data.js'

/** Limits for a printed value: depth and number of values within it. */
const DEPTH_MAX = 12
const VALUES_MAX = 4_096

/**
 * The value that a text prints as Python's `repr` does: literals, lists, tuples, dictionaries, and records such as `Issue(id=3, body='…')`, which
 * become objects of their members. The text has to be such a value as a whole. `repr` escapes what would end a string, so that a text within it cannot
 * become a record. Throws for any other text. Linear. Source: https://docs.python.org/3/library/functions.html#repr.
 */
export function readPrinted(text: string): unknown {
  let at = 0
  let left = VALUES_MAX

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const skipTo = (mark: string): boolean => {
    take(SPACE)
    if (text[at] !== mark) return false
    at++
    return true
  }

  /** What stands up to `end`, each by `readOne`. */
  function readUntil<T>(end: string, readOne: () => T): T[] {
    const found: T[] = []
    while (!skipTo(end)) {
      if (found.length > 0 && !skipTo(',')) throw new SyntaxError(NOT_PRINTED)
      if (found.length > 0 && skipTo(end)) break
      found.push(readOne())
    }
    return found
  }

  function readString(): string {
    const literal = take(STRING)
    if (literal === undefined) throw new SyntaxError(NOT_PRINTED)
    return literal.slice(1, -1).replaceAll(ESCAPE, (_, code: string) => ESCAPED[code] ?? code)
  }

  function readMember(depth: number, separator: string, readName: () => string): [string, unknown] {
    const name = readName()
    if (!skipTo(separator)) throw new SyntaxError(NOT_PRINTED)
    return [name, readValue(depth + 1)]
  }

  function readName(): string {
    take(SPACE)
    const name = take(NAME)
    if (name === undefined) throw new SyntaxError(NOT_PRINTED)
    return name
  }

  function readNamed(depth: number): unknown {
    const name = readName()
    if (!skipTo('(')) {
      if (CONSTANTS.has(name)) return undefined
      throw new SyntaxError(NOT_PRINTED)
    }
    return recordOf(readUntil(')', () => readArgument(depth)))
  }

  /** A member of a record; what has no name, as in `datetime(2024, 5, 1)`, is left out. */
  function readArgument(depth: number): [string, unknown] | undefined {
    take(SPACE)
    MEMBER.lastIndex = at
    if (MEMBER.test(text)) return readMember(depth, '=', readName)
    readValue(depth + 1)
    return undefined
  }

  function readKey(): string {
    take(SPACE)
    return readString()
  }

  function readValue(depth: number): unknown {
    if (--left < 0 || depth > DEPTH_MAX) throw new RangeError(NOT_PRINTED)
    if (skipTo('{')) return recordOf(readUntil('}', () => readMember(depth, ':', readKey)))
    if (skipTo('[')) return readUntil(']', () => readValue(depth + 1))
    if (skipTo('(')) return readUntil(')', () => readValue(depth + 1))
    if (text[at] === "'" || text[at] === '"') return readString()
    return take(NUMBER) === undefined ? readNamed(depth) : undefined
  }

  const value = readValue(0)
  take(SPACE)
  if (at < text.length) throw new SyntaxError(NOT_PRINTED)
  return value
}

/** Without a prototype; a name that stands twice is no record's. */
function recordOf(members: readonly ([string, unknown] | undefined)[]): Readonly<Record<string, unknown>> {
  const record = Object.create(null) as Record<string, unknown>
  for (const member of members) {
    if (member === undefined) continue
    if (member[0] in record) throw new SyntaxError(NOT_PRINTED)
    record[member[0]] = member[1]
  }
  return record
}

const NOT_PRINTED = 'the text is no printed value'
const SPACE = /\s*/y
const NAME = /[A-Za-z_][\w.]{0,63}/y
const MEMBER = /[A-Za-z_]\w{0,63}=/y
const NUMBER = /-?\d[\w.+-]{0,63}/y
const CONSTANTS: ReadonlySet<string> = new Set(['True', 'False', 'None', 'nan', 'inf'])
/** A string on one line, in the quotes that `repr` chooses: double ones only around a text with single ones and none of its own. */
const STRING = longPattern('printed.STRING')
const ESCAPE = longPattern('printed.ESCAPE')
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
