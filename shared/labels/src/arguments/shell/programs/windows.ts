import { longPattern } from '../../../text/data.js'
import { raiseWords } from '../../code.js'
import { does, raise, signal } from '../../effects.js'
import { actsOn, actsOnPath, namesOfPath } from '../../objects.js'
import { isScript, noteRun } from '../../scripts.js'
import { type Call, type ShellContext, type Special, quoted } from '../call.js'
import { ownNames } from '../own-folders.js'
import { opaque, raiseIrreversible } from './irreversible.js'
import { COMMAND_LABELS } from './commands.js'
import { isWorking, noteWorkDeleted } from './deletions.js'
import { FORBIDDEN_TAGS, isRoot, noteForbiddenSetting } from './forbidden.js'
import { noteTableActs } from './act-table.js'
import { isTrial } from './looks.js'
import { type Statement, statementsOf } from './powershell-words.js'
import { kindOfCommand, readCmdlet, readMember, withSlashes, writesFile } from './windows-commands.js'

/** Commands of PowerShell and cmd that delete files and folders. `rmdir` does so only with an option of cmd. */
const DELETES: ReadonlySet<string> = new Set('remove-item ri rd del erase rmdir rm'.split(' '))
const OPTION = longPattern('windows.OPTION')
const VALUED = longPattern('windows.VALUED')
const RECURSES = longPattern('windows.RECURSES')
/** Longer texts count as not understood, in characters. */
const TEXT_MAX = 16_384

/** Records deletions by PowerShell or cmd: `Remove-Item -Recurse X`, `rd /s /q X`. O(arguments). */
export function noteWindowsDeletion(
  { name, args }: Pick<Call, 'name' | 'args'>,
  context: ShellContext,
): void {
  const plain = name.toLowerCase()
  if (!DELETES.has(plain)) return
  const isOfUnix = (plain === 'rmdir' || plain === 'rm') && !args.some((arg) => /^\/[sq]$/i.test(arg))
  if (isOfUnix) return
  if (args.some((arg) => /^-(?:WhatIf|wi)$/i.test(arg))) return
  const { effects } = context
  const paths = args
    .filter((arg, i) => !OPTION.test(arg) && !VALUED.test(args[i - 1] ?? ''))
    .flatMap((arg) => arg.split(','))
    .filter((path) => path !== '' && !TEMPORARY.test(path))
  if (paths.length === 0 && args.some((arg) => TEMPORARY.test(arg))) return
  const [, searched] = paths.length === 0 ? (SEARCH.exec(context.whole) ?? []) : []
  if (searched !== undefined && includesBuilt(searched.split(/\s+/))) return
  const isRecursive = args.some((arg) => RECURSES.test(arg))
  raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'files are deleted')
  if (isRecursive && paths.some(isRoot)) raise(effects, { tags: [FORBIDDEN_TAGS.system] })
  for (const path of paths) noteWorkDeleted(path.replaceAll('\\', '/'), isRecursive, effects)
  const lost = paths.filter((path) => !isMade(path.replaceAll('\\', '/'), isRecursive))
  // Without a path it deletes what it is fed: only the run knows what.
  if (lost.length > 0 || (paths.length === 0 && args.length > 0)) does(effects, 'delete')
  for (const path of lost)
    if (!/[$%]/.test(path)) actsOnPath(effects, 'delete', path, ownNames(path, effects))
}

/** A search that feeds a deletion. */
const SEARCH = longPattern('windows.SEARCH')
const TEMPORARY = longPattern('windows.TEMPORARY')
/** A project of .NET builds into `bin` and `obj`. */
const isMade = (path: string, isRecursive: boolean): boolean =>
  isWorking(path, isRecursive) || (isRecursive && /^(?:\.\/)?(?:[\w.-]{1,64}\/){0,4}bin\/?$/.test(path))

/** Commands of PowerShell that take away what they name. */
const TAKES = longPattern('windows.TAKES')

