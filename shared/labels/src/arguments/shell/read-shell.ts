import { longPattern } from '../../text/data.js'
import type { Organisation } from '@plimsoll/contracts'
import {
  type Assignment,
  type Command,
  type Redirection,
  type SyntaxNode,
  type Word,
  forEachChild,
  parse,
} from 'unbash'
import { type Effects, does, raise, signal, unreadable } from '../effects.js'
import { isFull } from '../objects.js'
import { readAssignment } from './assignments.js'
import { type Call, type Loose, type ShellContext, createVariables, readSubscript, restOf } from './call.js'
import { opaque } from './programs/irreversible.js'
import { COMMAND_LABELS } from './programs/commands.js'
import {
  choosesTest,
  hasLiveSettings,
  isLiveDatabase,
  isLiveSetting,
  isTestDatabase,
  isTestEnvironment,
  noteLiveRun,
  noteLiveTests,
} from './programs/live.js'
import { mentionsOwn } from './programs/own-mentions.js'
import { isSecretName } from './programs/special.js'
import { notePowershell } from './carried.js'
import { readCall } from './read-call.js'
import { loopsWithin, unrolled } from './loops.js'
import { runsApart } from './own-programs.js'
import { readRedirect, readWritten } from './redirects.js'
import { isMade, isOpenWord, isPattern, isPlainValue, looseOf } from './word.js'

/** Longer texts, in characters, are not parsed. */
const TEXT_MAX = 32_768
/** Here-documents per text. The parser searches for the end of each, so its time would be quadratic. */
const HERE_MAX = 64
/** Syntax characters and substitutions per text. Each creates a node or makes the parser look ahead. */
const SYNTAX_MAX = 1536
const SUBSTITUTIONS_MAX = 384
/** Limits: tree depth, nested shells, and visited nodes in total. */
const TREE_MAX = 64
const NESTED_MAX = 4
const NODES_MAX = 6_000
/** Cost of parsing another text, in nodes. */
const TEXT_NODES = 40

/**
 * Labels a command line by all of its commands, including pipelines, branches, functions and substitutions; the worst counts. An unknown
 * command counts as running code. Text that the parser rejects, or that is too long or too deep, gets the worst labels.
 *
 * @param seen called with each command, some of them more than once
 */
export function readShell(
  text: string,
  effects: Effects,
  organisation: Organisation | undefined,
  seen?: (call: Call) => void,
): void {
  const variables = createVariables()
  const budget = { nodes: NODES_MAX }
  const context: ShellContext = {
    text,
    whole: text,
    mentionsOwn: mentionsOwn(text),
    isApart: runsApart(text),
    isLive: hasLiveSettings(text, effects.world?.production),
    effects,
    organisation,
    depth: 0,
    budget,
    variables,
    piped: false,
    seen,
    nested: readText,
  }
  readText(text, context)
  notePowershell(text, context)
  if (text.length <= EACH_MAX && text.includes('for') && EMPTIES_EACH.test(text)) {
    raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'files are emptied')
    does(effects, 'delete')
  }
  const unmet = variables.unmet()
  if (unmet.has('option')) raise(effects, COMMAND_LABELS.EXECUTE, 'an option that only the run decides')
  if (unmet.has('place')) raise(effects, COMMAND_LABELS.SEND, 'output goes to what only the run decides')
  // Code that is not understood may write anything, and a target may be written and run within the same text.
  const isWriting = (effects.signals['code'] ?? 0) > 0
  if (effects.unread.length > 0 && (isWriting || mayWriteOneOf(effects))) effects.complete = false
  if (!effects.complete || effects.unread.length > 0) signal(effects, 'code', 1)
  if ((effects.signals['runner'] ?? 0) > 0 && (effects.signals['code'] ?? 0) > 0) effects.complete = false
}

/** Longer texts are not searched for loops, in characters. */
const EACH_MAX = 4_096
/** Every file of a folder is emptied: `for f in data/*; do : > $f; done`. Logs grow again. */
const EMPTIES_EACH = longPattern('read-shell.EMPTIES_EACH')

/** Whether a program that is not understood may be written within the same text: by its name, by Git or by what is fetched. */
const mayWriteOneOf = ({ unread, changes, reasons }: Effects): boolean =>
  reasons.some((reason) => /git|request|download|package/i.test(reason)) ||
  unread.some((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return changes.some((names) => names.some((each) => each.endsWith(name)))
  })

function readText(text: string, outer: ShellContext): void {
  const { effects } = outer
  if (text.length > TEXT_MAX || hereDocuments(text) > HERE_MAX || isDense(text))
    return unreadable(effects, 'a command that is too long to read')
  if (outer.depth > NESTED_MAX) return unreadable(effects, 'shells within shells, too deep to read')
  outer.budget.nodes -= TEXT_NODES
  if (outer.budget.nodes < 0) return unreadable(effects, 'a command that is too long to read')
  visit(parse(text), { ...outer, text, depth: outer.depth + 1 }, 0)
}

function hereDocuments(text: string): number {
  let count = 0
  for (let at = text.indexOf('<<'); at >= 0 && count <= HERE_MAX; at = text.indexOf('<<', at + 2)) count += 1
  return count
}

