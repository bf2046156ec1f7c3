import { longPattern } from '../../../text/data.js'
import { type Act, type EffectAct, type ObjectKind, type Reach, matchesGlob } from '@plimsoll/contracts'
import { VERBS } from '../../../acts/orders.js'
import { kindName } from '../../../acts/product-words.js'
import { type Effects, does, raise } from '../../effects.js'
import { actsOn, effectOfAct, namesOfAddress, wordsIn } from '../../objects.js'
import type { Call } from '../call.js'
import { composeOf, startedNames } from '../own-programs.js'
import { ownThingOf } from '../own-things.js'
import { LIVE_WORDS, noteLiveLoss } from './live.js'
import { admittedBy } from './github.js'
import { deploysProject } from './deployments.js'
import { isTrial, onlyLooks } from './looks.js'
import { setsServiceValues } from './service-values.js'
import { withoutKey } from './taken.js'
import { oneByProgram, rowsByProgram } from './command-table.js'

/** A row of `acts` in data/commands.json: the words by which a program does an irreversible act. */
interface Row {
  readonly act: Act
  /** For people; without text of the call. */
  readonly reason: string
  /**
   * Lines of words. A word that begins with `-` is an option that must be there, `--name=value` also as two words; the others must be the
   * first operands in this order. `*` stands for any characters. An empty line: any call.
   */
  readonly when: readonly string[]
  /** What it does, where the act alone does not say. */
  readonly effect?: EffectAct
  /** The kind of what it is done to. Default: `resource`. */
  readonly object?: ObjectKind
  readonly reach?: Reach
  /** Words for what the act is done to, besides those of the command; `:pull` for a kind of `kindsNamed`. */
  readonly of?: string
  /** Words by which a task says that it means what is not on this machine: one of them, or of the value of `--app`, has to be named too. */
  readonly where?: string | undefined
  /** Each of its operands is a thing of its own: a task that names one does not ask for the others. */
  readonly each?: true | undefined
  /** No task names it: what it skips is not what it is for. */
  readonly unnamed?: true | undefined
  /** A task that names it asks for it. */
  readonly byName?: true | undefined
  /** A task that has a word of `of` asks for it; nothing else names it. */
  readonly byWords?: true | undefined
  /** A task that names its address asks for it, by whatever words; nothing else names it. */
  readonly byAddress?: true | undefined
}

interface Line {
  readonly operands: readonly string[]
  readonly options: readonly string[]
}

type Acting = Omit<Row, 'when' | 'of' | 'effect' | 'object'> & {
  readonly effect: EffectAct
  readonly object: ObjectKind
  readonly lines: readonly Line[]
  readonly of: readonly string[]
}

const IS_LIVE = longPattern('act-table.IS_LIVE')

/** Programs of Windows have options such as `/MIR` too. */
const OF_WINDOWS = /^\/[a-z?]{1,12}$/i
const WITH_SLASHES: ReadonlySet<string> = new Set('taskkill schtasks shutdown robocopy takeown'.split(' '))
const isOption = (word: string): boolean => word.startsWith('-')

const TABLE = new Map(
  [...rowsByProgram<Row>('acts')].map(([name, rows]) => [name, rows.map(actingOf)] as const),
)

function actingOf(row: Row): Acting {
  const { effect, object, when, of = '', ...more } = row
  return {
    ...more,
    effect: effect ?? effectOfAct(row.act),
    object: object ?? 'resource',
    lines: when.map(lineOf),
    of: of === '' ? [] : of.split(' ').map((word) => (word.startsWith(':') ? kindName(word.slice(1)) : word)),
  }
}

function lineOf(text: string): Line {
  const words = text === '' ? [] : text.split(' ')
  return {
    operands: words.filter((word) => !isOption(word) && !OF_WINDOWS.test(word)),
    options: words.filter((word) => isOption(word) || OF_WINDOWS.test(word)),
  }
}

/** Programs that run another, with the words before its name: none, one of these, or `*` for none of its own. */
const LAUNCHERS = new Map(
  [...oneByProgram<string>('launches')].map(
    ([name, words]) => [name, new Set(words === '' ? [] : words.split(' '))] as const,
  ),
)
/** Operands of a line are sought among so many words of the call. */
const WORDS_MAX = 64

/**
 * Records the irreversible acts that data/commands.json names for a command, also behind what runs it: `npx prisma migrate reset`,
 * `bundle exec rake db:drop`, `php artisan migrate:fresh`. O(words × lines of the program).
 */
