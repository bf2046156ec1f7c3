import { CONFIDENTIALITIES } from '@plimsoll/contracts'
import { type Command, type Redirection, type SyntaxNode, type Word, forEachChild, parse } from 'unbash'
import { createEffects } from '../effects.js'
import type { Call } from './call.js'
import { readShell } from './read-shell.js'
import { programsThat } from './programs/command-table.js'

/** Commands of one text that are kept apart. */
const SEGMENTS_MAX = 64
/** Spellings of its commands. */
const SPELLINGS_MAX = 256
const TREE_MAX = 64

/** One command of a compound: `docker compose down` in `cd app && docker compose down | tail -5`. */
export interface Segment {
  /**
   * Its words, one blank between them, without comments and redirections: as they are written; the same, but no blank or operator inside a
   * word is one, so that no text is found in what a word quotes; and like that without quotes.
   */
  readonly forms: readonly string[]
  /** As it is written, but with the beginning of its name, or of an assignment before it, hidden: what is found here leaves one out. */
  readonly masked: readonly string[]
  /** False for a command that only looks, and feeds none that does more. */
  readonly acts: boolean
}

/** The commands of a text. Each part is read when it is asked for, once. */
export interface CommandLine {
  /**
   * All that it runs, each as it is written; what is quoted for another shell is part of the command that starts it. Undefined where that is
   * not certain: text that was not understood, more than 64 commands, a function, a test, arithmetic, a coprocess.
   */
  readonly segments: () => readonly Segment[] | undefined
  /**
   * Each command without quotes and folders, also those inside wrappers, other shells and substitutions; of text that was not understood
   * also what is between operators. Undefined if there are more than 256.
   */
  readonly spellings: () => readonly string[] | undefined
}

/**
 * Splits a command line, for conditions on its text. Never throws; linear in the text, which is read up to the limits of the shell's reader.
 *
 * @example readCommandLine('cd app && docker compose down').segments()?.map(({ forms: [text] }) => text) // ['cd app', 'docker compose down']
 */
export function readCommandLine(text: string): CommandLine {
  if (latest?.text !== text) latest = { text, line: createCommandLine(text) }
  return latest.line
}

/** The specs of a policy ask about one text in turn. */
let latest: { readonly text: string; readonly line: CommandLine } | undefined

function createCommandLine(text: string): CommandLine {
  const read = once(() => readSpellings(text))
  const segments = once(() => (read().isRead ? segmentsOf(text) : undefined))
  return { segments, spellings: () => read().spellings }
}

function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined
  return () => (known ??= { value: read() }).value
}

function readSpellings(text: string): { isRead: boolean; spellings: readonly string[] | undefined } {
  const spellings = new Set<string>()
  const effects = createEffects()
  readShell(text, effects, undefined, (call) => addSpellings(call, spellings))
  const isRead = effects.signals['unreadable'] !== 1
  // A shell runs the lines before an error.
  if (!isRead) for (const part of text.split(SEPARATORS, SPELLINGS_MAX)) add(spellings, part.trim())
  return { isRead, spellings: spellings.size < SPELLINGS_MAX ? [...spellings] : undefined }
}

