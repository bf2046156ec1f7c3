import { raiseWords } from '../../code.js'
import { does, raise, signal } from '../../effects.js'
import { actsOn, actsOnPath, namesOfPath } from '../../objects.js'
import { isScript, noteRun } from '../../scripts.js'
import { type Call, type ShellContext, type Special, quoted } from '../call.js'
import { opaque, raiseIrreversible } from './irreversible.js'
import { COMMAND_LABELS } from './commands.js'
import { isWorking } from './deletions.js'
import { FORBIDDEN_TAGS, isRoot } from './forbidden.js'
import { noteTableActs } from './act-table.js'
import { isTrial } from './looks.js'

/** Commands of PowerShell and cmd that delete files and folders. `rmdir` does so only with an option of cmd. */
const DELETES: ReadonlySet<string> = new Set('remove-item ri rd del erase rmdir rm'.split(' '))
const OPTION = /^(?:-\w+|\/[a-z](?::\S*)?)$/i
const VALUED = /^-(?:Include|Exclude|Filter|ErrorAction|EA|Stream|Credential)$/i
const RECURSES = /^(?:-r(?:e(?:c(?:u(?:r(?:s(?:e)?)?)?)?)?)?|\/s)$/i
/** Statements of a text that are read. */
const STATEMENTS_MAX = 64
/** Longer texts count as not understood, in characters. */
const TEXT_MAX = 16_384
const WORD = /"([^"]{0,4096})"|'([^']{0,4096})'|[^\s"']+/g

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
  const lost = paths.filter((path) => !isMade(path.replaceAll('\\', '/'), isRecursive))
  // Without a path it deletes what it is fed: only the run knows what.
  if (lost.length > 0 || (paths.length === 0 && args.length > 0)) does(effects, 'delete')
  for (const path of lost) if (!/[$%]/.test(path)) actsOnPath(effects, 'delete', path)
}

