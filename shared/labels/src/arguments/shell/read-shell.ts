import type { Organisation } from '@plimsoll/contracts'
import { forEachChild, parse, type Command, type Redirection, type SyntaxNode, type Word } from 'unbash'
import { raise, type Effects } from '../effects.js'
import { pathKindOf } from '../paths.js'
import { unreadable } from '../worst.js'
import type { ShellContext } from './call.js'
import { readCall } from './read-call.js'
import { isSecretName } from './special.js'

/** Characters of a command line or script that are parsed. */
const TEXT_MAX = 32_768
/** Here-documents in one text: the parser looks for the end of each, so many of them cost the square. */
const HERE_MAX = 64
/** Depth of the tree, of shells within shells, and nodes looked at in all. */
const TREE_MAX = 64
const NESTED_MAX = 4
const NODES_MAX = 20_000

/**
 * What a command line does: all its commands, in pipelines, branches, functions and substitutions alike; whichever is the worst counts.
 * A command that is not known counts as running code; a text that the parser cannot read, or that is too long or too deep, as the worst.
 */
export function readShell(text: string, effects: Effects, organisation: Organisation | undefined): void {
  const budget = { nodes: NODES_MAX }
  readText(text, { effects, organisation, depth: 0, budget, functions: new Set(), nested: readText })
}

function readText(text: string, outer: ShellContext): void {
  const { effects } = outer
  if (text.length > TEXT_MAX || hereDocuments(text) > HERE_MAX)
    return unreadable(effects, 'a command that is too long to read')
  if (outer.depth > NESTED_MAX) return unreadable(effects, 'shells within shells, too deep to read')
  visit(parse(text), { ...outer, depth: outer.depth + 1 }, 0)
}

function hereDocuments(text: string): number {
  let count = 0
  for (let at = text.indexOf('<<'); at >= 0 && count <= HERE_MAX; at = text.indexOf('<<', at + 2)) count += 1
  return count
}

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
    unreadable(effects, 'a command that cannot be read')
  if (node.type === 'Command') readCommand(node, context)
  else if (node.type === 'Redirect') readRedirect(node, effects)
  else if (node.type === 'Function') context.functions.add(node.name.value)
  else if (node.type === 'SimpleExpansion') readVariable(node.text.slice(1), effects)
  else if (node.type === 'ParameterExpansion') readVariable(node.parameter, effects)
  const below = depth + (LAZY.has(node.type) ? LAZY_DEPTH : 1)
  forEachChild(node, (child) => visit(child, context, below))
}

function readCommand(command: Command, context: ShellContext): void {
  for (const part of command.prefix)
    if (part.type === 'Assignment' && LOADERS.test(part.name))
      raise(
        context.effects,
        { capability: 'execute', reversibility: 'partial' },
        'a variable that makes programs load code',
      )
  const { name } = command
  if (!name) return
  const args: string[] = []
  const open: boolean[] = []
  for (const arg of command.args) {
    args.push(arg.type === 'Word' ? arg.value : arg.text)
    open.push(arg.type === 'Word' ? isOpenWord(arg) : arg.value.type !== 'Word' || isOpenWord(arg.value))
  }
  readCall(
    { name: isOpenWord(name) ? '$' : name.value, args, open, fed: fedText(command.redirects) },
    context,
  )
}

/** Variables by which a program is made to run something else. */
const LOADERS =
  /^(LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|PATH|BASH_ENV|ENV|PROMPT_COMMAND|PYTHONSTARTUP|NODE_OPTIONS|PERL5OPT|RUBYOPT|GIT_SSH(_COMMAND)?|EDITOR|PAGER|IFS)$/

/** Parts of a word that stand for themselves. */
const CLOSED = new Set(['Literal', 'SingleQuoted', 'AnsiCQuoted', 'Glob', 'BraceExpansion', 'ExtendedGlob'])

function isOpenWord(word: Word): boolean {
  if (word.parts === undefined) return false
  return word.parts.some((part) =>
    part.type === 'DoubleQuoted' || part.type === 'LocaleString'
      ? part.parts.some(({ type }) => type !== 'Literal')
      : !CLOSED.has(part.type),
  )
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

function readRedirect(redirect: Extract<Redirection, { type: 'Redirect' }>, effects: Effects): void {
  const { operator, target } = redirect
  if (!target || ((operator === '>&' || operator === '<&') && /^(\d+|-)$/.test(target.value))) return
  const kind = pathKindOf(isOpenWord(target) ? '.' : target.value)
  if (operator !== '<' && operator !== '<&') raise(effects, kind.writes, `output goes to ${kind.name}`)
  if (operator === '<' || operator === '<>' || kind.name.includes('host'))
    raise(effects, kind.reads, `input comes from ${kind.name}`)
}

function readVariable(name: string, effects: Effects): void {
  if (isSecretName(name)) raise(effects, { confidentiality: 'credentials' }, 'a secret of the environment')
}
