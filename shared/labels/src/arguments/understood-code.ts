import { areNamesBound } from './bound-names.js'
import { isDataFile } from './paths.js'
import { type Token, tokensOf } from './python-tokens.js'
import { readSet, longPattern } from '../text/data.js'

/** Calls that rename or unpack files, or write one without naming it. The text does not show which files exist afterwards. */
const FILE_MAKERS = longPattern('understood-code.FILE_MAKERS')
/** Functions that write to the file that their first argument names. */
const SAVES = longPattern('understood-code.SAVES')
/** Modules whose `open` takes the path first; the `open` method of a path object takes the mode first. */
const OPENERS: ReadonlySet<string> = new Set(['io', 'gzip', 'bz2', 'lzma', 'os', 'tarfile', 'zipfile'])
const MODE = /^[rwaxbtU+]{1,4}$/
const WRITE_MODE = /[wax+]/

/** Whether an understood program may write a file that a later step runs. Only files named as literal text with a data extension are safe. */
export const mayWriteCode = (tokens: readonly Token[]): boolean =>
  tokens.some(({ kind, text }, i) => {
    if (kind !== 'word') return false
    if (FILE_MAKERS.test(text)) return true
    if (text !== 'open' && text !== 'replace' && !SAVES.test(text)) return false
    // Under another name the call would not be recognised.
    if (tokens[i + 1]?.text !== '(') return text !== 'replace' || tokens[i - 2]?.text === 'os'
    const args = argumentsOf(tokens, i + 1)
    if (!args) return true
    if (text === 'open') return opensForWriting(args, tokens[i - 1]?.text === '.' ? tokens[i - 2]?.text : '')
    // `os.replace(a, b)` and `path.replace(b)` move files; `str.replace` takes two arguments.
    if (text === 'replace') return tokens[i - 2]?.text === 'os' || args.length < 2
    return args.length > 0 && !isDataName(args[0])
  })

/** Whether `open` with `args` writes anything but a data file. `owner`: the object whose method it is, '' if none. */
function opensForWriting(args: readonly Token[][], owner = ''): boolean {
  if (args.some(([first]) => first?.text === '*')) return true
  const named = (name: string) => args.find((arg) => isKeyword(arg) && arg[0]?.text === name)?.slice(2)
  const placed = args.filter((arg) => !isKeyword(arg))
  const isPathFirst = owner === '' || OPENERS.has(owner)
  const file = named('file') ?? named('filename') ?? placed[0]
  const mode = named('mode') ?? placed[1]
  if (!isPathFirst && mode === undefined && file !== undefined)
    return !(isText(file) && (!MODE.test(textOf(file)) || !WRITE_MODE.test(textOf(file))))
  if (mode === undefined || (isText(mode) && !WRITE_MODE.test(textOf(mode)))) return false
  return !isDataName(file)
}

const isKeyword = ([name, equals]: readonly Token[]): boolean => name?.kind === 'word' && equals?.text === '='

/** Tokens allowed in the arguments of one call. */
const ARGUMENTS_MAX = 256

/** The arguments of the call with its bracket at `at`; undefined if they are too many or not closed. */
function argumentsOf(tokens: readonly Token[], at: number): Token[][] | undefined {
  const args: Token[][] = [[]]
  let depth = 0
  for (const [i, token] of tokens.slice(at, at + ARGUMENTS_MAX).entries()) {
    const sign = token.kind === 'sign' ? token.text : ''
    if (sign !== '' && ')]}'.includes(sign)) depth -= 1
    if (i > 0 && depth === 0) return args.filter((arg) => arg.length > 0)
    if (sign === ',' && depth === 1) args.push([])
    else if (i > 0 && token.kind !== 'line') args.at(-1)?.push(token)
    if (sign !== '' && '([{'.includes(sign)) depth += 1
  }
  return undefined
}

const isText = (arg: readonly Token[]): boolean => arg.length === 1 && arg[0]?.kind === 'string'

