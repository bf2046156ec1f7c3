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
import { type Effects, raise, signal, unreadable } from '../effects.js'
import { readAssignment } from './assignments.js'
import { type Call, type Loose, type ShellContext, createVariables, readSubscript } from './call.js'
import { opaque } from './programs/acts.js'
import { COMMAND_LABELS } from './programs/commands.js'
import { isSecretName } from './programs/special.js'
import { readCall } from './read-call.js'
import { readRedirect, readWritten } from './redirects.js'
import { isMade, isOpenWord, isPattern, isPlainValue, looseOf } from './word.js'

/** Characters of a command line or script that are parsed. */
const TEXT_MAX = 32_768
/** Here-documents in one text: the parser looks for the end of each, so many of them cost the square. */
const HERE_MAX = 64
/** Characters of syntax in one text, and substitutions: each is a node of the parser's, or makes it look ahead. */
const SYNTAX_MAX = 1536
const SUBSTITUTIONS_MAX = 384
/** Depth of the tree, of shells within shells, and nodes looked at in all. */
const TREE_MAX = 64
const NESTED_MAX = 4
const NODES_MAX = 6_000
/** What one more text to parse counts as, in nodes. */
const TEXT_NODES = 40

/**
 * What a command line does: all its commands, in pipelines, branches, functions and substitutions alike; whichever is the worst counts.
 * A command that is not known counts as running code; a text that the parser cannot read, or that is too long or too deep, as the worst.
 */
export function readShell(text: string, effects: Effects, organisation: Organisation | undefined): void {
  const variables = createVariables()
  const budget = { nodes: NODES_MAX }
  readText(text, { text, effects, organisation, depth: 0, budget, variables, piped: false, nested: readText })
  const unmet = variables.unmet()
  if (unmet.has('option')) raise(effects, COMMAND_LABELS.EXECUTE, 'an option that only the run decides')
  if (unmet.has('place')) raise(effects, COMMAND_LABELS.SEND, 'output goes to what only the run decides')
  // What runs and is not understood may write anything; a target that is written and run in one text is no more known than code.
  if (!effects.complete) signal(effects, 'code', 1)
  if ((effects.signals['runner'] ?? 0) > 0 && (effects.signals['code'] ?? 0) > 0) effects.complete = false
}

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

/** Whether a text holds more syntax than any command that a person or an agent writes. */
function isDense(text: string): boolean {
  let syntax = 0
  let substitutions = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (SYNTAX.has(code)) syntax += 1
    if (code === BACKQUOTE || (OPENINGS.has(code) && BRACKETS.has(text.charCodeAt(i + 1)))) substitutions += 1
  }
  return syntax > SYNTAX_MAX || substitutions > SUBSTITUTIONS_MAX
}

const codes = (letters: string): ReadonlySet<number> =>
  new Set(Array.from(letters, (letter) => letter.charCodeAt(0)))
const BACKQUOTE = 96
const SYNTAX = codes('$`&;|<>?*')
const OPENINGS = codes('$<>')
const BRACKETS = codes('({')

/** Parts whose inside the parser reads only when it is asked for, all the rest of the text each time: few may lie within each other. */
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
  forEachChild(node, (child) => {
    visit(child, inputOf(node, child, first, context), below)
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
    // `${x@P}` runs the substitutions in the value of `x`; `${!x}` those in its subscript.
    if (node.operation?.type === 'Transform' || node.prefix === '!')
      raise(effects, COMMAND_LABELS.EXECUTE, 'a variable whose value is expanded')
    if (node.index) readSubscript(node.index.value, context)
  } else if (node.type === 'Slice') {
    for (const word of [node.offset, node.length])
      if (word && !isOpenWord(word)) readSubscript(word.value, context)
  } else if (node.type === 'ArithmeticWord') readArithmetic(node, context)
  else if (node.type === 'TestUnary' || node.type === 'TestBinary') readTest(node, context)
}

/** What a part of a text has as its standard input. */
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

/** Without a list of words a loop takes the arguments of the shell. */
function readLoop(name: Word, words: readonly Word[] | undefined, { variables }: ShellContext): void {
  variables.give(name.value, words !== undefined && words.every(isPlainValue))
}

/** A substitution in quotes runs where the word is worked out as arithmetic; one without is a part of its own. */
function readArithmetic(node: Extract<SyntaxNode, { type: 'ArithmeticWord' }>, context: ShellContext): void {
  for (const part of node.parts ?? [node]) if ('value' in part) readSubscript(part.value, context)
}

/** `[[ -v 'a[$(x)]' ]]` and `[[ 'a[$(x)]' -eq 1 ]]` run the substitution. */
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
  const args: string[] = []
  const open: boolean[] = []
  const loose: Loose[] = []
  for (const arg of command.args) {
    const word = arg.type === 'Word' ? arg : undefined
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
    piped: context.piped || command.redirects.some(isOpenInput),
  }
  if (isMade(name)) opaque(context.effects, 'a command whose name only the run decides')
  readWritten(call, command.redirects, context)
  readCall(call, context)
}

const isOpenValue = ({ value, index }: Assignment): boolean =>
  value.type !== 'Word' || isOpenWord(value) || index !== undefined

/** Input from a file, or from a text with substitutions in it. */
function isOpenInput(redirect: Redirection): boolean {
  if (redirect.type === 'HereDoc') return redirect.body.parts?.some(({ type }) => type !== 'Literal') === true
  if (redirect.type === 'HereString') return redirect.target === undefined || isOpenWord(redirect.target)
  return isInput(redirect) && redirect.target?.value !== '/dev/null'
}

/** The text that a here-document or here-string feeds a command, as it is written. */
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
