import { readSet, longPattern } from '../text/data.js'
import type { ProgramRequest } from './requests.js'

/** What the calls of a program do to files and processes, as the shell says it, and what they ask other hosts for. */
export interface CallReaders {
  /** A command that does the same. */
  readonly command: (words: readonly string[]) => void
  /** A file that is written, with its text where that is a literal. */
  readonly written: (path: string, text: string | undefined, isWhole: boolean) => void
  readonly request: (request: Pick<ProgramRequest, 'method' | 'urls' | 'body'>) => void
}

/** Longer programs are read by their beginning, in characters; calls that are read, and characters of the arguments of one. */
const TEXT_MAX = 65_536
const CALLS_MAX = 64
const ARGUMENTS_MAX = 1024

const MOVES = readSet('code', 'moves')
const COPIES = readSet('code', 'copies')
const WRITES = readSet('code', 'writes')
const APPENDS = readSet('code', 'appends')
const HOSTS = readSet('code', 'asksHosts')

/** A call by its last two names: `os.kill(`, `writeFileSync(`. */
const CALL = longPattern('code-calls.CALL')
/** Names of methods that are read; any other call is skipped. */
const METHODS = new Set([
  ...[MOVES, COPIES, WRITES, APPENDS].flatMap((names) =>
    [...names].map((name) => name.split('.').at(-1) ?? ''),
  ),
  ...'kill killpg delete del post put patch request fetch open Request ajax write_text write_bytes'.split(
    ' ',
  ),
])
/** Words without which no call is read. */
const MAY_CALL = longPattern('code-calls.MAY_CALL')

/**
 * Gives what the calls of a program do, in Python and JavaScript, to the readers of the same acts elsewhere. Only literals and names that the program sets once are
 * known. Linear.
 */
export function readCalls(given: string, readers: CallReaders): void {
  const text = given.length > TEXT_MAX ? given.slice(0, TEXT_MAX) : given
  if (!MAY_CALL.test(text)) return
  let left = CALLS_MAX
  for (const { 0: call, 1: owner = '', 2: name = '', index } of text.matchAll(CALL)) {
    if (!METHODS.has(name)) continue
    if ((left -= 1) < 0) return
    const rest = text.slice(index + call.length, index + call.length + ARGUMENTS_MAX)
    readOne({ owner, name, rest, before: text.slice(Math.max(0, index - 300), index), text }, readers)
  }
}

interface CodeCall {
  /** The name before the last, '' if there is none. */
  readonly owner: string
  readonly name: string
  /** What follows its bracket, and what stands before it. */
  readonly rest: string
  readonly before: string
  readonly text: string
}

function readOne(call: CodeCall, readers: CallReaders): void {
  const { owner, name, rest, text } = call
  const whole = owner === '' ? name : `${owner}.${name}`
  if (MOVES.has(whole) || COPIES.has(whole)) {
    const [from, to] = literalsOf(rest, text)
    if (from !== undefined && to !== undefined) readers.command([MOVES.has(whole) ? 'mv' : 'cp', from, to])
  } else if (WRITES.has(name) || WRITES.has(whole) || APPENDS.has(name)) {
    const [path, content] = literalsOf(rest, text)
    if (path !== undefined) readers.written(path, content, !APPENDS.has(name))
  } else if (name === 'write_text' || name === 'write_bytes') {
    const path = pathBefore(call)
    if (path !== undefined) readers.written(path, literalsOf(rest, text)[0], true)
  } else if (name === 'kill' || name === 'killpg') readKill(whole, rest, readers)
  else readRequestCall(call, readers)
}

const LITERAL = longPattern('code-calls.LITERAL')
const NAME = longPattern('code-calls.NAME')

/** The first two arguments as far as they are literals, or names of one. */
function literalsOf(rest: string, text: string): [string | undefined, string | undefined] {
  const first = valueAt(rest, text)
  if (!first) return [undefined, undefined]
  const [, behind] = /^\s{0,8},([^]*)$/.exec(rest.slice(first.length)) ?? []
  const second = behind === undefined ? undefined : valueAt(behind, text)
  return [first.value, second?.value]
}

function valueAt(rest: string, text: string): { value: string | undefined; length: number } | undefined {
  const literal = LITERAL.exec(rest)
  if (literal) return { value: unescaped(literal[2] ?? ''), length: literal[0].length }
  const name = NAME.exec(rest)
  return name ? { value: assignedTo(name[1] ?? '', text), length: name[0].length } : undefined
}

