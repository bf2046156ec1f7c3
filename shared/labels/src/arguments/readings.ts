import { actionOfVerb } from '../tools/heuristics/actions.js'
import type { ArgumentReading } from '@plimsoll/contracts'
import { type Scalar, valuesOf } from '../tools/values.js'
import { raiseWords, readCode } from './code.js'
import { commandLinesOf } from './command-lists.js'
import { type Call, PLACES, does, raise, signal } from './effects.js'
import { PATH_KINDS, pathKindOf } from './paths.js'
import { readProgramTexts } from './program-texts.js'
import { quoted } from './shell/call.js'
import { noteAnswer, noteOwnControl, noteOwnKey } from './shell/programs/forbidden.js'
import { noteManifestScripts } from './written-files.js'
import { isPowershell } from './shell/programs/powershell-words.js'
import { readShell } from './shell/read-shell.js'
import { readOtherQuery } from './sql/other-queries.js'
import { readPossibleSql, readSql } from './sql/read-sql.js'
import { METHODS, countRecipients, isAccount, placeOf, readRequest, readUrl, searches } from './web.js'

/** Digits of the amount at which the signal reaches 1: a thousand million, in any unit. */
const DIGITS_MAX = 9
/** Longer texts are no amounts, in characters. */
const TEXT_MAX = 64

/**
 * An amount on a logarithmic scale of 0…1, so that 10, 1,000 and 1,000,000 differ; undefined if `value` is no amount.
 *
 * @example amountSignal('$1,200.50') // 0.342
 */
export function amountSignal(value: unknown): number | undefined {
  const amount = typeof value === 'string' ? parseAmount(value) : value
  if (typeof amount === 'bigint') return amountSignal(Number(amount))
  if (typeof amount !== 'number' || Number.isNaN(amount)) return undefined
  return Math.min(1, Math.round((Math.log10(1 + Math.abs(amount)) / DIGITS_MAX) * 1000) / 1000)
}

/** Thousands separators are `,`, `'`, `_` or blanks. The decimal sign is `.`, or `,` if one or two digits follow the last one. */
function parseAmount(text: string): number | undefined {
  if (text.length > TEXT_MAX) return undefined
  const bare = text.replaceAll(/[^0-9.,eE+-]/g, '')
  const comma = bare.lastIndexOf(',')
  const decimal = comma > bare.lastIndexOf('.') && bare.length - comma <= 3
  const plain = decimal ? bare.replaceAll('.', '').replace(',', '.') : bare.replaceAll(',', '')
  const amount = Number(plain)
  return plain === '' || Number.isNaN(amount) ? undefined : amount
}

type Reading = (values: readonly Scalar[], call: Call) => void

/** Reads `value`, of the argument `name`, as the given kind of argument. */
export function readArgument(value: unknown, as: ArgumentReading, call: Call, name?: string): void {
  const { scalars, cut } = valuesOf(value)
  if (cut) worst(call, 'an argument that is too large to read')
  if (as === 'shell' && !cut && scalars.length > 1 && Array.isArray(value))
    return readCommands(commandLinesOf(value, name), call)
  if (scalars.length > 0) READINGS[as](scalars, call)
}

/**
 * Reads command lines. Whether each begins in the folder where the one before it ended is not known: within the working folder that is the
 * same, beyond it the folder is unknown.
 */
function readCommands(lines: readonly string[], call: Call): void {
  const { effects, organisation } = call
  let length = 0
  for (const line of lines) length += line.length
  if (length > LINES_MAX) return worst(call, 'command lines that are too long to read')
  for (const line of lines) {
    readShell(withSlashes(line), effects, organisation)
    effects.folder = effects.folder?.startsWith('/') === false ? '' : undefined
  }
  call.understood = true
}
/** All command lines of one argument, in characters. */
const LINES_MAX = 32_768

/** Text that is not understood gets the catalogue's worst labels. */
function worst(call: Call, reason: string): void {
  call.effects.complete = false
  if (call.asked && call.worst) raise(call.effects, call.worst, reason)
  signal(call.effects, 'unreadable', 1)
}

const texts = (values: readonly Scalar[]): string[] => values.map((value) => String(value))

/** Joins a list of words into one command. Quotes each word so that none is read as syntax. */
function commandOf(values: readonly Scalar[]): string {
  const words = texts(values)
  return words.length === 1 ? (words[0] ?? '') : quoted(words)
}

/** Text of PowerShell in a tool that runs whatever shell there is: its backslashes part folders. */
const withSlashes = (text: string): string => (isPowershell(text) ? text.replaceAll('\\', '/') : text)

/** Of a longer text the reader of PowerShell says that it is not understood, in characters. */
const POWERSHELL_READ = 20_000

