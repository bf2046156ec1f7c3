import { longPattern } from '../../text/data.js'
import { ACTS, CAPABILITIES, actSignal } from '@plimsoll/contracts'
import { type Effects, createEffects, does, labelsOf, raise, signal } from '../effects.js'
import { actsOn } from '../objects.js'
import { type Call, type ShellContext, operandsOf, quoted } from './call.js'
import { rowsByProgram } from './programs/command-table.js'
import { isPowershell } from './programs/powershell-words.js'

/**
 * A row of `carries` in data/commands.json: a program that starts another. Only the acts of the other count here: what it is itself is known
 * elsewhere.
 */
interface Row {
  /** Its first operands; several alternatives stand for one word, and words in order for several. Without it: any call. */
  readonly after?: string
  /** What follows after those, with options between. */
  readonly followedBy?: string
  /** Options whose value is a command line; `*`: each operand with blanks; `+`: what is attached to it. */
  readonly texts?: string
  /** Options that take the next word. */
  readonly valued?: string
  /** Own operands before the command. */
  readonly operands?: number
  /** A word before the command that may be left out. */
  readonly skips?: string
  /** Whether only what stands behind `--` is the command, where there is one. */
  readonly dashes?: true
  /** Whether it runs on another host, where what it does is live at once. */
  readonly host?: true
  /** What stands before a command in its text. */
  readonly strips?: string
}

const ROWS = rowsByProgram<Row>('carries')

/** Command lines of one call that are read. */
const TEXTS_MAX = 8

/**
 * Records the irreversible acts of the command that a program starts: `tmux new -d 'rm -rf x'`, `heroku run rails db:reset`. Returns whether
 * it starts one.
 */
export function noteCarried(call: Call, context: ShellContext): boolean {
  let isCarrying = false
  for (const row of ROWS.get(call.name) ?? [])
    for (const text of textsOf(call, row).slice(0, TEXTS_MAX)) {
      isCarrying = true
      noteActsOf(text, row.host === true ? call : undefined, context)
    }
  return isCarrying
}

/**
 * Records what a text does if it is one of PowerShell, by its cmdlets, in a tool that runs whatever shell there is:
 * `Invoke-Command -ScriptBlock { Remove-Item C:\data }`.
 */
export function notePowershell(text: string, context: ShellContext): void {
  if (isPowershell(text)) noteActsOf(quoted(['powershell', '-Command', text]), undefined, context)
}

function textsOf({ args }: Call, row: Row): readonly string[] {
  const start = startOf(args, row)
  if (start === undefined) return []
  if (row.texts !== undefined)
    return optionTexts(args, row.texts)
      .filter((text) => /\s/.test(text))
      .flatMap((text) => plainText(text, row.strips))
  const [program = '', ...others] = commandFrom(args, start, row)
  // Package runners take a version too: `rimraf@5`.
  const words = program === '' ? [] : [program.replace(/(?<=\w)@[\w.^~-]{1,32}$/, ''), ...others]
  // One word with blanks is a command line for a shell.
  return words.length === 0 ? [] : [words.length === 1 ? (words[0] ?? '') : quoted(words)]
}

/** Index after the words by which it starts a command; undefined if they are not there. */
function startOf(
  args: readonly string[],
  { after, followedBy, texts, valued = '' }: Row,
): number | undefined {
  if (after === undefined) return 0
  const words = after.split(' ')
  const isInOrder = texts !== undefined
  const at = args.findIndex((arg, i) => !isValue(args, i, valued) && words.includes(arg))
  if (at < 0) return undefined
  if (isInOrder) return words.every((word) => args.includes(word)) ? at + 1 : undefined
  // Only options stand before it.
  if (args.slice(0, at).some((arg, i) => !arg.startsWith('-') && !isValue(args, i, valued))) return undefined
  if (followedBy === undefined) return words[0]?.startsWith('-') === true ? 0 : at + 1
  const next = args.findIndex((arg, i) => i > at && followedBy.split(' ').includes(arg))
  return next < 0 ? undefined : next + 1
}

const isValue = (args: readonly string[], at: number, valued: string): boolean =>
  at > 0 && valued.split(' ').includes(args[at - 1] ?? '')

