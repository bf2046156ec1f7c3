import { readByWord, readSet, longPattern } from '../../../text/data.js'
import { raise, signal } from '../../effects.js'
import { actsOn, actsOnPath } from '../../objects.js'
import { noteRunsLater } from '../../runs-later.js'
import { readPossibleSql } from '../../sql/read-sql.js'
import { readRequest } from '../../web.js'
import { noteWritten } from '../../written-code.js'
import { type ShellContext, farther, placeOfHost, quoted } from '../call.js'
import { noteTableActs } from './act-table.js'
import { noteEmptied } from './deletions.js'
import { noteDoor } from './doors.js'
import { noteForbiddenSetting, noteForbiddenTarget } from './forbidden.js'
import { noteClientRequest } from './http-clients.js'
import { raiseIrreversible } from './irreversible.js'
import type { Statement } from './powershell-words.js'

/** What a command of PowerShell or cmd is, under all of its names; `none` for what only steers, shows or looks. */
type Kind =
  | 'copy'
  | 'move'
  | 'write'
  | 'append'
  | 'empty'
  | 'stop'
  | 'query'
  | 'start'
  | 'request'
  | 'delete'
  | 'set'
  | 'none'
const KINDS = readByWord<Kind>('windows', 'cmdlets')
/** Parameters without a value. */
const SWITCHES = readSet('windows', 'switches')

export const kindOfCommand = (name: string): Kind | undefined => KINDS.get(name.toLowerCase())

/** Parameters by their names in lower case, and what stands without one. */
interface Parameters {
  readonly named: ReadonlyMap<string, string>
  readonly rest: readonly string[]
}

function parametersOf(args: readonly string[]): Parameters {
  const named = new Map<string, string>()
  const rest: string[] = []
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? ''
    const [, name, attached] = /^-([A-Za-z]{1,32})(?::(.*))?$/s.exec(arg) ?? []
    if (name === undefined) rest.push(arg)
    else if (attached !== undefined) named.set(name.toLowerCase(), attached)
    else if (SWITCHES.has(name.toLowerCase())) named.set(name.toLowerCase(), '')
    else named.set(name.toLowerCase(), args[(i += 1)] ?? '')
  }
  return { named, rest }
}

const pathIn = ({ named, rest }: Parameters): string | undefined =>
  named.get('path') ?? named.get('literalpath') ?? named.get('filepath') ?? rest[0]

/** `.claude\settings.json` as the readers of paths have it. */
export const withSlashes = (word: string): string =>
  /\\/.test(word) && !/\s/.test(word) ? word.replaceAll('\\', '/') : word

/** Reads a command of PowerShell that writes, moves, asks or starts something, as the reader of the same act elsewhere does. */
export function readCmdlet(
  kind: Kind,
  { words, isFed }: Statement,
  before: readonly string[],
  context: ShellContext,
): void {
  const { effects } = context
  const given = parametersOf(words.slice(1))
  if (given.named.has('whatif')) return
  const path = pathIn(given)
  const value = given.named.get('value') ?? given.rest[1]
  if (kind === 'write' && path !== undefined)
    for (const each of path.split(','))
      writesFile(each, isFed ? undefined : value, !given.named.has('append'), context)
  else if (kind === 'append' && path !== undefined) writesFile(path, value, false, context)
  else if (kind === 'empty' && path !== undefined) writesFile(path, '', true, context)
  else if (kind === 'copy' || kind === 'move') readMoved(kind, given, context)
  else if (kind === 'stop') readStop(given, isFed ? before : undefined, context)
  else if (kind === 'query')
    readPossibleSql(given.named.get('query') ?? given.named.get('q') ?? given.rest[0] ?? '', effects)
  else if (kind === 'start') readStarted(given, context)
  else if (kind === 'request') readWebRequest(given, context)
  else if (kind === 'set')
    for (const word of words.slice(1)) noteForbiddenSetting(word.split('=', 1)[0] ?? '', effects)
}

/** Records that a file is written; `text` is undefined where only the run knows it. */
export function writesFile(
  given: string,
  text: string | undefined,
  isWhole: boolean,
  context: ShellContext,
): void {
  const { effects } = context
  const path = withSlashes(given)
  if (isShare(given)) return sendsTo(given, context)
  raise(effects, { capability: 'write', reversibility: 'partial' }, 'a command that writes a file', true)
  noteDoor(path, effects)
  if (isWhole) noteForbiddenTarget(path, effects)
  if (isWhole && text === '') noteEmptied(path, effects)
  noteWritten(path, isWhole ? text : undefined, effects)
  noteRunsLater(path, text ?? context.text, effects, (command, own) =>
    context.nested(command, { ...context, effects: own }),
  )
}

/** A folder that another host shares: `\\host\share`. */
const isShare = (path: string): boolean => /^(?:\\\\|\/\/)(?![.?])[\w.-]{1,253}[\\/]/.test(path)