/** Whether a text has more syntax than people or agents write. */
function isDense(text: string): boolean {
  let syntax = 0
  let substitutions = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code > 127 || IS_SYNTAX[code] === 0) continue
    syntax += 1
    if (code === BACKQUOTE || (OPENINGS.has(code) && BRACKETS.has(text.charCodeAt(i + 1)))) substitutions += 1
  }
  return syntax > SYNTAX_MAX || substitutions > SUBSTITUTIONS_MAX
}

const codes = (letters: string): ReadonlySet<number> =>
  new Set(Array.from(letters, (letter) => letter.charCodeAt(0)))
const BACKQUOTE = 96
const SYNTAX = codes('$`&;|<>?*')
const IS_SYNTAX = Uint8Array.from({ length: 128 }, (_, code) => (SYNTAX.has(code) ? 1 : 0))
const OPENINGS = codes('$<>')
const BRACKETS = codes('({')

/** Nodes that the parser parses on access, each time with the rest of the text. Their nesting must stay small. */
const LAZY: ReadonlySet<string> = new Set([
  'CommandExpansion',
  'ParameterExpansion',
  'ArithmeticExpansion',
  'ProcessSubstitution',
])
const LAZY_DEPTH = 8

function visit(node: SyntaxNode, context: ShellContext, depth: number): void {
  const { effects, budget } = context
  budget.nodes -= 1
  if (depth > TREE_MAX || budget.nodes < 0) return unreadable(effects, 'a command that is too deep to read')
  if (node.type === 'Word' && node.parts === undefined) return
  if (node.type === 'Script' && 'errors' in node && node.errors && node.errors.length > 0)
    unreadable(effects, 'a command that cannot be read', context.text)
  readNode(node, context)
  const below = depth + (LAZY.has(node.type) ? LAZY_DEPTH : 1)
  let first = true
  const loops = loopsWithin(node, context.loops, context.whole)
  const within = loops === context.loops ? context : { ...context, loops }
  forEachChild(node, (child) => {
    visit(child, inputOf(node, child, first, within), below)
    first = false
  })
}

function readNode(node: SyntaxNode, context: ShellContext): void {
  const { effects } = context
  if (node.type === 'Command') readCommand(node, context)
  else if (node.type === 'Redirect') readRedirect(node, context)
  else if (node.type === 'Assignment') readAssignment(node, context)
  else if (node.type === 'For' || node.type === 'Select') readLoop(node.name, node.wordlist, context)
  else if (node.type === 'Coproc') raise(effects, COMMAND_LABELS.EXECUTE, 'a command beside the shell')
  else if (node.type === 'SimpleExpansion') readVariable(node.text.slice(1), effects)
  else if (node.type === 'ParameterExpansion') {
    readVariable(node.parameter, effects)
    // `${x@P}` runs substitutions in the value of `x`; `${!x}` runs those in its subscript.
    if (node.operation?.type === 'Transform' || node.prefix === '!')
      raise(effects, COMMAND_LABELS.EXECUTE, 'a variable whose value is expanded')
    if (node.index) readSubscript(node.index.value, context)
  } else if (node.type === 'Slice') {
    for (const word of [node.offset, node.length])
      if (word && !isOpenWord(word)) readSubscript(word.value, context)
  } else if (node.type === 'ArithmeticWord') readArithmetic(node, context)
  else if (node.type === 'TestUnary' || node.type === 'TestBinary') readTest(node, context)
}

/** The context of `child` with its standard input. */
function inputOf(node: SyntaxNode, child: SyntaxNode, first: boolean, context: ShellContext): ShellContext {
  if (context.piped) return context
  const fed =
    (node.type === 'Pipeline' && !first && child.type !== 'Time' && child.type !== 'Negation') ||
    node.type === 'Function' ||
    (node.type === 'Redirected' && child === node.command && node.redirects.some(isInput))
  return fed ? { ...context, piped: true } : context
}

const isInput = (redirect: Redirection): boolean =>
  redirect.type !== 'Redirect' ||
  redirect.operator === '<' ||
  redirect.operator === '<>' ||
  redirect.operator === '<&'

/** Without a word list, a loop uses the arguments of the shell. */
function readLoop(name: Word, words: readonly Word[] | undefined, { variables }: ShellContext): void {
  variables.give(name.value, words !== undefined && words.every(isPlainValue))
}

/** A quoted substitution runs when the word is evaluated as arithmetic; an unquoted one is a node of its own. */
function readArithmetic(node: Extract<SyntaxNode, { type: 'ArithmeticWord' }>, context: ShellContext): void {
  for (const part of node.parts ?? [node]) if ('value' in part) readSubscript(part.value, context)
}

/** Reads tests that run a substitution in a literal: `[[ -v 'a[$(x)]' ]]`, `[[ 'a[$(x)]' -eq 1 ]]`. */
function readTest(
  node: Extract<SyntaxNode, { type: 'TestUnary' | 'TestBinary' }>,
  context: ShellContext,
): void {
  const words = node.type === 'TestUnary' ? [node.operand] : [node.left, node.right]
  for (const word of words) if (!isOpenWord(word)) readSubscript(word.value, context)
}

