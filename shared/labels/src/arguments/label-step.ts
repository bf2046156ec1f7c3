import {
  type Act,
  type CatalogueEntry,
  type Organisation,
  type Signals,
  type ToolLabels,
  type WhenRule,
  CAPABILITIES,
  matchesTool,
} from '@plimsoll/contracts'
import { actionOfVerb } from '../tools/heuristics/actions.js'
import { type Scalar, defaultReadingOf, isSqlAlone, takesAway, valuesOf } from '../tools/values.js'
import { wordsOf } from '../tools/words-of.js'
import { readDestinations } from './destinations.js'
import {
  type Call,
  type Effects,
  createEffects,
  does,
  labelsOf,
  raise,
  signal,
  signalsOf,
  unreadable,
} from './effects.js'
import { readArgument, readTogether } from './readings.js'
import { FORBIDDEN_TAGS } from './shell/programs/forbidden.js'
import { readShell } from './shell/read-shell.js'
import { readWrittenCode } from './written-code.js'
import { readByWord } from '../text/data.js'

/** Tools that press what a page shows, by a word of their name. */
const PRESSES: ReadonlySet<string> = new Set(['click', 'press', 'tap', 'dblclick', 'submit'])
/** Arguments that say what is pressed, for a person or as a selector. */
const PRESSED = /^(?:element|selector|label|button|button_?text|link_?text|name|text|target)$/i
const TEXT_MAX = 256

/** What a button says it does for good. Words that are things as often (`post`, `order`, `message`) are left out. */
const SAYS = readByWord<Act>('arguments', 'pressed')

/**
 * Notes what a press does by the words of what is pressed: `Delete account`, `#pay-now`. A lower bound: nobody can tell what a press at a place
 * of the screen does. Linear in texts of at most `TEXT_MAX` characters.
 */
export function noteClick(tool: string, args: Readonly<Record<string, unknown>>, call: Call): void {
  if (!call.worst || !wordsOf(tool).some((word) => PRESSES.has(word))) return
  for (const name in args) {
    const text = args[name]
    if (typeof text !== 'string' || !PRESSED.test(name)) continue
    for (const word of wordsOf(text.slice(0, TEXT_MAX))) {
      const act = SAYS.get(word)
      if (!act) continue
      raise(
        call.effects,
        { reversibility: 'irreversible' },
        'it presses what says that it cannot be taken back',
      )
      does(call.effects, act)
    }
  }
}

/** Arguments of one call that are looked at. */
const ARGUMENTS_MAX = 256
/** Characters of a text that a pattern is tried on; a longer one counts as meant, and as not understood. */
const PATTERN_TEXT_MAX = 4096

/** What one call is. */
export interface StepLabelling {
  /**
   * The catalogue's labels as the arguments make them. For a tool without an entry: what the arguments alone show, a lower bound that
   * says nothing of the tool.
   */
  readonly labels: ToolLabels
  /** Labels were brought down by arguments, as far as the entry's `least` lets them; otherwise arguments have only raised them. */
  readonly derived: boolean
  /** Why, for a person; holds no text of the call. At most 16. */
  readonly reasons: readonly string[]
  /**
   * `outside`: share of recipients or hosts outside the organisation. `amount`: logarithm of the amount. `load`: how much a URL carries.
   * `destructive`, `privileged`, `unreadable`: 1 where it is so. `complete`: 1 where all that the call runs and sends stands in its
   * arguments and was understood. `records`: 1 where it names files or records whose content may leave with it. `external`: 1 where it may reach somebody outside the
   * organisation; `strangers`: 1 where nobody knows whether it does. `runner`: 1 where it runs what the project itself defines as its test, build or lint. `code`: 1 where it
   * writes what a later step may run: the definition of such a target, or a program that can send or start others.
   */
  readonly signals: Signals
}

/**
 * What one call of `tool` does, by its arguments: deterministic, linear in their size, never throws. With `least` in the entry the labels
 * are `least` joined with what each argument shows, and the entry's `labels` where nothing telling was understood; without it they are
 * the entry's `labels` joined with what the arguments show. So a further dangerous part never lowers a label.
 *
 * @example labelStep('bash', { command: 'ls -la' }, entryOf('bash'), undefined).labels.capability // 'read'
 */
export function labelStep(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  entry: CatalogueEntry | undefined,
  organisation: Organisation | undefined,
): StepLabelling {
  const effects = createEffects()
  const call = callOf(tool, effects, entry, organisation)
  try {
    readArguments(args, entry, call)
    readDestinations(args, listedIn(entry), call)
    readWrittenCode(args, call)
    readTogether(call)
    noteClick(tool, args, call)
    readGitWords(tool, args, call)
    if (takesPlimsollAway(tool, args, effects))
      raise(effects, { tags: [FORBIDDEN_TAGS.plimsoll] }, 'a step that takes Plimsoll away')
    if (entry && isOfTheWeb(entry) && call.place === undefined) signal(effects, 'external', 1)
  } catch {
    // A value that throws when it is looked at, a parser's mistake: nothing is known, so the worst is.
    call.understood = false
    unreadable(effects, 'arguments that cannot be read')
  }
  return labellingOf(tool, entry, call)
}