const READINGS: Readonly<Record<ArgumentReading, Reading>> = {
  shell: (values, call) => {
    const text = commandOf(values)
    if (call.asked || isPlausibleCommand(values)) {
      readShell(withSlashes(text), call.effects, call.organisation)
      noteManifestScripts(text, call)
    }
    call.understood = true
  },
  // Its acts are known, and no text as a whole.
  powershell: (values, call) => {
    for (const text of texts(values))
      readShell(
        quoted(['powershell', '-Command', text.slice(0, POWERSHELL_READ)]),
        call.effects,
        call.organisation,
      )
  },
  sql: (values, call) => {
    for (const text of texts(values)) {
      ;(call.asked ? readSql : readPossibleSql)(text, call.effects)
      readOtherQuery(text, call.effects)
    }
    call.understood = true
  },
  code: (values, call) => {
    for (const text of texts(values))
      if (call.asked) {
        readProgram(text, call)
        noteManifestScripts(text, call)
      } else raiseWords(text, call.effects)
    call.understood = true
  },
  path: (values, call) => {
    for (const text of texts(values)) readPath(text, call)
  },
  url: (values, call) => {
    for (const text of texts(values)) {
      readUrl(text, call.effects)
      noteAnswer(text, call.effects)
      if (call.urls.length < 16) call.urls.push(text)
      const place = placeOf(text, call.organisation) ?? 'outside'
      if (call.place === undefined || PLACES.indexOf(place) > PLACES.indexOf(call.place)) call.place = place
    }
    if (!call.worst) raise(call.effects, { capability: 'network', trust: 'untrusted' }, 'a URL', true)
  },
  http_method: (values, call) => {
    for (const text of texts(values)) {
      const method = text.trim().toUpperCase()
      if (METHODS.has(method))
        call.method = call.method === undefined || call.method === 'GET' ? method : call.method
      // `method: update` says what the tool is to do.
      else if (call.asked || actionOfVerb(text.trim().toLowerCase()) === undefined)
        worst(call, 'a method that is none')
    }
  },
  recipients: (values, call) => readRecipients(texts(values), call),
  amount: (values, call) => {
    for (const value of values) signal(call.effects, 'amount', amountSignal(value) ?? 0)
  },
  flag: (values, call) => {
    if (values.some((value) => value === true || value === 1 || value === 'true' || value === 'yes'))
      readFlag(call)
  },
}

function readProgram(text: string, { effects, organisation }: Call): void {
  readCode(text, effects, 'python', true)
  noteOwnControl(text, effects)
  readProgramTexts(text, effects, organisation, (command, own) => readShell(command, own, organisation))
}

/** Without a catalogue rule, `command: view` is no command line; a known program or shell syntax makes it one. */
const isPlausibleCommand = (values: readonly Scalar[]): boolean => {
  const text = commandOf(values)
  return values.length > 1 || /[\s|;&><`$]/.test(text.slice(0, 4096))
}

function readPath(path: string, call: Call): void {
  const { effects } = call
  const kind = pathKindOf(path)
  noteOwnKey(path, effects)
  call.temporary = (call.temporary ?? true) && kind === PATH_KINDS.temp
  if (path.includes('://')) return readUrl(path, effects)
  if (kind === PATH_KINDS.plain || kind === PATH_KINDS.temp || kind === PATH_KINDS.sink) return
  raise(effects, kind.reads, `it names ${kind.name}`)
  call.paths.add(kind)
}

function readRecipients(given: readonly string[], call: Call): void {
  for (const text of given) {
    const { inside, outside, unknown } = countRecipients(text, call.organisation)
    call.outside += outside
    call.recipients += inside + outside
    if (call.asked && unknown + outside > 0 && call.worst)
      raise(call.effects, call.worst, 'a recipient who is not of the organisation, or may not be', true)
    if (outside > 0) signal(call.effects, 'external', 1)
    if (unknown > 0 && !isAccount(text)) signal(call.effects, call.organisation ? 'external' : 'strangers', 1)
    if (inside + outside + unknown > 0) call.understood = true
  }
}

/** Flags such as `force` make a change irreversible. */
function readFlag({ effects, worst: labels }: Call): void {
  signal(effects, 'destructive', 1)
  if (!labels || labels.capability === 'read' || labels.reversibility === 'reversible') return
  raise(effects, { reversibility: 'irreversible' }, 'a flag asks to destroy, or to skip the confirmation')
  if (labels.reversibility === 'partial') does(effects, 'overwrite')
}

/** Signals that need all arguments: the request, and the share of outside recipients. */
export function readTogether(call: Call, asks = false): void {
  const { effects, worst: labels } = call
  if (call.place === 'outside') signal(effects, 'external', 1)
  if (call.method !== undefined) {
    const { method } = call
    readRequest(
      { method, place: call.place ?? 'outside', urls: call.urls, asks: asks || call.urls.some(searches) },
      effects,
    )
    call.understood = true
  }
  readWritten(call)
  if (call.recipients > 0) signal(effects, 'outside', call.outside / call.recipients)
  if (call.outside > 0 && labels?.capability === 'network')
    raise(effects, { reversibility: 'irreversible' }, 'somebody outside the organisation gets it')
}

/** Raises by the named paths if the step may write them. */
function readWritten({ effects, worst: labels, asked, understood, paths }: Call): void {
  const writes =
    asked && understood ? effects.capability > 0 : labels !== undefined && labels.capability !== 'read'
  if (writes) for (const kind of paths) raise(effects, kind.writes, `it may write ${kind.name}`)
}