const unescaped = (text: string): string => text.replaceAll(/\\(["'`\\])/g, '$1').replaceAll('\\n', '\n')

/** The literal that a name is set to, if it is set once. */
function assignedTo(name: string, text: string): string | undefined {
  const found = [...text.matchAll(new RegExp(`(?<![\\w.])${name}\\s{0,4}=(?!=)([^\\n]{0,520})`, 'g'))].slice(
    0,
    2,
  )
  const [only] = found
  return only && found.length === 1
    ? unescaped(LITERAL.exec(only[1] ?? '')?.[2] ?? '') || undefined
    : undefined
}

/** The path whose method is called: `Path('a').write_text(`, `p.write_text(`. */
function pathBefore({ owner, before, text }: CodeCall): string | undefined {
  if (owner !== '') return assignedTo(owner, text)
  const [, argument = ''] = /\bPath\(([^()\n]{1,260})\)\s{0,2}\.?\s{0,2}$/.exec(before) ?? []
  return valueAt(argument, text)?.value
}

/** Reads `os.kill(-1, 9)`, `process.kill(1)` and `os.killpg(…)`. What the program started, or only the run knows, is not read. */
function readKill(whole: string, rest: string, { command }: CallReaders): void {
  if (!/^(?:os|process|signal)\.kill(?:pg)?$|^killpg$/.test(whole)) return
  const [, number, group] = PROCESS_ID.exec(rest) ?? []
  const id = Number(number ?? group)
  if (Number.isNaN(id) || /^[^)]{0,64},\s{0,4}0\s{0,4}\)/.test(rest)) return
  const isGroup = whole.endsWith('killpg')
  // Every program, the first one, and its own group with the agent in it.
  if (isGroup || id === -1 || id === 0) command(['kill', '-9', '-1'])
  else command(['kill', '-9', String(id)])
}

const VERB = longPattern('code-calls.VERB')
const METHOD_MEMBER = longPattern('code-calls.METHOD_MEMBER')
const METHOD_FIRST = longPattern('code-calls.METHOD_FIRST')
const NAMED_FIRST = longPattern('code-calls.NAMED_FIRST')

/** Reads a request that changes something: by its method as a name, the first argument or a member. */
function readRequestCall({ owner, name, rest, text }: CodeCall, { request }: CallReaders): void {
  const within = argumentsOf(rest)
  let method: string | undefined
  let place = within
  if (VERB.test(name)) method = name === 'del' ? 'DELETE' : name.toUpperCase()
  else if (name === 'request' || name === 'open') {
    const [, first, behind = ''] = METHOD_FIRST.exec(within) ?? NAMED_FIRST.exec(within) ?? []
    if (first === undefined && name === 'open') return
    method = first ?? METHOD_MEMBER.exec(within)?.[1]
    if (first !== undefined) place = behind
  } else method = METHOD_MEMBER.exec(within)?.[1]
  if (method === undefined) return
  const url = urlAt(place, text)
  const isOfLibrary =
    HOSTS.has(owner) || name === 'fetch' || name === 'Request' || name === 'ajax' || name === 'open'
  const isAbsolute = url !== undefined && /^https?:\/\//i.test(url)
  // A method of that name with another argument is one of a collection, a router or a client of tests.
  const isOfServer = isOfLibrary && !/^(?:session|client)$/.test(owner)
  if (!isAbsolute && !isOfServer && !(name === 'request' && /\bHTTPS?Connection\(/.test(text))) return
  request({ method: method.toUpperCase(), urls: [url ?? '$'], body: within })
}

/** The arguments of a call, up to its own closing bracket. */
function argumentsOf(rest: string): string {
  let depth = 0
  for (let i = 0; i < rest.length; i += 1) {
    const letter = rest.charAt(i)
    if (letter === '(') depth += 1
    else if (letter === ')' && (depth -= 1) < 0) return rest.slice(0, i)
  }
  return rest
}

/** A URL as far as it is known: its beginning may be a name that is set once. */
function urlAt(place: string, text: string): string | undefined {
  const within = place.replace(URL_FIRST, '')
  const found = valueAt(within, text)
  const joined = found?.value === undefined ? JOINED.exec(within) : null
  if (joined) return `${assignedTo(joined[1] ?? '', text) ?? '$'}${joined[2] ?? ''}`
  const value = found?.value
  const [, name, rest = ''] = /^\$?\{(?:self\.)?(\w{1,64})\}([^]*)$/.exec(value ?? '') ?? []
  return name === undefined ? value : `${assignedTo(name, text) ?? '$'}${rest}`
}

const URL_FIRST = longPattern('code-calls.URL_FIRST')

const JOINED = longPattern('code-calls.JOINED')

const PROCESS_ID = longPattern('code-calls.PROCESS_ID')
