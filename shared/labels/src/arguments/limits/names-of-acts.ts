import { type EffectAct, type Signals, ACTS, actSignal } from '@plimsoll/contracts'
import { type Words, readByWords, readSet, readTable, wordsIn, longPattern } from '../../text/data.js'
import { keptByName } from '../../text/kept.js'
import { actOfTool } from '../../tools/act-done.js'
import { wordsOf } from '../../tools/words-of.js'
import type { Effects } from '../effects.js'
import { addChange, limitName, wordsOfName } from './names-of-change.js'

/**
 * The acts that a task may forbid: those of the contracts, and what an agent does with its work. `request`: a
 * pull request.
 */
export const LIMITED_ACTS = [
  ...ACTS,
  'push',
  'commit',
  'merge',
  'request',
  'deploy',
  'install',
  'stop',
  'restart',
] as const
export type LimitedAct = (typeof LIMITED_ACTS)[number]

/** The name of each in limits and changes. */
export const nameOfAct = (act: LimitedAct): string => limitName('act', act)

/** The name of what an act is done to: a branch, a table, `production`. */
export const nameOfObject = (word: string): string =>
  limitName('object', OF_PRODUCTION.test(word) ? LIVE : word)

/** The names of all that a folder holds, and of all files of one ending: what a pattern takes, and what an exception may be one of. */
const EVERY = limitName('kind', 'every')
const everyOf = (ending: string): string => limitName('kind', `every.${ending.toLowerCase()}`)

/** Names of what may take an exception along: *all but the pdfs*, *except notes.md*. */
export const namesOfEvery = (exception: string): readonly string[] => [
  EVERY,
  ...[...exception.matchAll(EXTENSIONS)].slice(0, 4).map(([, ofFile, kind = '']) => everyOf(ofFile ?? kind)),
]

/** What every step that acts is called, besides its acts. It changes no place, and waits for the user's word like a change. */
export const ACTING = limitName('kind', 'acting')

/** Whether a text is a name with more than letters, which its words alone do not tell from others: `release/2.4`, `web-1`. */
export const isWhole = (text: string): boolean => /^(?=.{0,64}[^\p{L}])[\p{L}\d][\w.@:/-]{1,63}$/u.test(text)

const LIVE = 'production'
const OF_PRODUCTION = /^(?:prod|production|live)$/
/** A name of production among the words of an argument. */
const HAS_PRODUCTION = longPattern('names-of-acts.HAS_PRODUCTION')
/** Words of objects of one step, arguments that are looked at, and characters of one. */
const WORDS_MAX = 16
const ARGUMENTS_MAX = 24
const ARGUMENT_MAX = 128

const bitOf = (act: LimitedAct): number => 1 << LIMITED_ACTS.indexOf(act)
const [DEPLOY, PUBLISH, MERGE] = [bitOf('deploy'), bitOf('publish'), bitOf('merge')]
const [DELETE, STOP] = [bitOf('delete'), bitOf('stop')]
const NAMES = LIMITED_ACTS.map(nameOfAct)
const DOES = ACTS.map((act) => actSignal('does', act))

interface Row {
  readonly bit: number
  /** The operands by which a command does it; undefined: it does nothing else. */
  readonly when: ReadonlySet<string> | undefined
  readonly names: ReadonlySet<string>
}

const ROWS: readonly Row[] = readTable<readonly { names: Words; act: LimitedAct; when?: Words }[]>(
  'limits',
  'commands',
).map(({ names, act, when }) => ({
  bit: bitOf(act),
  names: new Set(wordsIn(names)),
  when: when === undefined ? undefined : new Set(wordsIn(when)),
}))
/** Rows by the program's name. */
const COMMANDS: ReadonlyMap<string, readonly Row[]> = new Map(
  [...new Set(ROWS.flatMap(({ names }) => [...names]))].map((name) => [
    name,
    ROWS.filter((row) => row.names.has(name)),
  ]),
)

