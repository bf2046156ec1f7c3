import { PlimsollError } from '@plimsoll/contracts'
import {
  type JSONPath,
  type ModificationOptions,
  type ParseError,
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'

/** Clients' JSON: with comments and trailing commas, which edits keep. */

export const PARSE_OPTIONS = { allowTrailingComma: true } as const

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object in a text; empty for an empty text. Throws `document_invalid` with line and column. */
export function parseObject(text: string, file: string): Record<string, unknown> {
  const errors: ParseError[] = []
  // A byte-order mark, as some editors on Windows write it.
  const value: unknown = parse(text.replace(/^\uFEFF/, ' ') || '{}', errors, PARSE_OPTIONS)
  const [error] = errors
  if (error) {
    const before = text.slice(0, error.offset).split('\n')
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
    throw invalidFile(file, `is not JSON: ${printParseErrorCode(error.error)} at ${place}`)
  }
  if (!isObject(value)) throw invalidFile(file, 'is not a JSON object')
  return value
}

export const invalidFile = (file: string, problem: string): PlimsollError =>
  new PlimsollError('document_invalid', `\`${file}\` ${problem}`)

/** The text with another value at `path`, in its own layout; undefined removes what is there. An empty text is an empty object. */
export function withValue(
  text: string,
  path: JSONPath,
  value: unknown,
  more: ModificationOptions = {},
): string {
  const formattingOptions = {
    insertSpaces: !/^\t/m.test(text),
    tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
  const tree = parseTree(text, [], PARSE_OPTIONS)
  if (value === undefined && (!tree || findNodeAtLocation(tree, path) === undefined)) return text
  const edited = text === '' ? '{}\n' : text
  return applyEdits(edited, modify(edited, path, value, { formattingOptions, ...more }))
}