/** Reads `powershell -Command TEXT`, `pwsh -c TEXT`, `-EncodedCommand`. Of its text only acts that are known count; nothing else is understood. */
export const powershell: Special = (call, context) => {
  for (const arg of call.args) raiseWords(arg, context.effects)
  const at = call.args.findIndex((arg) => /^[-/](?:c|command)$/i.test(arg))
  if (call.args.some((arg) => /^[-/]e(?:c|nc\w*)?$/i.test(arg)))
    return opaque(context.effects, 'a shell runs text that is not plain')
  const isBare = at < 0 && call.args.length > 0 && !/^[-/]/.test(call.args[0] ?? '')
  if (at >= 0 || isBare) readStatements(call.args.slice(at + 1).join(' '), context, 'powershell')
}

/** Reads `cmd /c TEXT`. */
export const cmd: Special = (call, context) => {
  for (const arg of call.args) raiseWords(arg, context.effects)
  const at = call.args.findIndex((arg) => /^\/[ck]$/i.test(arg))
  if (at >= 0) readStatements(call.args.slice(at + 1).join(' '), context, 'cmd')
}

/** Whether a search is for what builds make, in the project: `Get-ChildItem src -Include bin,obj`. */
function includesBuilt(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => /^-(?:Include|Filter)$/i.test(arg))
  const end = args.findIndex((arg, i) => i > at && arg.startsWith('-'))
  const names = args
    .slice(at + 1, end < 0 ? undefined : end)
    .flatMap((arg) => arg.split(','))
    .filter((name) => name !== '')
  const isInside = !args.some((arg) => /^(?:[A-Za-z]:|[~\\/]|\.\.|\$)/.test(arg))
  return at >= 0 && isInside && names.length > 0 && names.every((name) => BUILT.test(name))
}

/** Reads the commands of a text of PowerShell or cmd. */
function readStatements(text: string, context: ShellContext, dialect: 'powershell' | 'cmd'): void {
  const { effects } = context
  const statements = text.length > TEXT_MAX ? undefined : statementsOf(text, dialect)
  if (!statements) return opaque(effects, 'a text that is too long to read')
  let before: readonly string[] = []
  let isFedBuilt = false
  for (const statement of statements) {
    readTargets(statement, context)
    const { isFed } = statement
    if (!isFed) {
      before = []
      isFedBuilt = false
    }
    const [name = '', ...args] = commandIn(statement, effects)
    if (name === '') continue
    const isBuilt = isFedBuilt
    isFedBuilt ||= includesBuilt(args)
    if (!(isBuilt && kindOfCommand(name) === 'delete'))
      readStatement({ ...statement, words: [name, ...args] }, before, context, dialect)
    if (!isFed || before.length === 0) before = [name, ...args]
  }
}

/** The words of a statement without what steers it; a variable of the environment that it sets is recorded. */
function commandIn({ words, sets }: Statement, effects: ShellContext['effects']): readonly string[] {
  const [, joined, value] = /^\$(?:env:)?(\w{1,64})=(.*)$/is.exec(words[0] ?? '') ?? []
  const [, name = joined] = /^\$env:(\w{1,64})$/i.exec(sets ?? '') ?? []
  if (name !== undefined && (sets !== undefined || /^\$env:/i.test(words[0] ?? '')))
    noteForbiddenSetting(name, effects)
  const plain = value === undefined ? words : [value, ...words.slice(1)]
  // `for %f in (*) do del %f` and `try { … }`: what follows is the command.
  const steering = WORDS_OF_SYNTAX
  const at = plain.findIndex((word) => !steering.test(word))
  return at < 0 ? [] : plain.slice(at)
}

/** Files that output goes to. A quotation alone is printed. */
function readTargets({ words, targets }: Statement, context: ShellContext): void {
  const isEmpty = words.every((word) => word === '' || /^(?:\$null|type|nul|break|copy)$/i.test(word))
  for (const { path, isWhole } of targets) writesFile(path, isEmpty ? '' : undefined, isWhole, context)
}