/** Records what a command does that a task may forbid, and to what: `git push origin main`. One look-up where it does nothing. */
export function noteCommand(
  { name, args }: { readonly name: string; readonly args: readonly string[] },
  effects: Effects,
): void {
  const rows = COMMANDS.get(name)
  if (rows === undefined) return
  if (args.some((arg) => TRIAL.test(arg))) return
  const operands = args.filter((arg) => !arg.startsWith('-')).slice(0, ARGUMENTS_MAX)
  for (const { bit, when } of rows) {
    const at = when === undefined ? 0 : doneAt(operands, when)
    const next = operands[at + 1] ?? ''
    if (at < 0 || (when !== undefined && LOOKS.has(next))) continue
    const isOfGit = bit === MERGE && name === 'git'
    // What is merged into an own branch is taken from others.
    if (isOfGit && TAKES.test(next)) continue
    effects.acts |= bit
    if (!isOfGit)
      for (const operand of operands.slice(at + 1)) if (!/\s/.test(operand)) noteWords(operand, effects)
  }
}

/** Where the word stands by which a command acts: values of options may stand before it. */
const doneAt = (operands: readonly string[], when: ReadonlySet<string>): number =>
  operands.findIndex(
    (word, i) => i < BEFORE_MAX && (when.has(word) || when.has(`${word}-${operands[i + 1] ?? ''}`)),
  )
const BEFORE_MAX = 3

const TRIAL = longPattern('names-of-acts.TRIAL')
const TAKES = longPattern('names-of-acts.TAKES')
const LOOKS = readSet('limits', 'commandLooks')

/** Records that a command that acts does so in production, by an argument. */
export function noteProductionName(args: readonly string[], effects: Effects): void {
  for (let i = 0; i < args.length && i < ARGUMENTS_MAX; i++) {
    const arg = args[i] ?? ''
    if (arg.length <= ARGUMENT_MAX && !/\s/.test(arg) && HAS_PRODUCTION.test(arg)) noteWord(LIVE, effects)
  }
}

function noteWords(text: string, effects: Effects): void {
  if (text.length <= ARGUMENT_MAX) for (const word of wordsOfName(text)) noteWord(word, effects)
}

function noteWord(word: string, effects: Effects): void {
  const name = nameOfObject(word)
  const { actedOn } = effects
  if (actedOn === undefined) effects.actedOn = [name]
  else if (actedOn.length < WORDS_MAX && !actedOn.includes(name)) actedOn.push(name)
}

/** Records what a tool does by its name, and to what by its arguments. */
export function noteTool(tool: string, args: Readonly<Record<string, unknown>>, effects: Effects): void {
  const acts = actsOfTool(tool)
  if (acts === 0) return
  effects.acts |= acts
  for (const name in args) {
    const value = args[name]
    if (!OBJECT_ARGUMENT.test(name)) continue
    for (const each of Array.isArray(value) ? value.slice(0, WORDS_MAX) : [value])
      if (typeof each === 'string') noteWords(each, effects)
  }
}

const OBJECT_ARGUMENT = longPattern('names-of-acts.OBJECT_ARGUMENT')

const actsOfTool = keptByName((tool: string): number => {
  const words = wordsOf(tool)
  const named = actOfTool(tool)
  const isLook = words.slice(0, 3).some((word) => TOOL_LOOKS.has(word))
  let acts = named === undefined ? 0 : bitOf(named)
  for (const [act, has] of TOOL_ACTS) if (words.some((word) => has.has(word))) acts |= bitOf(act)
  if (words.join(' ').includes('pull request') && words.includes('create')) acts |= bitOf('request')
  if (STOPS.test(tool)) acts |= bitOf('stop')
  if (RESTARTS.test(tool)) acts |= bitOf('restart')
  return isLook ? 0 : acts
})

const TOOL_ACTS = (['push', 'commit', 'merge', 'deploy', 'install'] as const).map(
  (act) => [act, new Set<string>([act])] as const,
)
/** Words of tools that only look, or only prepare. */
const TOOL_LOOKS = readSet('limits', 'toolLooks')
const RESTARTS = /restart|reboot/i
const STOPS = longPattern('names-of-acts.STOPS')

