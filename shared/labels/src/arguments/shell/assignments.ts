import type { Assignment } from 'unbash'
import { readTable, longPattern } from '../../text/data.js'
import { raise, signal } from '../effects.js'
import { placeOf } from '../web.js'
import { type ShellContext, readSubscript } from './call.js'
import { noteActsOf } from './carried.js'
import { raiseIrreversible } from './programs/irreversible.js'
import { COMMAND_LABELS } from './programs/commands.js'
import { noteForbiddenSetting } from './programs/forbidden.js'
import { isOpenWord, isPlainValue } from './word.js'

const { EXECUTE, SEND } = COMMAND_LABELS

/** Variables that make programs run something else or read other settings. */
const LOADERS = new RegExp(`^(?:${readTable<readonly string[]>('shell', 'loaders').join('|')})$`, 'i')
/** Settings by which hooks of the project that check the work do not run; the second ones only where git would run them. */
const SKIPS_HOOKS = longPattern('assignments.SKIPS_HOOKS')
const SKIPS_OF_COMMIT = longPattern('assignments.SKIPS_OF_COMMIT')
const COMMITS = longPattern('assignments.COMMITS')
/** An installation does not put the hooks in place, which is usual in pipelines. */
const INSTALLS = longPattern('assignments.INSTALLS')
/** Longer texts may do anything, in characters. */
const LINE_MAX = 16_384

function noteSkipped(setting: string, { whole, effects }: ShellContext): void {
  const commits = (): boolean => whole.length > LINE_MAX || COMMITS.test(whole)
  const skips = SKIPS_HOOKS.test(setting)
    ? commits() || !INSTALLS.test(whole)
    : SKIPS_OF_COMMIT.test(setting) && commits()
  if (skips) raiseIrreversible('grant', 'checks of the project are skipped', effects)
}
/** Cost of one assignment, in nodes of the budget. */
const ASSIGNMENT_NODES = 16

const PROXY = /^(?:\w+_)?proxy$/i
const NO_PROXY = /^no_proxy$/i
/** Harmless values of these variables: the old path first, a plain pager, a folder of the project. */
const HARMLESS: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^PATH$/, /^"?\$\{?PATH\}?:/],
  [/^(?:\w*PAGER)$/, /^(?:|cat|less)$/],
  [
    /^PYTHONPATH$/,
    /^(?:\.|(?:\.\/)?[\w-][\w./-]*|"?\$\{?(?:PWD|PYTHONPATH)\}?(?::?(?:[\w./:-]|\$\(pwd\)|\$PWD))*"?)$/,
  ],
  [/^PS[1-4]$/, /^[^$`]*$/],
  [/^IFS$/, /^[\s,;:|\\trn]*$/],
  [/^PYTHONWARNINGS$/, /^\w*$/],
  [/^GIT_TERMINAL_PROMPT$/, /^\d$/],
]

/** Reads the effect of an assignment on later commands, and its value as text that may run later. */
export function readAssignment(assignment: Assignment, context: ShellContext): void {
  const { name, value, index, append } = assignment
  context.budget.nodes -= ASSIGNMENT_NODES
  noteForbiddenSetting(name, context.effects)
  noteSkipped(`${name}=${value.type === 'Word' ? value.value : ''}`, context)
  const isWord = value.type === 'Word'
  context.variables.give(name, isWord && index === undefined && append !== true && isPlainValue(value))
  if (index) readSubscript(index.value, context)
  const words = isWord ? [value] : value.elements
  for (const word of words) readText(word.value, isOpenWord(word), context)
  const text = isWord ? value.value : '('
  if (PROXY.test(name) && !NO_PROXY.test(name)) readProxy(text, isWord && isOpenWord(value), context)
  else if (isLoader(name, text)) noteLoaded(text, context)
}

/** Whether assigning `value` to `name` makes commands run other programs. */
const isLoader = (name: string, value: string): boolean =>
  LOADERS.test(name) && !HARMLESS.some(([names, values]) => names.test(name) && values.test(value))

/** A pager, an editor or its like may be a whole command line: `PAGER='rm -rf src' git log`. */
function noteLoaded(value: string, context: ShellContext): void {
  raise(context.effects, EXECUTE, 'a variable that makes programs load code')
  if (/\s/.test(value.trim())) noteActsOf(value.slice(0, LINE_MAX), undefined, context)
}

/** A substitution kept as literal text may run when the variable is expanded: in arithmetic, a prompt or `eval`. */
function readText(text: string, isOpen: boolean, context: ShellContext): void {
  if (isOpen || !/\$\(|`/.test(text)) return
  raise(context.effects, EXECUTE, 'a variable that holds commands')
  context.nested(`: ${text.replace(/^[^$`]*/, '')}`, context)
}

/** Records a proxy, which receives all later requests. */
export function readProxy(value: string, isOpen: boolean, { effects, organisation }: ShellContext): void {
  if (value === '' && !isOpen) return
  const place = isOpen ? 'outside' : (placeOf(value, organisation) ?? 'outside')
  raise(effects, place === 'outside' ? SEND : EXECUTE, 'requests go through a proxy')
  if (place === 'outside') signal(effects, 'outside', 1)
}

/** Reads `export A=b` and `env A=b`, where the assignment is a word. */
export function readAssignmentWord(word: string, isOpen: boolean, context: ShellContext): void {
  const equals = word.indexOf('=')
  if (equals < 1) return
  const name = word.slice(0, equals)
  const value = word.slice(equals + 1)
  noteForbiddenSetting(name, context.effects)
  noteSkipped(word, context)
  context.variables.give(name, false)
  if (!isOpen) readText(value, false, context)
  if (PROXY.test(name) && !NO_PROXY.test(name)) readProxy(value, isOpen, context)
  else if (isLoader(name, value)) noteLoaded(value, context)
}