function readStatement(
  statement: Statement,
  before: readonly string[],
  context: ShellContext,
  dialect: 'powershell' | 'cmd',
): void {
  const { effects } = context
  const [word = '', ...args] = statement.words
  const name = (/^[A-Za-z]:[\\/]/.test(word) ? (word.split(/[\\/]/).at(-1) ?? word) : word).replace(
    /\.(?:exe|cmd|bat)$/i,
    '',
  )
  const plain = name.toLowerCase()
  for (const each of statement.words) {
    const deleted = readMember(each, placesIn(before), context)
    if (deleted.length > 0)
      noteWindowsDeletion({ name: 'remove-item', args: [...deleted, '-Recurse'] }, context)
  }
  if (plain === 'cmd' && /^\/[ck]$/i.test(args[0] ?? ''))
    return readStatements(args.slice(1).join(' '), context, 'cmd')
  if (plain === 'powershell' || plain === 'pwsh') return context.nested(quoted([plain, ...args]), context)
  if (/^(?:Invoke-Expression|iex)$/i.test(name)) return opaque(effects, 'text is run as commands')
  if (/^Send-MailMessage$/i.test(name)) return sendsMail(effects)
  if (isScript(name)) return noteRun(name, effects)
  const kind = kindOfCommand(name)
  if (kind === 'delete') return readDeletion(statement, name, args, before, context, dialect)
  if (kind !== undefined && kind !== 'none') readCmdlet(kind, statement, before, context)
  if (plain === 'taskkill') return noteTableActs({ name: 'pkill', args: imagesIn(args) }, effects)
  if (kind !== undefined || !/^[\w.:~\\/-]{1,256}$/.test(name)) return
  noteTableActs({ name, args }, effects)
  if (TAKES.test(name) || /^Remove-ItemProperty$/i.test(name)) return takesAway(name, args, effects)
  if (plain === 'vssadmin' && args[0]?.toLowerCase() === 'delete')
    return raiseIrreversible('delete', 'a command that deletes copies', effects)
  // The programs of other systems take the same words here.
  if (!CMDLET.test(name)) context.nested(quoted([withSlashes(name), ...args.map(withSlashes)]), context)
}

function sendsMail(effects: ShellContext['effects']): void {
  raise(effects, COMMAND_LABELS.SEND, 'a mail')
  signal(effects, 'outside', 1)
  does(effects, 'send')
}

/** A command by a verb of PowerShell: no program. */
const CMDLET = longPattern('windows.CMDLET')

const imagesIn = (args: readonly string[]): readonly string[] =>
  args.filter((_, i) => /^\/im$/i.test(args[i - 1] ?? '')).map((image) => image.replace(/\.exe$/i, ''))

/** Places that a command looks through. */
const placesIn = (words: readonly string[]): readonly string[] =>
  words
    .slice(1)
    .filter(
      (arg, i, all) =>
        /^(?:[A-Za-z]:|[.~\\/]|\$env:|[\w.-]+$)/.test(arg) &&
        !arg.startsWith('-') &&
        !VALUED.test(all[i - 1] ?? ''),
    )

function readDeletion(
  { isFed }: Statement,
  name: string,
  args: readonly string[],
  before: readonly string[],
  context: ShellContext,
  dialect: 'powershell' | 'cmd',
): void {
  const { objects } = context.effects
  const { length } = objects
  noteWindowsDeletion({ name: dialect === 'powershell' ? 'remove-item' : name, args }, context)
  // What is fed lies in what the statement before looks through.
  const isWithout = !args.some((arg) => !OPTION.test(arg) && !arg.startsWith('$_'))
  if (!isFed || !isWithout || objects.length > length) return
  if (args.every((arg) => arg.startsWith('$_')))
    raiseIrreversible('delete', 'files are deleted', context.effects)
  for (const path of placesIn(before)) actsOnPath(context.effects, 'delete', path)
}

function takesAway(name: string, args: readonly string[], effects: ShellContext['effects']): void {
  if (isTrial({ name, args })) return
  const things = args.filter((arg) => !arg.startsWith('-'))
  raiseIrreversible('delete', 'a command that takes away what it names', effects)
  const act = /^disable-/i.test(name) ? 'stop' : 'delete'
  actsOn(effects, act, { kind: 'resource', names: things.flatMap(namesOfPath), thing: things.join(' ') })
}

const BUILT = longPattern('windows.BUILT')

const WORDS_OF_SYNTAX = longPattern('windows.WORDS_OF_SYNTAX')