/** Joins what the step does into one change, by names of its acts and of their objects. Nothing where it does nothing of the kind. */
export function noteActs(effects: Effects): void {
  const acts = effects.acts | actsShown(effects.signals, effects)
  if (acts === 0) return
  const names = [ACTING]
  for (const [i, name] of NAMES.entries()) if ((acts & (1 << i)) !== 0) names.push(name)
  const objects = new Set(effects.actedOn)
  for (const { kind } of effects.objects) {
    if (kind !== undefined && kind !== 'path') objects.add(nameOfObject(kind))
    if (kind === 'table') objects.add(nameOfObject('database'))
  }
  for (const { act, thing = '', kind } of effects.objects) {
    const isOfAll = kind === 'path' && act === 'delete' && OF_ALL.test(thing)
    const ending = OF_ALL.exec(thing)?.[1]
    if (isOfAll) objects.add(ending === undefined ? EVERY : everyOf(ending))
  }
  for (const { names: given, kind } of effects.objects)
    if (kind !== 'path') {
      for (const text of given) if (isWhole(text)) objects.add(nameOfObject(text.toLowerCase()))
      for (const word of given.slice(0, WORDS_MAX).flatMap((text) => wordsOfName(text)))
        if (objects.size < WORDS_MAX) objects.add(nameOfObject(word))
    }
  addChange([...names, ...objects], effects)
}

/** A pattern for everything in a folder, or for all files of one ending. */
const OF_ALL = longPattern('names-of-acts.OF_ALL')

/** The acts that signals and objects show. A step that only publishes in one of two ways is of both, unless its object shows which. */
function actsShown(signals: Signals, { objects, acts }: Effects): number {
  let shown = 0
  for (let i = 0; i < DOES.length; i++) {
    const name = DOES[i]
    if (name !== undefined && (signals[name] ?? 0) > 0) shown |= 1 << i
  }
  let known = 0
  for (const { act } of objects) known |= OF_EFFECTS.get(act) ?? 0
  const isKnown = ((known | acts) & (PUBLISH | DEPLOY)) !== 0
  if ((shown & PUBLISH) !== 0) shown = isKnown ? shown & ~PUBLISH : shown | DEPLOY
  // Who only stops something ends nothing for good.
  if ((known & STOP) !== 0 && ((known | acts) & DELETE) === 0) shown &= ~DELETE
  return shown | known
}

/** Acts of effects that a task may forbid. A change of a thing may be any of two: signals tell. */
const OF_EFFECTS: ReadonlyMap<EffectAct, number> = new Map(
  (['delete', 'send', 'pay', 'grant', 'publish', 'deploy', 'stop'] as const).map((act) => [act, bitOf(act)]),
)

/** The acts of a word in any of its forms. `next` completes phrases: *roll out*, *open a pull request*. */
export function actsOfWord(given: string, next = ''): readonly LimitedAct[] {
  const word = given.toLowerCase().replace('-', '')
  if (/^(?:roll|rolling)$/.test(word) && /^out$/i.test(next)) return ['deploy']
  if (word === 'pull' && /^requests?$/i.test(next)) return ['request']
  if (/^(?:shut|shutting)$/.test(word) && /^down$/i.test(next)) return ['stop']
  for (const form of [word, ...ENDINGS.map(([end, by]) => word.replace(end, by))]) {
    const acts = WORDS.get(form)
    if (acts !== undefined) return acts
  }
  return []
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/s$/, ''],
  [/es$/, ''],
  [/ing$/, ''],
  [/ing$/, 'e'],
  [/(.)\1ing$/, '$1'],
  [/ed$/, ''],
  [/d$/, ''],
  [/(.)\1ed$/, '$1'],
  [/ment$/, ''],
  [/ments$/, ''],
]

/** Words by act; a word may be of several. */
const WORDS: ReadonlyMap<string, readonly LimitedAct[]> = readByWords('limits', 'acts') as ReadonlyMap<
  string,
  readonly LimitedAct[]
>

const EXTENSIONS = longPattern('names-of-acts.EXTENSIONS')
