import { longPattern } from '../../text/data.js'
import type { Word, WordPart } from 'unbash'
import { mentionsDeletion } from '../effects.js'
import { type Loose, type VariableName, UNKNOWN_VALUE } from './call.js'

/** Literal parts of a word. */
const CLOSED: ReadonlySet<string> = new Set([
  'Literal',
  'SingleQuoted',
  'AnsiCQuoted',
  'Glob',
  'BraceExpansion',
  'ExtendedGlob',
])
/** Parts that expand to other words. */
const PATTERNS: ReadonlySet<string> = new Set(['Glob', 'BraceExpansion', 'ExtendedGlob'])

/** Variables that hold a number: of the last program, of this shell, of arguments, and how the last command ended. */
const IS_NUMBER = /^"?\$[!$#?]"?$/

/** Whether the word has a variable or substitution, so that its value is known only at run time. A number is as good as known. */
export function isOpenWord(word: Word): boolean {
  if (word.parts === undefined || IS_NUMBER.test(word.text)) return false
  return word.parts.some((part) =>
    part.type === 'DoubleQuoted' || part.type === 'LocaleString'
      ? part.parts.some(({ type }) => type !== 'Literal')
      : !CLOSED.has(part.type),
  )
}

/** Commands that produce text which is not in their arguments, or fetch it. */
const MAKES_TEXT = longPattern('word.MAKES_TEXT')

/**
 * Whether the name of a command is a variable or generated text: `$x -rf /`, `$(printf …) -rf /`, `$(echo rm -rf /)`. `$(which python)` is
 * not, and a file counts as in `sh FILE`.
 */
export const isMade = (word: Word): boolean =>
  isOpenWord(word) &&
  ((!/`|\$\(/.test(word.text) && !word.text.includes('/')) ||
    MAKES_TEXT.test(word.text) ||
    mentionsDeletion(word.text))

/** Whether the word is a pattern: `cur?`, `{curl,-d}`. */
export const isPattern = (word: Word): boolean => word.parts?.some(({ type }) => PATTERNS.has(type)) === true

/** The variables through which the word may become an option or several words; undefined if it cannot. */
export function looseOf(word: Word): Loose {
  if (word.parts === undefined) return undefined
  const names: VariableName[] = []
  let begun = false
  for (const part of word.parts) {
    const found = looseOfPart(part, begun)
    if (found === undefined) {
      // An empty string does not protect the start: `""$x` expands like `$x`.
      begun ||=
        part.type === 'DoubleQuoted' ? part.parts.length > 0 : part.text.length > 2 || part.type === 'Literal'
    } else names.push(...found)
  }
  return names.length > 0 ? names : undefined
}

function looseOfPart(part: WordPart, begun: boolean): Loose {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
    const first = part.parts[0]
    if (part.parts.some((inner) => inner.type === 'SimpleExpansion' && inner.text === '$@'))
      return [UNKNOWN_VALUE]
    return begun || first === undefined || first.type === 'Literal' ? undefined : [variableOf(first)]
  }
  if (part.type === 'BraceExpansion' || part.type === 'ExtendedGlob')
    return begun ? undefined : [UNKNOWN_VALUE]
  if (part.type === 'Glob') return begun || part.kind === 'star' ? undefined : [UNKNOWN_VALUE]
  if (CLOSED.has(part.type) || part.type === 'ProcessSubstitution') return undefined
  // Unquoted, so it may become several words wherever it is.
  return [variableOf(part)]
}

/** The name of a plain variable, or the mark of an unknown value for any other expansion. */
function variableOf(part: WordPart): VariableName {
  if (part.type === 'SimpleExpansion')
    return /^\$[A-Za-z_]\w*$|^\$[?#$!]$/.test(part.text) ? part.text.slice(1) : UNKNOWN_VALUE
  if (part.type === 'ArithmeticExpansion') return '#'
  if (part.type !== 'ParameterExpansion') return UNKNOWN_VALUE
  const { operation, parameter, prefix, index } = part
  if (prefix === '#') return '#'
  if (prefix !== undefined || index !== undefined) return UNKNOWN_VALUE
  return operation === undefined ? parameter : UNKNOWN_VALUE
}

/** The variables at the start of a word. Only the start of a target shows whether it is a network place. */
export function beginningOf(word: Word): Loose {
  const first = word.parts?.[0]
  if (first === undefined) return undefined
  if (first.type === 'DoubleQuoted') {
    const inner = first.parts[0]
    if (inner === undefined) return [UNKNOWN_VALUE]
    return inner.type === 'Literal' ? mayBeDevice(inner.value) : [variableOf(inner)]
  }
  if (first.type === 'Literal' || first.type === 'SingleQuoted' || first.type === 'AnsiCQuoted')
    return mayBeDevice(first.value)
  return [variableOf(first)]
}

/** `/dev/$x` may be a network device; `/tmp/$x` is not. */
const mayBeDevice = (text: string): Loose =>
  '/dev/'.startsWith(text) || text.startsWith('/dev/') ? [UNKNOWN_VALUE] : undefined

/** Whether the word is one plain value: no option, no network place, no second word. */
export function isPlainValue(word: Word): boolean {
  if (isOpenWord(word)) return isPlainSubstitution(word)
  const { value } = word
  return !/^-|\s|^\/dev|[$`]/.test(value) && (!isPattern(word) || /^[\w./*]/.test(value))
}

const PLAIN_COMMANDS = longPattern('word.PLAIN_COMMANDS')

function isPlainSubstitution(word: Word): boolean {
  const [part, second] = word.parts ?? []
  if (part === undefined || second !== undefined) return false
  const inner = part.type === 'DoubleQuoted' && part.parts.length === 1 ? part.parts[0] : part
  return (
    inner?.type === 'CommandExpansion' &&
    PLAIN_COMMANDS.test(inner.text.replace(/^\$\(|^`|\)$|`$/g, '').trim())
  )
}