/** A search that feeds a deletion. */
const SEARCH = /\b(?:Get-ChildItem|gci)\s([^|;\n]{1,512})\|\s{0,4}(?:Remove-Item|ri)\b/i
const TEMPORARY = /^(?:\$env:TE?MP|%TE?MP%|\$\{?env:TE?MP\}?)[\\/][\w.\\/*-]{1,200}$/i
/** A project of .NET builds into `bin` and `obj`. */
const isMade = (path: string, isRecursive: boolean): boolean =>
  isWorking(path, isRecursive) || (isRecursive && /^(?:\.\/)?(?:[\w.-]{1,64}\/){0,4}bin\/?$/.test(path))

/** Commands of PowerShell that take away what they name. */
const TAKES =
  /^(?:Remove|Uninstall|Clear|Reset|Disable|Unregister|Dismount|Revoke)-(?!Item$|ItemProperty$|Variable$|Module$|Job$|TypeData$|PSSession$|Event$|Alias$|PSDrive$|PSBreakpoint$|Host$|History$|PSReadLine\w*$)\w{3,64}$/i

/** Reads `powershell -Command TEXT`, `pwsh -c TEXT`, `-EncodedCommand`. Of its text only acts that are known count; nothing else is understood. */
export const powershell: Special = (call, context) => {
  for (const arg of call.args) raiseWords(arg, context.effects)
  const at = call.args.findIndex((arg) => /^[-/](?:c|command)$/i.test(arg))
  if (call.args.some((arg) => /^[-/]e(?:c|nc\w*)?$/i.test(arg)))
    return opaque(context.effects, 'a shell runs text that is not plain')
  const isBare = at < 0 && call.args.length > 0 && !/^[-/]/.test(call.args[0] ?? '')
  if (at >= 0 || isBare) readStatements(call.args.slice(at + 1).join(' '), context)
}

/** Reads `cmd /c TEXT`. */
export const cmd: Special = (call, context) => {
  for (const arg of call.args) raiseWords(arg, context.effects)
  const at = call.args.findIndex((arg) => /^\/[ck]$/i.test(arg))
  if (at >= 0) readStatements(call.args.slice(at + 1).join(' '), context)
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
  return (
    at >= 0 &&
    isInside &&
    names.length > 0 &&
    names.every((name) => /^(?:bin|obj|node_modules|dist|\.vs|TestResults|packages)$/i.test(name))
  )
}

/** Requests of PowerShell. */
const WEB = /^(?:Invoke-RestMethod|Invoke-WebRequest|irm|iwr|Send-MailMessage)$/i

/** Reads a request of PowerShell: one with a body or a file sends. */
function readWeb(args: readonly string[], context: ShellContext): void {
  const sends = args.some(
    (arg, i) =>
      /^-(?:Body|InFile|Form)$/i.test(arg) ||
      (/^-Method$/i.test(args[i - 1] ?? '') && !/^(?:get|head)$/i.test(arg)),
  )
  raise(context.effects, sends ? COMMAND_LABELS.SEND : COMMAND_LABELS.ASK, 'a request')
  signal(context.effects, 'outside', 1)
}

function readStatements(text: string, context: ShellContext): void {
  if (text.length > TEXT_MAX) return opaque(context.effects, 'a text that is too long to read')
  const statements = text.split(/[;\n|&{}]/, STATEMENTS_MAX + 1)
  if (statements.length > STATEMENTS_MAX) opaque(context.effects, 'a text that is too long to read')
  let before: readonly string[] = []
  let isFedBuilt = false
  for (const statement of statements) {
    const [name, ...args] = [...statement.matchAll(WORD)].map(
      ([word, double, single]) => double ?? single ?? word,
    )
    if (name === undefined) continue
    const last = /^for$/i.test(name) ? statement.toLowerCase().lastIndexOf(' do ') : -1
    if (last >= 0) {
      readStatements(statement.slice(last + 4), context)
      continue
    }
    if (WEB.test(name)) readWeb(args, context)
    if (/^Send-MailMessage$/i.test(name)) does(context.effects, 'send')
    const call = { name, args }
    if (isScript(name)) noteRun(name, context.effects)
    const isBuilt = isFedBuilt
    isFedBuilt = includesBuilt(args)
    if (isBuilt && DELETES.has(name.toLowerCase())) continue
    const { length } = context.effects.objects
    noteWindowsDeletion(call, context)
    const takes = DELETES.has(name.toLowerCase()) && !args.some((arg) => !OPTION.test(arg))
    // What is fed lies in what the statement before looks through.
    if (takes && context.effects.objects.length === length)
      for (const path of before) actsOnPath(context.effects, 'delete', path)
    before = args.filter(
      (arg, i) => /^(?:[A-Za-z]:|[.~\\/]|\$env:)/.test(arg) && !VALUED.test(args[i - 1] ?? ''),
    )
    noteTableActs(call, context.effects)
    if ((TAKES.test(name) || /^Remove-ItemProperty$/i.test(name)) && !isTrial(call)) {
      raiseIrreversible('delete', 'a command that takes away what it names', context.effects)
      actsOn(context.effects, 'delete', {
        kind: 'resource',
        names: args.filter((arg) => !arg.startsWith('-')).flatMap(namesOfPath),
        thing: args.filter((arg) => !arg.startsWith('-')).join(' '),
      })
    }
    if (/^cmd(?:\.exe)?$/i.test(name) && /^\/[ck]$/i.test(args[0] ?? ''))
      readStatements(args.slice(1).join(' '), context)
    const started = /^(?:Start-Process|saps)$/i.test(name) ? args.find((arg) => /\s/.test(arg)) : undefined
    if (started !== undefined) readStatements(started, context)
    if (/^(?:Invoke-Expression|iex)$/i.test(name)) opaque(context.effects, 'text is run as commands')
    if (name.toLowerCase() === 'vssadmin' && args[0]?.toLowerCase() === 'delete')
      raiseIrreversible('delete', 'a command that deletes copies', context.effects)
    // The programs of other systems take the same words here.
    if (/^(?:git|docker|kubectl|terraform|npm|npx|aws|az|gcloud|gh)$/.test(name))
      context.nested(quoted([name, ...args]), context)
  }
}