export function noteTableActs(
  { name, args }: Pick<Call, 'name' | 'args'>,
  effects: Effects,
  isOfTest = false,
): void {
  const words = args.length > WORDS_MAX ? args.slice(0, WORDS_MAX) : args
  const launched = LAUNCHERS.get(name)
  if (!launched && !TABLE.has(plainName(name))) return
  if (setsServiceValues({ name, args: words }) || admittedBy({ name, args }) !== undefined) return
  if (isTrial({ name, args: words }) || onlyLooks({ name, args: words })) return
  noteLines(name, words, effects, isOfTest)
  if (launched) noteLaunched(launched, words, effects, isOfTest)
}

function noteLines(name: string, words: readonly string[], effects: Effects, isOfTest: boolean): void {
  const rows = TABLE.get(plainName(name))
  if (!rows) return
  const isOfWindows = WITH_SLASHES.has(plainName(name))
  const isOfCompose = name.endsWith('compose') || words.includes('compose')
  const operands = words.filter(
    (word, i) =>
      !isOption(word) &&
      !(isOfWindows && OF_WINDOWS.test(word)) &&
      !OF_PLACE.test(words[i - 1] ?? '') &&
      !(isOfCompose && OF_COMPOSE.test(words[i - 1] ?? '')) &&
      !(COUNT.test(word) && (words[i - 1] ?? '').startsWith('--')),
  )
  const apps = words.filter((_, i) => OF_APP.test(words[i - 1] ?? ''))
  for (const row of rows) {
    const { act, effect, object, reach, reason, lines, of, unnamed, byName, byAddress, where } = row
    if (isOfTest && object === 'table') continue
    if (act === 'send' && words.some((word) => /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/.test(word)))
      continue
    const line = lines.find((each) => matchesLine(each, words, operands))
    if (!line) continue
    const isKnown = act === 'delete' || act === 'overwrite' || deploysProject({ name, args: words })
    raise(effects, { capability: 'execute', reversibility: 'irreversible' }, reason, isKnown)
    const isDisposable = stopsDisposable(name, operands, effects)
    does(effects, act, isDisposable)
    const things = operands.slice(line.operands.length)
    const thing = things.slice(0, 3).join(' ')
    // Each who is written to has to be named, as each package that goes.
    const several =
      act === 'send' ? things.filter((word) => ADDRESS_OF_MAIL.test(word)) : row.each ? things : []
    if (several.length > 1 && !several.includes('$')) {
      for (const each of several.slice(0, SEVERAL_MAX))
        actsOn(effects, effect, {
          kind: object,
          names: [each, ...wordsIn(each.split('@')[0] ?? '').filter((word) => !OF_PARTS.test(word))],
          thing: each,
        })
      continue
    }
    // What another command feeds it is not known, nor all that a pattern takes: `apt purge 'python3*'`.
    const isUnnamed =
      unnamed === true ||
      operands.includes('$') ||
      (row.each === true && things.some((word) => /[*?]/.test(word)))
    // A task that orders a deployment does not yet say that it goes live.
    const isToLive = reach === 'live' && words.some((word) => IS_LIVE.test(word))
    const names = isToLive
      ? LIVE_WORDS
      : [
          ...of,
          ...things.slice(0, 3).map(withoutKey),
          ...wordsIn(
            effect === 'delete' && things.length > 0 && !things.includes('$')
              ? things.slice(0, 6).join(' ')
              : `${plainName(name)} ${operands.slice(0, 6).join(' ')}`,
          ).filter(isNoVerb),
          ...(act === 'publish' ? apps : []),
          ...(isPreview(name, words) ? ['preview'] : []),
          ...(words.includes('--local') ? ['local', 'locally'] : []),
        ]
    if (row.byWords) {
      actsOn(effects, effect, { kind: object, reach, names: of, thing, byName: true })
      continue
    }
    if (byAddress) {
      const addresses = words.flatMap(addressIn)
      actsOn(effects, effect, { kind: object, names: addresses, thing: addresses[0] ?? '', byName: true })
      continue
    }
    actsOn(effects, effect, {
      kind: object,
      reach: isDisposable ? 'disposable' : isPreview(name, words) ? 'shared' : reach,
      names: isUnnamed ? [] : names,
      thing,
      own: ownOf(object, { name, args: words }, isOfCompose),
      byName: byName === true,
    })
    if (act === 'delete' && !isToLive) noteLiveLoss(words, effects)
    if (where === undefined) continue
    const ofPlace = [...where.split(' '), ...apps, ...wordsIn(apps.join(' '))]
    actsOn(effects, effect, { kind: object, reach: 'live', names: ofPlace, thing: apps[0] ?? thing })
  }
}

