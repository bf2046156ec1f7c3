import { readSet, longPattern } from '../../text/data.js'
import type { Redirection } from 'unbash'
import { type Effects, raise, signal } from '../effects.js'
import { PATH_KINDS, pathKindOf } from '../paths.js'
import { noteOwnSettings } from '../own-settings.js'
import { noteRunsLater } from '../runs-later.js'
import { isScript, noteRewritten, noteRun, noteScript } from '../scripts.js'
import { noteWritten } from '../written-code.js'
import { type Call, type ShellContext, createVariables } from './call.js'
import { noteSent } from './programs/acts.js'
import { noteDoor, noteReplacedStartup, noteShellStartup } from './programs/doors.js'
import { actsOnUnnamed } from '../objects.js'
import { COMMANDS } from './programs/commands.js'
import { deletes, isDatabase, noteEmptied } from './programs/deletions.js'
import { noteForbiddenTarget } from './programs/forbidden.js'
import { noteClaimed, noteProbe } from './own-folders.js'
import { beginningOf, isOpenWord } from './word.js'

/** Cost of a redirection in nodes, because its target is read as a path. */
const REDIRECT_NODES = 6

type Redirect = Extract<Redirection, { type: 'Redirect' }>

/** Reads the target of a redirection. One known only at run time may be a place on the network. */
export function readRedirect(redirect: Redirect, { effects, variables, budget }: ShellContext): void {
  const { operator, target } = redirect
  budget.nodes -= REDIRECT_NODES
  if (!target || isDescriptor(redirect)) return
  const beginning = beginningOf(target)
  const isOpen = isOpenWord(target)
  if (isOpen && beginning !== undefined) variables.demand(beginning, 'place')
  const kind = pathKindOf(isOpen && beginning !== undefined ? '.' : target.value)
  if (operator !== '<' && operator !== '<&') raise(effects, kind.writes, `output goes to ${kind.name}`)
  if (operator === '<' || operator === '<>' || kind.name.includes('host'))
    raise(effects, kind.reads, `input comes from ${kind.name}`)
  if (operator === '<' && isScript(target.value)) noteRun(target.value, effects)
}

const isDescriptor = ({ operator, target }: Redirect): boolean =>
  (operator === '>&' || operator === '<&') && /^(\d+-?|-)$/.test(target?.value ?? '')

/** Commands that print their arguments or their input. */
const PRINTS: ReadonlySet<string> = new Set(['echo', 'printf', 'cat', 'tee', ':'])

/** Records the files that the redirections of a command write. */
export function readWritten(
  call: Call | undefined,
  redirects: readonly Redirection[],
  context: ShellContext,
): void {
  const { effects } = context
  for (const redirect of redirects) {
    if (redirect.type !== 'Redirect' || !redirect.target || isDescriptor(redirect)) continue
    if (redirect.operator === '<' || redirect.operator === '<&') continue
    noteForbiddenTarget(redirect.target.value, effects)
    const [, host] = SOCKET.exec(redirect.target.value) ?? []
    if (host !== undefined) noteSent(host, context)
    noteDoor(redirect.target.value, effects)
    const isWhole = redirect.operator !== '>>' && redirect.operator !== '&>>'
    if (isWhole && call && readsItself(call, redirect.target.value)) {
      deletes('a file is emptied before it is read', effects)
      actsOnUnnamed(effects, 'delete', 'path')
    }
    const printed = call ? printedBy(call) : ''
    if (isWhole && (printsNothing(call) || (printed !== undefined && isDatabase(redirect.target.value))))
      noteEmptied(redirect.target.value, effects)
    if (isWhole) noteReplacedStartup(redirect.target.value, effects)
    else noteShellStartup(redirect.target.value, call ? (printedBy(call) ?? '') : '', effects)
    if (isWhole && !isOpenWord(redirect.target)) {
      noteClaimed(redirect.target.value, effects)
      noteProbe(redirect.target.value, effects)
    }
    noteWritten(redirect.target.value, isWhole ? printed : undefined, effects)
    if (printed === undefined && pathKindOf(redirect.target.value) !== PATH_KINDS.sink)
      signal(effects, 'takesAll', 1)
    noteWrittenText(redirect.target.value, printed, isWhole, context)
  }
}

/**
 * Records what a text does that a command writes into a file, when it runs: as far as it is known, and otherwise by the command line that
 * writes it. Within the limits of the text that is read.
 */
export function noteWrittenText(
  path: string,
  text: string | undefined,
  isWhole: boolean,
  context: ShellContext,
): void {
  const { effects, nested } = context
  const read = (command: string, own: Effects): void =>
    nested(command, { ...context, effects: own, variables: createVariables(), piped: false })
  noteOwnSettings(path, text ?? context.text, effects)
  noteRunsLater(path, text ?? context.text, effects, read)
  if (text === undefined) noteRewritten(path, effects)
  else noteScript(path, text, isWhole, effects, read)
}

/** A path by which bash opens a connection. */
const SOCKET = longPattern('redirects.SOCKET')

/** Whether a command reads the file that its output replaces: `jq . a.json > a.json`. */
const readsItself = ({ name, args }: Call, path: string): boolean =>
  name !== 'uniq' &&
  path.includes('.') &&
  args.includes(path) &&
  (READERS.has(name) || COMMANDS.get(name)?.labels.capability === 'read')
const READERS = readSet('shell', 'redirectsReaders')

/** Whether a command surely prints nothing, so that its output empties a file: `> X`, `: > X`, `cat /dev/null > X`. */
const printsNothing = (call: Call | undefined): boolean =>
  call === undefined ||
  call.name === ':' ||
  call.name === 'true' ||
  (call.name === 'echo' && call.args.length === 1 && call.args[0] === '-n') ||
  (call.name === 'cat' && call.args.length === 1 && call.args[0] === '/dev/null')

/** A format of `printf` that is its text, but for ends of lines. */
const PLAIN_FORMAT = /^(?!-)(?:[^\\%]|\\n)*$/

/** The literal text that a command prints; undefined if it is known only at run time or may be changed. */
export function printedBy(call: Call): string | undefined {
  if (!PRINTS.has(call.name) || call.open.includes(true)) return undefined
  const isFed = call.name !== 'echo' && call.name !== 'printf'
  if (isFed && (call.piped || (call.name === 'cat' && call.args.some((arg) => arg !== '-')))) return undefined
  const text = isFed ? (call.fed ?? '') : call.args.join(' ')
  if (call.name === 'printf') return PLAIN_FORMAT.test(text) ? text.replaceAll('\\n', '\n') : undefined
  return (isFed ? /\\\r?\n/ : /\\|^-/).test(text) ? undefined : text
}