/** A tool by which public pages of strangers are read goes outside the organisation, where its arguments name no place. */
const isOfTheWeb = ({ labels }: CatalogueEntry): boolean =>
  labels.capability === 'network' && labels.confidentiality === 'public' && labels.trust === 'untrusted'

function labellingOf(tool: string, entry: CatalogueEntry | undefined, call: Call): StepLabelling {
  const { effects } = call
  const derived = entry?.least !== undefined && (call.understood || onlyTemporary(entry, call))
  const base = derived ? entry.least : entry?.labels
  // A tool that reaches out sends its arguments; what a tool runs is known only where its arguments tell.
  if (base) raise(effects, base, undefined, base.capability === 'network' || call.understood)
  if (derived && !call.understood)
    raise(effects, { ...entry.labels, reversibility: 'reversible' }, 'only temporary files')
  if (!entry) {
    raise(effects, {}, `no catalogue knows \`${tool.slice(0, 64)}\``)
    effects.complete = false
  }
  if (effects.complete) signal(effects, 'complete', 1)
  // A program that reaches out and is not understood may reach anybody.
  else if (entry?.labels.capability === 'execute' && effects.capability === NETWORK)
    signal(effects, 'external', 1)
  return { labels: labelsOf(effects), derived, reasons: effects.reasons, signals: signalsOf(effects) }
}

const NETWORK = CAPABILITIES.indexOf('network')

/** A tool that writes files and nothing else leaves nothing behind in a temporary folder. */
const onlyTemporary = (entry: CatalogueEntry, call: Call): boolean =>
  entry.labels.capability === 'write' && call.temporary === true

const callOf = (
  tool: string,
  effects: Effects,
  entry: CatalogueEntry | undefined,
  organisation: Organisation | undefined,
): Call => ({
  effects,
  organisation,
  worst: entry?.labels,
  isOfDatabase: DATABASES.test(tool.slice(0, 200)),
  asked: entry?.least !== undefined || isListed(entry),
  understood: false,
  method: undefined,
  place: undefined,
  temporary: undefined,
  paths: new Set(),
  outside: 0,
  recipients: 0,
})

function readArguments(
  args: Readonly<Record<string, unknown>>,
  entry: CatalogueEntry | undefined,
  call: Call,
): void {
  if (!isListed(entry)) return readByName(args, call)
  for (const { in: name, as } of entry?.arguments ?? [])
    for (const value of argumentsOf(args, name, call)) readArgument(value, as, call)
  readUnlisted(args, entry, call)
  for (const rule of entry?.when ?? [])
    for (const value of argumentsOf(args, rule.in, call)) readWhen(rule, value, call)
}

/** Arguments that the catalogue says how to read. */
const listedIn = (entry: CatalogueEntry | undefined): ReadonlySet<string> =>
  new Set(entry?.arguments?.filter(({ as }) => as !== 'path').map((argument) => argument.in))

const isListed = (entry: CatalogueEntry | undefined): boolean =>
  entry?.arguments !== undefined || entry?.when !== undefined

/** What runs what it is given. */
const PROGRAMS: ReadonlySet<string> = new Set(['shell', 'code', 'sql'])

/**
 * What a tool that runs programs is given under names that its entry does not list: any of them may be the program. A list of words beside a
 * command belongs to it.
 */
function readUnlisted(
  args: Readonly<Record<string, unknown>>,
  entry: CatalogueEntry | undefined,
  call: Call,
): void {
  const listed = entry?.arguments ?? []
  const program = listed.find(({ as }) => PROGRAMS.has(as))
  if (!program) return
  const isKnown = (name: string): boolean =>
    name === '*' || listed.some(({ in: own }) => own === name || own === '*')
  const isThere = listed.some(
    ({ in: own, as }) => PROGRAMS.has(as) && (own === '*' || Object.hasOwn(args, own)),
  )
  const others = Object.keys(args)
    .slice(0, ARGUMENTS_MAX)
    .filter((name) => !isKnown(name))
  const { understood } = call
  for (const name of others) {
    if (!isThere && typeof args[name] !== 'number' && typeof args[name] !== 'boolean')
      readArgument(args[name], program.as, call)
    else if (Array.isArray(args[name]) && /^(?:args|argv|arguments|params|parameters)$/i.test(name))
      readArgument([args[program.in], ...(args[name] as unknown[])], program.as, call)
  }
  // They raise, and lower nothing: what the tool makes of them nobody says.
  call.understood = understood
}

function readWhen(rule: WhenRule, value: unknown, call: Call): void {
  const { scalars, cut } = valuesOf(value)
  const long = cut || (rule.matches !== undefined && scalars.some(isLong))
  if (long) tooMuch(call)
  if (!long && !scalars.some((scalar) => holds(rule, scalar))) return
  raise(call.effects, rule.labels, `\`${rule.in}\` has a value that the catalogue names`)
  if (!long) call.understood = true
}