/** Names under which the session may have made what goes: the volumes of a project of Compose that is called one of trials came with it. */
function ownOf(
  object: ObjectKind,
  call: Pick<Call, 'name' | 'args'>,
  isOfCompose: boolean,
): readonly string[] {
  if (object === 'container') return ownThingOf(call, isTaking)
  const project = object === 'volume' && isOfCompose ? composeOf(call) : ''
  return OF_TRIAL.test(project) ? startedNames('compose', project) : []
}
const OF_TRIAL = longPattern('act-table.OF_TRIAL')

/** Options of Compose that take the next word. */
const OF_COMPOSE = longPattern('act-table.OF_COMPOSE')
/** Options whose value is an app or a stage of a service elsewhere. */
const OF_APP = longPattern('act-table.OF_APP')

const ADDRESS_OF_MAIL = longPattern('act-table.ADDRESS_OF_MAIL')
const SEVERAL_MAX = 6
/** What many packages have in their names. */
const OF_PARTS = longPattern('act-table.OF_PARTS')

/** An address among the words of a command, and its host: `registry=https://npm.corp.example/`. */
function addressIn(word: string): readonly string[] {
  const [address, host] = ADDRESS.exec(word.slice(0, 512)) ?? []
  return address === undefined || host === undefined ? [] : namesOfAddress(address, host)
}
const ADDRESS = longPattern('act-table.ADDRESS')

/** Whether a deployment has an address of its own, beside what is live: Vercel's and Netlify's without options to the contrary. */
const isPreview = (name: string, words: readonly string[]): boolean =>
  /^(?:vercel|netlify)$/.test(plainName(name)) &&
  words[0] === 'deploy' &&
  !words.some((word) => OF_TARGET.test(word))

const isTaking = (word: string): boolean => word === 'rm' || word === 'remove'

/** Whether local programs are ended that are no agent's, nor Plimsoll's, on a disposable machine. */
export const stopsDisposable = (name: string, operands: readonly string[], { world }: Effects): boolean =>
  world?.isDisposable === true &&
  /^(?:p?kill|killall|fuser)$/.test(name) &&
  operands.length > 0 &&
  operands.every((word) => /^[\w./-]{1,64}$/.test(word) && !GUARDS.test(word))
const GUARDS = longPattern('act-table.GUARDS')

/** A verb says what is done, and names nothing that it is done to. */
const isNoVerb = (word: string): boolean =>
  !VERBS.has(word.toLowerCase()) && !/^(?:deletion|removal|termination|destruction)$/i.test(word)

/** The value of an option that counts or waits: `--keep-daily 7`, `--timeout 5m`. */
const COUNT = /^\d{1,6}[smhdwy%]?$/

/** Options that take the next word, which says where and not what. */
const OF_PLACE = longPattern('act-table.OF_PLACE')

/** `bin/rails`, `./node_modules/.bin/prisma`, `prisma@5` and `Stop-Process` are `rails`, `prisma` and `stop-process`. */
const plainName = (name: string): string =>
  name
    .slice(name.lastIndexOf('/') + 1)
    .replace(/(?<=.)@.*$/, '')
    .replace(/\.(?:exe|cmd|bat)$/i, '')
    .toLowerCase()

function noteLaunched(
  before: ReadonlySet<string>,
  words: readonly string[],
  effects: Effects,
  isOfTest: boolean,
): void {
  let at = words.findIndex((word) => !isOption(word))
  const first = words[at]
  if (first === undefined) return
  if (before.has(first)) at += 1
  else if (before.size > 0 && !before.has('*')) return
  while (at < words.length && isOption(words[at] ?? '')) at += 1
  noteLines(words[at] ?? '', words.slice(at + 1), effects, isOfTest)
}

const matchesLine = (line: Line, words: readonly string[], operands: readonly string[]): boolean =>
  line.operands.every((word, i) => matchesGlob(word, operands[i] ?? '')) &&
  line.options.every((option) => hasWord(option, words))

function hasWord(option: string, words: readonly string[]): boolean {
  const equals = option.indexOf('=')
  return words.some(
    (word, i) =>
      matchesGlob(option, word) ||
      (OF_WINDOWS.test(option) && option === word.toLowerCase()) ||
      (equals > 0 &&
        word === option.slice(0, equals) &&
        matchesGlob(option.slice(equals + 1), words[i + 1] ?? '')),
  )
}

const OF_TARGET = longPattern('act-table.OF_TARGET')
