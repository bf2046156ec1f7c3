import { isDataFile } from './paths.js'
import type { Token } from './python-tokens.js'

/** What gives a file a name, unpacks one, or writes one without saying which: what is there afterwards no text tells. */
const MOVES =
  /^(?:renames?|link|symlink|symlink_to|hardlink_to|link_to|extract|extractall|unpack_archive|fdopen|FileIO|NamedTemporaryFile|mkstemp|write_text|write_bytes)$/
/** Functions that write what they are given into a file that their first argument names. */
const SAVES =
  /^(?:to_(?:csv|json|excel|parquet|xml|feather|markdown|html|latex|string|stata)|tofile|save\w*)$/
/** Modules whose `open` takes a path first; that of a path takes how to open it. */
const OPENERS: ReadonlySet<string> = new Set(['io', 'gzip', 'bz2', 'lzma', 'os', 'tarfile', 'zipfile'])
const MODE = /^[rwaxbtU+]{1,4}$/
const WRITE_MODE = /[wax+]/

/**
 * Whether a program that is understood may write a file that a later step runs. A file of data that it names by text is none, any other may
 * be one.
 */
export const mayWriteCode = (tokens: readonly Token[]): boolean =>
  tokens.some(({ kind, text }, i) => {
    if (kind !== 'word') return false
    if (MOVES.test(text)) return true
    if (text !== 'open' && text !== 'replace' && !SAVES.test(text)) return false
    // Under another name it is not seen again.
    if (tokens[i + 1]?.text !== '(') return text !== 'replace' || tokens[i - 2]?.text === 'os'
    const args = argumentsOf(tokens, i + 1)
    if (!args) return true
    if (text === 'open') return opensForWriting(args, tokens[i - 1]?.text === '.' ? tokens[i - 2]?.text : '')
    // `os.replace(a, b)` and `path.replace(b)`: the strings' method of that name takes two texts.
    if (text === 'replace') return tokens[i - 2]?.text === 'os' || args.length < 2
    return args.length > 0 && !isDataName(args[0])
  })

/** Whether `open` with `args` writes anything but a file of data; `owner`: what it is a method of, '' where it is none. */
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

/** Tokens that the arguments of one call may have. */
const ARGUMENTS_MAX = 256

/** The arguments of a call whose bracket stands at `at`; undefined where they are too many, or never end. */
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

/** `'a.csv'`, `f'{month}.csv'`, `folder / 'a.csv'`: a name whose end stands there as text, and is that of data. */
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