/** The argument of that name, or all of them. */
function argumentsOf(args: Readonly<Record<string, unknown>>, name: string, call: Call): unknown[] {
  if (name !== '*') return Object.hasOwn(args, name) ? [args[name]] : []
  const values: unknown[] = []
  for (const key in args) {
    if (values.length >= ARGUMENTS_MAX) {
      tooMuch(call)
      break
    }
    values.push(args[key])
  }
  return values
}

/** What is wrapped is read like what is not: `params: { sql }`, `requests: [{ method }]`. */
function readWithin(value: unknown, call: Call, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  for (const member of Array.isArray(value) ? value.slice(0, 16) : [value])
    if (typeof member === 'object' && member !== null && !Array.isArray(member))
      readByName(member as Readonly<Record<string, unknown>>, call, depth)
}

const DEPTH_MAX = 3

function readByName(args: Readonly<Record<string, unknown>>, call: Call, depth = 0): void {
  let count = 0
  for (const name in args) {
    count += 1
    if (count > ARGUMENTS_MAX) return tooMuch(call)
    if (choosesToTakeAway(name, args[name])) takeAway(call)
    const as = defaultReadingOf(name)
    if (depth < DEPTH_MAX && as === undefined) readWithin(args[name], call, depth + 1)
    if (!as) continue
    if (as === 'sql' && (isSqlAlone(name) || call.isOfDatabase))
      readArgument(args[name], as, { ...call, asked: true })
    else readArgument(args[name], as, call)
    if (as === 'flag' && args[name] === true && takesAway(name)) takeAway(call)
  }
}

/** A step whose arguments ask for a deletion deletes, whatever its tool does otherwise. A tool that only reads cannot. */
function takeAway({ effects, worst }: Call): void {
  if (worst?.capability === 'read') return
  raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'an argument asks for a deletion')
  does(effects, 'delete')
}

/** `git_push { args: ['--force'] }` is `git push --force`. */
function readGitWords(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  { effects, organisation }: Call,
): void {
  const [git, ...command] = wordsOf(tool)
  if (git !== 'git' || command.length === 0) return
  const words = ['args', 'arguments', 'flags', 'options', 'refspec', 'branch'].flatMap((name) =>
    Object.hasOwn(args, name) ? valuesOf(args[name]).scalars.slice(0, 32).map(String) : [],
  )
  const plain = words
    .flatMap((word) => word.split(/\s+/))
    .filter((word) => /^[\w./:=@%+,-]{1,256}$/.test(word))
  if (plain.length === 0) return
  const own = createEffects()
  readShell(['git', command.join('-'), 'origin', ...plain].join(' '), own, organisation)
  if (own.signals['doesOverwrite'] === undefined && own.signals['doesDelete'] === undefined) return
  raise(effects, { capability: 'write', reversibility: 'irreversible' }, '`git` that throws work away')
  does(effects, 'overwrite')
}

/** Tools that take away, by their name or by what their arguments say, and whose arguments name Plimsoll. */
function takesPlimsollAway(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  { signals }: Effects,
): boolean {
  if (signals['doesDelete'] === undefined && !wordsOf(tool).some((word) => actionOfVerb(word) === 'destroy'))
    return false
  return Object.values(args)
    .slice(0, ARGUMENTS_MAX)
    .some(
      (value) =>
        typeof value === 'string' &&
        value.length <= PATTERN_TEXT_MAX &&
        /^@?plimsoll(?:$|[/._-]\S*$)|\/plimsoll(?:$|\/)/i.test(value),
    )
}

/** Arguments that choose what a tool does: `operation: delete`. */
const CHOOSING =
  /(?:^|[_-])(?:actions?|operations?|op|command|sub_?command|verb|mode|intent)(?:[_-]?(?:type|name))?$|(?:Action|Operation)(?:Type|Name)?s?$/i
const CHOICE_MAX = 64

function choosesToTakeAway(name: string, value: unknown): boolean {
  if (name.length > CHOICE_MAX || !CHOOSING.test(name)) return false
  const { scalars } = valuesOf(value)
  return scalars.slice(0, 16).some(
    (choice) =>
      typeof choice === 'string' &&
      choice.length <= CHOICE_MAX &&
      // A command line is read as one.
      !/\s/.test(choice) &&
      wordsOf(choice).some((word) => actionOfVerb(word) === 'destroy'),
  )
}

/** Words of a tool's name by which what it is asked is SQL. */
const DATABASES =
  /(?:^|[^a-z])(?:sql|postgres(?:ql)?|pg|mysql|mariadb|sqlite|duckdb|snowflake|bigquery|redshift|clickhouse|mssql)(?:[^a-z]|$)/i

function tooMuch({ effects, worst }: Call): void {
  effects.complete = false
  if (worst) raise(effects, worst, 'arguments that are too large to read')
  signal(effects, 'unreadable', 1)
}

const isLong = (scalar: Scalar): boolean => typeof scalar === 'string' && scalar.length > PATTERN_TEXT_MAX

const holds = ({ equals, matches }: WhenRule, scalar: Scalar): boolean =>
  matches === undefined ? scalar === equals : typeof scalar === 'string' && matchesTool(matches, scalar)