const SEPARATORS = /[;&|\n()`{}]/

function addSpellings({ name, args }: Call, spellings: Set<string>): void {
  const words = args.length === 0 ? '' : ` ${args.join(' ')}`
  add(spellings, name + words)
  if (name.includes('/')) add(spellings, name.slice(name.lastIndexOf('/') + 1) + words)
}

function add(spellings: Set<string>, spelling: string): void {
  if (spelling !== '' && spellings.size < SPELLINGS_MAX) spellings.add(spelling)
}

/** Nodes whose commands are all nodes below them. */
const PLAIN: ReadonlySet<string> = new Set(
  (
    'Script Statement AndOr Pipeline Negation Time Command Subshell BraceGroup CompoundList Redirected Redirect HereDoc HereDocBody ' +
    'HereString Assignment Word Literal Glob SingleQuoted DoubleQuoted AnsiCQuoted LocaleString SimpleExpansion CommandExpansion ' +
    'ProcessSubstitution BraceExpansion If For While FileDescriptor HereDocDelimiter'
  ).split(' '),
)

/** A command while the text is read: it acts if it feeds a command that does. */
interface Open extends Omit<Segment, 'acts'> {
  acts: boolean
}

function segmentsOf(text: string): readonly Segment[] | undefined {
  const found: Open[] = []
  const isPlain = collect(parse(text), found, 0)
  return isPlain && found.length <= SEGMENTS_MAX ? found : undefined
}

/** Adds the commands below `node`; false if they may not be all. */
function collect(node: SyntaxNode, found: Open[], depth: number): boolean {
  if (depth > TREE_MAX || found.length > SEGMENTS_MAX || !PLAIN.has(node.type)) return false
  if (node.type === 'Word' && node.parts === undefined) return true
  const from = found.length
  if (node.type === 'Command') addCommand(node, found)
  else if (node.type === 'Redirected') for (const redirect of node.redirects) addRedirect(redirect, found)
  else if (node.type === 'For') addVariable(node.name.text, found)
  let isPlain = true
  forEachChild(node, (child) => {
    isPlain &&= collect(child, found, depth + 1)
  })
  if (node.type === 'Pipeline') feed(found, from)
  return isPlain
}

/** What comes through a pipe decides what a command does, as its arguments do. */
function feed(found: readonly Open[], from: number): void {
  const last = found.findLastIndex(({ acts }) => acts)
  for (let i = from; i < last; i += 1) {
    const each = found[i]
    if (each) each.acts = true
  }
}

function addCommand({ prefix, name, args, redirects }: Command, found: Open[]): void {
  const words: Written[] = prefix.flatMap((each) => (each.type === 'Assignment' ? [each] : []))
  if (name) words.push(name)
  words.push(...args)
  const forms = formsOf(words)
  const isSetUp = prefix.length > 0 || setsUp(forms[2])
  const masked = words
    .slice(0, words.length - args.length)
    .map(({ text }, i) => formsOf(words.with(i, { text: HIDDEN + text.slice(1) }))[0])
  if (words.length > 0) found.push({ forms, masked, acts: isSetUp || actsAlone(forms[0]) })
  for (const redirect of redirects) addRedirect(redirect, found)
}

/** A loop sets its variable for all that follows: `for PATH in …`. */
function addVariable(name: string, found: Open[]): void {
  const text = `for ${name}`
  found.push({ forms: [text], masked: [name], acts: true })
}

/** Where the output goes is no part of the command's own text, so a pattern cannot have meant it. */
function addRedirect(redirect: Redirection, found: Open[]): void {
  if (redirect.type !== 'Redirect' || redirect.operator === '<' || redirect.target === undefined) return
  const { operator, target } = redirect
  if (operator.endsWith('&') && /^(?:\d|-)$/.test(target.value)) return
  const forms = formsOf([target]).map((form) => `${operator} ${form}`)
  found.push({ forms, masked: [target.text], acts: actsAlone(`: ${operator} ${target.text}`) })
}

type Written = Pick<Word, 'text'> & { readonly value?: unknown }

/** See `Segment`. */
function formsOf(words: readonly Written[]): readonly [string, string, string] {
  const written = words.map(({ text }) => text.replaceAll('\\\n', ''))
  const values = words.map(({ value }, i) => (typeof value === 'string' ? value : (written[i] ?? '')))
  return [written.join(' '), written.map(maskWord).join(' '), values.map(maskWord).join(' ')]
}

/** Builtins that change what later commands of the same shell do. */
const SETS_UP = programsThat('changes-shell')

/** Also `printf -v PATH x`, `wait -p PATH`, and `command pushd x`. */
function setsUp(command: string): boolean {
  const [name = '', first = ''] = command.replace(/^(?:(?:builtin|command)(?: -p| --)* )+/, '').split(' ')
  return SETS_UP.has(name) || (/^(?:printf|wait)$/.test(name) && /^(?:[-{`]|\$[({])/.test(first))
}

const CREDENTIALS = CONFIDENTIALITIES.indexOf('credentials')

/** Whether a command does more than look. */
function actsAlone(text: string): boolean {
  const effects = createEffects()
  readShell(text, effects, undefined)
  return (
    !effects.complete ||
    effects.capability > 0 ||
    effects.reversibility > 0 ||
    effects.confidentiality >= CREDENTIALS ||
    effects.objects.length > 0 ||
    effects.unread.length > 0
  )
}

/** Stands for a blank or an operator inside a word: no pattern has it. */
const HIDDEN = '\u2423'

const maskWord = (word: string): string => word.replaceAll(/[\s;&|<>()`]/g, HIDDEN)