function commandFrom(
  args: readonly string[],
  start: number,
  { valued = '', operands = 0, skips, dashes }: Row,
): readonly string[] {
  const known = new Set(valued.split(' '))
  const behind = args.indexOf('--', start)
  if (dashes === true && behind >= 0) return args.slice(behind + 1)
  let left = operands
  for (let i = start; i < args.length; i += 1) {
    const arg = args[i] ?? ''
    if (arg === '--') {
      if (left > 0) continue
      return args.slice(i + 1)
    }
    if (known.has(arg)) i += 1
    else if (arg.startsWith('-')) continue
    else if (left > 0) left -= 1
    else if (skips !== undefined && arg === skips) continue
    else return args.slice(i)
  }
  return []
}

/** The values of options that hold command lines: as the next word, attached, or behind other letters (`-qc TEXT`). */
function optionTexts(args: readonly string[], options: string): string[] {
  if (options === '*') return args.filter((arg) => /\s/.test(arg))
  const texts: string[] = []
  for (const [i, arg] of args.entries())
    for (const option of options.split(' ')) {
      const isLetter = /^-\w$/.test(option)
      if (
        arg === option ||
        (isLetter && /^-\w+$/.test(arg) && !arg.startsWith('--') && arg.endsWith(option.charAt(1)))
      )
        texts.push(args[i + 1] ?? '')
      else if (isLetter && arg.startsWith(option)) texts.push(arg.slice(2))
      else if (arg.startsWith(`${option}=`)) texts.push(arg.slice(option.length + 1))
      else if (option === '+' && arg.startsWith('+')) texts.push(arg.slice(1))
    }
  return texts
}

/** The command lines in a text of another language. */
function plainText(text: string, strips: string | undefined): readonly string[] {
  const given = text.slice(0, 8_192)
  if (strips === undefined) return [given]
  if (strips === '!')
    return given
      .split('|')
      .flatMap((part) => /^[\s:]{0,8}(?:sil(?:ent)?!?\s{1,4})?!(.*)$/s.exec(part)?.[1] ?? [])
  if (strips === 'alias') return STARTS_BY_SETTING.exec(given)?.slice(1) ?? []
  if (strips === 'commands') {
    const listed = [...given.matchAll(/["']((?:[^"'\\]|\\.){1,2048})["']/g)].map(([, each = '']) => each)
    return listed.length > 0 ? listed : [given.replace(/^commands=/, '')]
  }
  return [given.replaceAll(STARTS, '').replaceAll(/\bexpect\s[^;\n]{0,256}/g, '')]
}

/**
 * Reads a command line by itself and takes over what it does irreversibly, and to what.
 *
 * @param host the command that runs it on another host, where any change is live at once; undefined if it runs here
 */
export function noteActsOf(text: string, host: Call | undefined, context: ShellContext): void {
  if (text.trim() === '') return
  const { effects } = context
  const own = createEffects(effects.world)
  own.folder = host ? undefined : effects.folder
  own.entered = host ? '' : effects.entered
  own.isAway = host !== undefined || effects.isAway
  context.nested(text, { ...context, effects: own, piped: false, seen: undefined })
  const done = ACTS.filter((act) => own.signals[actSignal('does', act)] === 1)
  const { reversibility, tags } = labelsOf(own)
  if (tags) raise(effects, { tags })
  if (host && done.length === 0 && own.capability >= WRITE && reversibility !== 'reversible')
    return noteHostChanged(host, effects)
  if (done.length === 0 || reversibility !== 'irreversible') return
  raise(
    effects,
    { capability: 'execute', reversibility },
    'a command that another starts cannot be taken back',
  )
  for (const act of done) does(effects, act, own.losses === 0)
  if (own.signals['byName'] === 1) signal(effects, 'byName', 1)
  effects.openLosses |= own.openLosses
  for (const { act, ...each } of own.objects)
    actsOn(
      effects,
      act,
      host ? { ...each, own: [], reach: each.reach === 'control' ? 'control' : 'live' } : each,
    )
}
const WRITE = CAPABILITIES.indexOf('write')

function noteHostChanged(call: Call, effects: Effects): void {
  raise(
    effects,
    { capability: 'execute', reversibility: 'irreversible' },
    'a command that changes something on another host',
  )
  does(effects, 'publish')
  const hosts = operandsOf(call).filter((word) => /\d/.test(word) && /^[\w@.-]{2,64}$/.test(word))
  actsOn(effects, 'deploy', { kind: 'host', reach: 'live', byName: true, names: hosts })
}

const STARTS_BY_SETTING = longPattern('carried.STARTS_BY_SETTING')

const STARTS = longPattern('carried.STARTS')