function sendsTo(share: string, context: ShellContext): void {
  const [, host = ''] = /^[\\/]{2}([\w.-]{1,253})/.exec(share) ?? []
  raiseIrreversible('send', 'files go to another host', context.effects, 'network')
  signal(context.effects, 'outside', 1)
  actsOn(context.effects, 'send', { kind: 'host', byName: true, names: [host, share], thing: share })
}

function readMoved(kind: 'copy' | 'move', { named, rest }: Parameters, context: ShellContext): void {
  const from = named.get('path') ?? named.get('literalpath') ?? rest[0]
  const to = named.get('destination') ?? named.get('newname') ?? (named.has('path') ? rest[0] : rest[1])
  if (from === undefined || to === undefined) return
  if (isShare(to)) return sendsTo(to, context)
  const program = kind === 'copy' ? ['cp', '-r'] : ['mv']
  context.nested(quoted([...program, ...from.split(',').map(withSlashes), withSlashes(to)]), context)
}

/** Reads `Stop-Process`: of what it names, of what a search before it names, or of every program. */
function readStop(
  { named, rest }: Parameters,
  before: readonly string[] | undefined,
  { effects }: ShellContext,
): void {
  if (named.has('id') || /^\d+$/.test(rest[0] ?? '')) return
  const fed = before?.slice(1).filter((word) => !word.startsWith('-')) ?? []
  const names = [named.get('name') ?? '', ...rest, ...fed].filter(
    (name) => name !== '' && !name.startsWith('$'),
  )
  if (names.length > 0)
    return noteTableActs({ name: 'stop-process', args: names.flatMap(plainNames) }, effects)
  if (before !== undefined && !/^(?:get-process|gps|ps)$/i.test(before[0] ?? '')) return
  raiseIrreversible('delete', 'a command that ends every program', effects)
  actsOn(effects, 'stop', { kind: 'process', names: [], thing: 'every program' })
}

const plainNames = (names: string): string[] => names.split(',').map((name) => name.replace(/\.exe$/i, ''))

/** Reads `Start-Process terraform -ArgumentList 'destroy','-auto-approve'` as the command that it starts. */
function readStarted({ named, rest }: Parameters, context: ShellContext): void {
  const [program, ...others] = named.has('filepath') ? [named.get('filepath') ?? '', ...rest] : rest
  if (program === undefined) return
  const list = [named.get('argumentlist') ?? named.get('args') ?? '', ...others].join(' ')
  const words = list.split(/[\s,]+/).filter((word) => word !== '')
  context.nested(quoted([program.replace(/\.exe$/i, ''), ...words]), context)
}

function readWebRequest({ named, rest }: Parameters, context: ShellContext): void {
  const { effects } = context
  const url = named.get('uri') ?? named.get('url') ?? rest[0] ?? ''
  const method = (named.get('method') ?? 'GET').toUpperCase()
  const uploads = named.has('infile')
  const place = farther(placeOfHost(url, context), 'local')
  readRequest({ method, urls: [url], place }, effects)
  if (uploads || /[$@]/.test(named.get('body') ?? ''))
    raise(
      effects,
      { capability: 'network', reversibility: 'irreversible' },
      'a request that carries what only the run decides',
    )
  if (place === 'outside') signal(effects, 'outside', 1)
  noteClientRequest({ method, urls: [url], body: named.get('body') ?? '', uploads }, context)
}

/** Static members of .NET that change files. */
const MEMBER = longPattern('windows-commands.MEMBER')
const LITERAL = longPattern('windows-commands.LITERAL')

/** Reads calls of .NET: `[IO.Directory]::Delete('data', $true)`, `$_.Delete()`. Returns the paths that one deletes. */
export function readMember(
  word: string,
  before: readonly string[],
  context: ShellContext,
): readonly string[] {
  const { effects } = context
  const [, setting] = SETS_VARIABLE.exec(word) ?? []
  if (setting !== undefined) noteForbiddenSetting(setting, effects)
  const [, member = '', list = ''] = MEMBER.exec(word) ?? []
  const values = [...list.matchAll(LITERAL)].map(([, , value = '']) => value)
  if (/^delete$/i.test(member) && values.length > 0) return values
  if (/^(?:move|copy)$/i.test(member))
    context.nested(quoted([/^m/i.test(member) ? 'mv' : 'cp', ...values.map(withSlashes)]), context)
  else if (member !== '' && values[0] !== undefined)
    writesFile(values[0], values[1], !/^append/i.test(member), context)
  if (/^delete$/i.test(member) || /^\$_\.(?:Delete|Kill)\(/i.test(word)) {
    raiseIrreversible('delete', 'a command that takes away what it is fed', effects)
    for (const path of before) actsOnPath(effects, 'delete', withSlashes(path))
  }
  return []
}

const SETS_VARIABLE = longPattern('windows-commands.SETS_VARIABLE')