function readCommand(command: Command, context: ShellContext): void {
  const { name } = command
  if (!name) return readWritten(undefined, command.redirects, context)
  const words: (Word | undefined)[] = []
  const args: string[] = []
  const open: boolean[] = []
  const loose: Loose[] = []
  for (const arg of command.args) {
    const word = arg.type === 'Word' ? arg : undefined
    words.push(word)
    args.push(word ? word.value : arg.text)
    open.push(word ? isOpenWord(word) : isOpenValue(arg as Assignment))
    loose.push(word ? looseOf(word) : undefined)
  }
  const call: Call = {
    name: isOpenWord(name) || isPattern(name) ? '$' : name.value,
    args,
    open,
    loose,
    fed: fedText(command.redirects),
    fedFile: fedFile(command.redirects),
    piped: context.piped || command.redirects.some(isOpenInput),
  }
  const assigned = assignedBy(name.text, call, context)
  if (assigned) return readCall(assigned, context)
  if (isMade(name)) opaque(context.effects, 'a command whose name only the run decides')
  const { objects } = context.effects
  const { length } = objects
  const calls = unrolled(call, words, context.loops)
  for (const each of calls) readOneCommand(each, command, context)
  if (calls.length === 1 || !isFull(context.effects)) return
  // Too many things to tell apart: what they have in common may name them.
  objects.length = length
  readOneCommand(call, command, context)
}

function readOneCommand(call: Call, command: Command, context: ShellContext): void {
  readWritten(call, command.redirects, context)
  const isOfTest =
    (command.prefix.some(setsTest) && !command.prefix.some(dropsCheck)) ||
    (call.name === 'php' && choosesTest(call.args))
  readCall(call, isOfTest ? { ...context, isOfTest } : context)
  const isLive = command.prefix.some(
    (each) => each.type === 'Assignment' && setsLive(each.name, each.value, context),
  )
  if (isLive || context.isLive) noteLiveRun(call, context.effects)
  if (command.prefix.some(givesLiveDatabase)) noteLiveTests(call, context.effects)
}

/** The cmdlet of PowerShell whose result a variable gets: `$p = Start-Process dotnet`. In a shell the text would have to set it before. */
const assignedBy = (name: string, call: Call, { whole }: ShellContext): Call | undefined =>
  call.args[0] === '=' &&
  VARIABLE.test(name) &&
  CMDLET.test(call.args[1] ?? '') &&
  !whole.includes(`${name.slice(1)}=`)
    ? restOf(call, 1)
    : undefined
const VARIABLE = /^\$\w{1,64}$/
const CMDLET = longPattern('read-shell.CMDLET')

const setsTest = (each: Command['prefix'][number]): boolean =>
  each.type === 'Assignment' &&
  each.value.type === 'Word' &&
  !isOpenWord(each.value) &&
  (isTestEnvironment(each.name, each.value.value) || isTestDatabase(each.name, each.value.value))

/** By this a framework takes away what it would keep: a database that is not of tests. */
const dropsCheck = (each: Command['prefix'][number]): boolean =>
  each.type === 'Assignment' && each.name === 'DISABLE_DATABASE_ENVIRONMENT_CHECK'

const givesLiveDatabase = (each: Command['prefix'][number]): boolean =>
  each.type === 'Assignment' &&
  each.value.type === 'Word' &&
  !isOpenWord(each.value) &&
  isLiveDatabase(each.name, each.value.value)

const setsLive = (name: string, value: Assignment['value'], { effects }: ShellContext): boolean =>
  value.type === 'Word' && isLiveSetting(name, value.value, effects.world?.production)

const isOpenValue = ({ value, index }: Assignment): boolean =>
  value.type !== 'Word' || isOpenWord(value) || index !== undefined

/** Whether the input is a file, or text with substitutions. */
function isOpenInput(redirect: Redirection): boolean {
  if (redirect.type === 'HereDoc') return redirect.body.parts?.some(({ type }) => type !== 'Literal') === true
  if (redirect.type === 'HereString') return redirect.target === undefined || isOpenWord(redirect.target)
  return isInput(redirect) && redirect.target?.value !== '/dev/null'
}

/** The file that a command reads as its input, where its name is literal. */
function fedFile(redirects: readonly Redirection[]): string | undefined {
  const found = redirects.find((each) => each.type === 'Redirect' && each.operator === '<')
  const target = found?.type === 'Redirect' ? found.target : undefined
  return target && !isOpenWord(target) ? target.value : undefined
}

/** The literal text of a here-document or here-string. */
function fedText(redirects: readonly Redirection[]): string | undefined {
  const texts = redirects.flatMap((redirect) =>
    redirect.type === 'HereDoc'
      ? [redirect.body.text]
      : redirect.type === 'HereString'
        ? [redirect.target?.value ?? '']
        : [],
  )
  return texts.length > 0 ? texts.join('\n') : undefined
}

function readVariable(name: string, effects: Effects): void {
  if (isSecretName(name)) raise(effects, { confidentiality: 'credentials' }, 'a secret of the environment')
}