const textOf = (arg: readonly Token[]): string => (arg.at(-1)?.text ?? '').replace(/^['"]+|['"]+$/g, '')

/** Whether the name ends in literal text with a data extension: `'a.csv'`, `f'{month}.csv'`, `folder / 'a.csv'`. */
function isDataName(arg: readonly Token[] | undefined): boolean {
  const [last, before] = [arg?.at(-1), arg?.at(-2)]
  if (!arg || last?.kind !== 'string' || /\\|\}['"]+$/.test(last.text) || !isDataFile(textOf(arg)))
    return false
  return (
    arg.length === 1 ||
    before?.text === '+' ||
    before?.text === '/' ||
    (arg.length === 2 && before?.text === 'f')
  )
}

/** Longer programs, in characters, are not understood. */
const TEXT_MAX = 65_536

/** Python modules that only compute or use local files: they cannot start programs, make code or reach the network. */
const MODULES = readSet('code', 'pythonModules')

/** Names that start programs, make code, reach other hosts, or lead to such names. They count in strings too, which may become names. */
const WORDS = readSet('code', 'pythonReaching')
/** Notebook commands, which are not Python. */
const MAGIC = /(?:^|=)[ \t]*[%!]/m
/** Strings that make a path or URL reach another host. */
const REACHES = longPattern('understood-code.REACHES')

/** What an understood Python program does. */
export interface UnderstoodCode {
  /** Imports modules, so a file in its folder could shadow a known module. */
  readonly imports: boolean
  /** Writes files that a later step may run. */
  readonly writesCode: boolean
}

/**
 * Understands Python programs that are certainly harmless: only modules that compute or use local files, and no word that starts programs,
 * makes code or reaches the network. Undefined for any other. If the interpreter `keepsNames` between programs, every name must be bound
 * in this one.
 */
export function understandPython(text: string, keepsNames: boolean): UnderstoodCode | undefined {
  if (text.length > TEXT_MAX || REACHES.test(text) || MAGIC.test(text)) return undefined
  if (/[^\t\n\r\x20-\x7e]/.test(withoutLetters(text))) return undefined
  const tokens = tokensOf(text)
  const isUnderstood =
    tokens !== undefined &&
    areImportsPlain(tokens) &&
    tokens.every(isPlainToken) &&
    areReadsPlain(tokens) &&
    (!keepsNames || areNamesBound(tokens))
  if (!isUnderstood) return undefined
  return { imports: tokens.some(isImport), writesCode: mayWriteCode(tokens) }
}

const isImport = ({ kind, text }: Token): boolean => kind === 'word' && text === 'import'

/** pandas functions that accept a URL as a path. */
const READS = longPattern('understood-code.READS')

/** Whether every possible URL is literal text. A URL built at run time is unknown. */
const areReadsPlain = (tokens: readonly Token[]): boolean =>
  tokens.every(({ text }, i) => {
    if (!READS.test(text)) return true
    const [open, first, next] = [tokens[i + 1]?.text, tokens[i + 2], tokens[i + 3]?.text]
    return (
      open === '(' && (first?.text === ')' || (first?.kind === 'string' && (next === ')' || next === ',')))
    )
  })

/** Python normalises look-alike letters to plain names. The removed characters are safe, because no name can contain them. */
const withoutLetters = (text: string): string => text.replaceAll(PLAIN_SIGNS, '')

/** Whether a token contains no reaching word, in names, strings or escapes. */
function isPlainToken({ kind, text }: Token): boolean {
  if (kind === 'word') return !WORDS.has(text) && !RUNS_UNSEEN.test(text)
  if (kind !== 'string') return true
  if (/\\(?:[xuN]|[0-7]{2})/.test(text) || text.length > 4096) return false
  return !REFLECTS.test(text)
}

/** Whether every import is of a known module. Relative and project modules are unknown. */
function areImportsPlain(tokens: readonly Token[]): boolean {
  for (let i = 0; i < tokens.length; i += 1) {
    const { kind, text } = tokens[i] ?? { kind: 'sign', text: '' }
    if (kind !== 'word' || (text !== 'import' && text !== 'from')) continue
    if (text === 'from' && isYield(tokens, i)) continue
    const end = endOfStatement(tokens, i)
    if (!isPlainImport(tokens.slice(i, end))) return false
    i = end
  }
  return true
}

const isYield = (tokens: readonly Token[], at: number): boolean => {
  const before = tokens[at - 1]?.text
  return before === 'yield' || tokens.slice(Math.max(0, at - 8), at).some(({ text }) => text === 'raise')
}

function endOfStatement(tokens: readonly Token[], at: number): number {
  let depth = 0
  let i = at
  for (; i < tokens.length; i += 1) {
    const text = tokens[i]?.text ?? ''
    if (text === '(') depth += 1
    else if (text === ')') depth -= 1
    else if (depth <= 0 && (text === '\n' || text === ';')) break
  }
  return i
}

/** Accepts `import a.b as c, d` and `from a.b import c, d as e`. */
function isPlainImport(tokens: readonly Token[]): boolean {
  const text = tokens
    .map((token) => token.text)
    .join(' ')
    .replaceAll(' . ', '.')
  const from = /^from ([\w.]+) import (.+)$/s.exec(text)
  if (from)
    return isKnown(from[1] ?? '') && namesOf(from[2] ?? '').every((name) => name !== '*' && !WORDS.has(name))
  const names = /^import (.+)$/s.exec(text)
  return names !== null && namesOf(names[1] ?? '').every(isKnown)
}

const isKnown = (module: string): boolean => MODULES.has(module)

const namesOf = (list: string): string[] =>
  list
    .replaceAll(/[()\n]/g, ' ')
    .split(',')
    .map((name) => name.trim().split(/\s+/)[0] ?? '')
    .filter((name) => name !== '')

const RUNS_UNSEEN = longPattern('understood-code.RUNS_UNSEEN')

const REFLECTS = longPattern('understood-code.REFLECTS')

const PLAIN_SIGNS = longPattern('understood-code.PLAIN_SIGNS')
