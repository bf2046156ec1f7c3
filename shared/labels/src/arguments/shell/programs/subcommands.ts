import { editsNotes } from './github.js'
import { type ClaimedLabels, CAPABILITIES } from '@plimsoll/contracts'
import { PACKAGE } from '../../../acts/text-edits.js'
import { does, raise, signal } from '../../effects.js'
import { actsOn, actsOnUnnamed } from '../../objects.js'
import { type Call, type ShellContext, isOpen, operandsOf } from '../call.js'
import { ownThingOf } from '../own-things.js'
import { changesElsewhere, changesServices, noteChangeElsewhere } from './clusters.js'
import { oneByProgram, programsThat, rowsByProgram } from './command-table.js'
import { type LabelsData, type SubcommandRow, COMMAND_LABELS, labelsFrom } from './commands.js'
import { raiseIrreversible } from './irreversible.js'
import { isTrial, onlyLooks } from './looks.js'
import { noteLive } from './live.js'
import { readRequest } from './pushes.js'
import { isClientTrial, isPlainPull, isRemoteLook, sendsMore } from './remote-looks.js'
import { noteSource } from './sources.js'
import {
  isDeletionWord,
  isStop,
  namesOfTaken,
  namesOfThing,
  restartsPods,
  saysDeletion,
  thingTaken,
  thingsTaken,
} from './taken.js'
import { patternOf, readTable, wordsIn as wordsOfTable, longPattern, readSet } from '../../../text/data.js'

const { LOOK, READ, EXECUTE, ASK, SEND, INSTALL } = COMMAND_LABELS

const NETWORK = CAPABILITIES.indexOf('network')

type Line = readonly [names: ReadonlySet<string>, labels: ClaimedLabels]

/** Commands whose first operands say what they do. All matching lines count. */
const TABLES = new Map<string, readonly Line[]>(
  [...rowsByProgram<SubcommandRow>('subcommands')].map(([name, rows]) => [
    name,
    rows.map(({ words, labels }) => [new Set(wordsOfTable(words)), labelsFrom(labels)] as const),
  ]),
)

/** Programs that take the words of another. */
const ALIASES = oneByProgram<string>('as')

/** Labels of such a command if none of its words is known. */
const OTHERWISE = new Map(
  [...oneByProgram<LabelsData>('otherwise')].map(([name, labels]) => [name, labelsFrom(labels)]),
)

/** Options that select another host or other settings. */
const ELSEWHERE = longPattern('subcommands.ELSEWHERE')
/** Labels of subcommands that only look. */
const LOOKS: ReadonlySet<ClaimedLabels> = new Set([LOOK, READ])
/** Whether a command asks another system in its own words alone. */
const carriesWords = (labels: ClaimedLabels, call: Call): boolean =>
  (labels === ASK && !sendsMore(call)) || (labels === INSTALL && isPlainPull(call))

/**
 * Reads a command with subcommands and raises by them; returns the lines of its table that match, undefined for other commands. `otherwise` holds the labels of its name alone.
 * Subcommands that only look are understood; those that start something or reach an unnamed host are not.
 */
export function readSubcommand(
  call: Call,
  otherwise: ClaimedLabels | undefined,
  context: ShellContext,
): readonly Line[] | undefined {
  const { effects } = context
  const name = ALIASES.get(call.name) ?? call.name
  const table = TABLES.get(name)
  const fallback = OTHERWISE.get(name) ?? otherwise
  if (!fallback || (!table && !OTHERWISE.has(name))) return undefined
  if (isHelp(call)) return []
  const seen = wordsSeen(name, call)
  const lines = (table ?? []).filter(([names]) => seen.some((word) => names.has(word)))
  const reason = `\`${name}\` and what it is asked to do`
  if (isRemoteLook(name, call)) {
    raise(effects, ASK, reason, true)
    for (const loose of call.loose) if (loose) context.variables.demand(loose, 'option')
    signal(effects, 'outside', 1)
    return [[new Set(), ASK]]
  }
  if (isClientTrial(name, call)) {
    raise(effects, READ, reason)
    return [[new Set(), READ]]
  }
  const isRequest = readRequest(name, call, effects)
  if (lines.length === 0) raise(effects, fallback, reason, isRequest)
  for (const [, labels] of lines)
    raise(effects, labels, reason, isRequest || (carriesWords(labels, call) && !isOpen(call) && !call.piped))
  noteActs(
    name,
    call,
    lines.map(([, labels]) => labels),
    context,
  )
  const first = lines.find(([names]) => names.has(seen[0] ?? ''))
  // A later known word says nothing after an unknown first word: `docker frob ps`.
  if (lines.length > 0 && first === undefined) raise(effects, EXECUTE, reason, isRequest)
  readElsewhere(
    call,
    lines.some(([, labels]) => !LOOKS.has(labels)),
    context,
  )
  return lines
}

/** The words of a command that say what it does. `docker compose ps` does what `docker ps` does, to the services of one file. */
function wordsSeen(name: string, call: Call): readonly string[] {
  const operands = operandsOf(call)
  return name === 'docker' && operands[0] === 'compose'
    ? operands.slice(1, 4)
    : [...operands.slice(0, 3), ...call.args.slice(0, 1)]
}

/** Records that a tool of clouds changes what people use, or asks for a change. Call it last; `known`: the objects before the command. */
export function noteLiveSubcommand(
  call: Call,
  lines: readonly Line[],
  { effects }: ShellContext,
  known: number,
): void {
  const name = ALIASES.get(call.name) ?? call.name
  if (!ACTING.has(name) || isHelp(call)) return
  if (name === 'docker' ? !changesServices(call) : !isChangingLive(name, call, lines)) return
  noteLive(call, effects, known)
  if (effects.objects.length === known && changesElsewhere(name, call))
    noteChangeElsewhere(name, call, effects)
}

const DROPS = longPattern('subcommands.DROPS')
const TAKING_OPTION = longPattern('subcommands.TAKING_OPTION')
/** Words that give access, or make something private public. */
const GRANT_WORDS = longPattern('subcommands.GRANT_WORDS')
const PUBLISHES = longPattern('subcommands.PUBLISHES')
const LISTS = longPattern('subcommands.LISTS')
const LOOKING = longPattern('subcommands.LOOKING')
const ACTING = programsThat('platform')

function noteActs(
  name: string,
  call: Call,
  lines: readonly ClaimedLabels[],
  { effects }: ShellContext,
): void {
  if (!ACTING.has(name) || isTrial(call) || isLocalRegistry(call) || editsNotes(call)) return
  const asked = operandsOf(call).slice(0, 4)
  noteVerbs(call, effects)
  // A registry of trials.
  if (name === 'twine' && call.args.some((arg) => /^testpypi$|\/\/test\.pypi\.org\//.test(arg))) return
  // What a script of a project is called is read where it runs.
  const words = RUNS_SCRIPTS.test(name) ? asked.filter((word) => word === 'publish') : asked
  const verb = LISTS.test(asked.at(1) ?? '') ? '' : (words.find((word) => PUBLISHES.test(word)) ?? '')
  const isPushed =
    lines.includes(SEND) &&
    !/^(?:unpublish|deprecate|yank)$/.test(asked[0] ?? '') &&
    (name === 'docker' || name === 'npm' || name === 'cargo' || name === 'poetry')
  if (!(
    isPushed ||
    (name === 'twine' && asked[0] === 'upload') ||
    (name !== 'kubectl' && PUBLISHES.test(verb))
  ))
    return
  does(effects, 'publish')
  const registry = REGISTRIES.get(name)
  if (registry)
    actsOn(effects, 'publish', {
      kind: 'resource',
      reach: 'live',
      names: [PACKAGE, ...registry],
      thing: operandsOf(call).slice(1, 3).join(' '),
    })
}

const RUNS_SCRIPTS = /^(?:npm|yarn|pnpm|bun)$/
const OWNER = longPattern('subcommands.OWNER')
const TO_ALL = readSet('shell', 'toAll')
const AS_OWNER = readSet('shell', 'asOwner')

/** Whether packages go to a registry on this machine. */
const isLocalRegistry = ({ args }: Call): boolean =>
  args.some(
    (arg, i) => LOCAL_REGISTRY.test(arg) && (arg.startsWith('--registry=') || args[i - 1] === '--registry'),
  )

/** Texts that name what goes to a registry of packages: a task to deploy a site does not. */
const REGISTRIES: ReadonlyMap<string, readonly string[]> = new Map(
  [...oneByProgram<string>('registry')].map(([name, words]) => [name, words.split(' ')] as const),
)

/** Whether a command of a framework is about its database: `rails db:drop`, `mix ecto.reset`, `knex migrate:rollback`. */
export const isOfDatabase = ({ args }: Pick<Call, 'args'>): boolean =>
  args.some((arg) => /^(?:db|ecto|migrate|schema|database)[:.]/.test(arg))

/** Records the act of an unknown program by its first words: `zfs destroy`, `heroku apps:destroy`, `stripe refunds create`. */
export function noteVerbs(call: Call, effects: ShellContext['effects']): void {
  const asked = operandsOf(call).slice(0, 4)
  const { args } = call
  // A cache is filled again.
  if (!ACTING.has(call.name) && asked.some((word) => PASSING.test(word))) return
  // What a container runs is read for itself; caches of builds are built again.
  if (call.name === 'git' || isTrial(call) || runsWithin(call, asked)) return
  if (asked[1] === 'prune' && isBuiltAgain(call, asked[0] ?? '')) return
  // Containers that went down come up again; `-v` is in data/commands.json.
  const isDown = asked.includes('down') && (call.name.endsWith('compose') || asked.includes('compose'))
  // What a manifest lists comes back with it.
  const first = /^(?:flutter|dart)$/.test(call.name) && asked[0] === 'pub' ? asked[1] : asked[0]
  const isListed =
    MANIFESTED.has(ALIASES.get(call.name) ?? call.name) &&
    /^(?:uninstall|remove|rm|un|prune|pkg)$/.test(first ?? '')
  const isDeletion =
    args.some((arg) => DROPS.test(arg)) ||
    args.some((arg, i) => /^(?:-X|--method)$/.test(arg) && args[i + 1] === 'DELETE')
  if (
    isDeletion ||
    (!asked.includes('sync') && args.some((arg) => TAKING_OPTION.test(arg))) ||
    (!isDown && !isListed && saysDeletion(call))
  ) {
    raiseIrreversible('delete', 'a program that takes away what is there', effects, 'write')
    // What a script of the project takes away is not known from its words.
    const name = ALIASES.get(call.name) ?? call.name
    if (!isOpen(call) && !call.name.includes('/')) {
      const things = thingsTaken(call)
      const act = restartsPods({ name, args }) || isStop(args) ? 'stop' : 'delete'
      for (const thing of things) {
        const own = ownThingOf(onlyTaking(call, thing, things), isDeletionWord)
        actsOn(effects, act, { kind: 'resource', names: namesOfThing(thing), own, thing })
      }
      const taken = things.length > 0 ? [] : namesOfTaken(call, name, ACTING.has(name))
      const names = isOfDatabase(call) && taken.length > 0 ? [...taken, 'database', 'schema'] : taken
      const own = ownThingOf(call, isDeletionWord)
      if (names.length > 0) actsOn(effects, act, { kind: 'resource', names, own, thing: thingTaken(call) })
    }
  }
  if (ENDS_PROTECTION.test(args.join(' ').slice(0, 1024)))
    raiseIrreversible('grant', 'a program that takes protection off', effects, 'write')
  if (asked.some((word) => /^(?:install|add)$/.test(word)))
    for (const word of operandsOf(call).slice(0, 8)) noteSource(word, effects)
  if (
    args.some((arg) => ADMITS.test(arg)) &&
    asked.some((word) => /^(?:create|add|set-role|update|promote)$/.test(word))
  )
    raiseIrreversible('grant', 'a program that gives access', effects, 'write')
  const text = args.join(' ').slice(0, 2048)
  const opensToAll = OPENS_TO_ALL.test(text)
  const role = OWNER.exec(text)?.[1] ?? ''
  if (opensToAll || asked.some((word) => GRANT_WORDS.test(word)))
    raiseIrreversible('grant', 'a program that gives access', effects, 'write')
  // A task that gives access does not yet give it to all, nor all of it.
  if (opensToAll && !/\b(?:80|443)\b/.test(text))
    actsOn(effects, 'grant', { kind: 'account', names: [...TO_ALL], thing: 'everybody' })
  if (role !== '' && effects.signals['doesGrant'] === 1)
    actsOn(effects, 'grant', { kind: 'account', names: [role, ...AS_OWNER], thing: role })
  if (
    !OF_MACHINE.has(call.name) &&
    !makesTestEvents(call) &&
    asked.some((word) => FOR_OTHERS.test(word)) &&
    !onlyLooks(call)
  )
    actsOnUnnamed(effects, 'request', 'resource')
  const isPaying = call.name === 'stripe' && !args.some((arg) => OF_TEST.test(arg))
  if (isPaying && OF_PAYMENT.test(asked[0] ?? '') && asked.includes('create'))
    raiseIrreversible('pay', 'a program that pays', effects, 'write')
}

/** Whether what is pruned is built or fetched again: layers, images without a name, packages that no project uses. */
const isBuiltAgain = ({ name, args }: Call, kind: string): boolean =>
  /^(?:docker|podman|nerdctl)$/.test(name)
    ? /^buildx?(?:er)?$/.test(kind) ||
      (kind === 'image' && !args.some((arg) => /^(?:--all|-[a-z]*a[a-z]*)$/.test(arg)))
    : name === 'pnpm' && kind === 'store'

/** `call` as if it took away one of the things alone. */
const onlyTaking = (call: Call, thing: string, things: readonly string[]): Call => ({
  ...call,
  args: call.args.filter((arg) => arg === thing || !things.includes(arg)),
})

/** Programs that do so on this machine. */
const OF_MACHINE = readSet('shell', 'subcommandsOfMachine')
/** Words by which a program that is not known changes what others see, not only what is here. */
const FOR_OTHERS = longPattern('subcommands.FOR_OTHERS')

/** Whether a tool of clouds or clusters does more than look, in its own words: what it runs within is read for itself. */
const isChangingLive = (name: string, call: Call, lines: readonly Line[]): boolean =>
  ACTING.has(name) &&
  name !== 'docker' &&
  !call.args.includes('exec') &&
  !onlyLooks(call) &&
  !lines.some(([, found]) => LOOKS.has(found) || found === ASK) &&
  !operandsOf(call)
    .slice(0, 4)
    .some((word) => LISTS.test(word) || LOOKING.test(word))

/** Whether a container or pod runs the rest of the words. */
const runsWithin = ({ name }: Call, asked: readonly string[]): boolean =>
  /^(?:docker|docker-compose|podman|kubectl|oc)$/.test(name) &&
  asked.includes('exec') &&
  !asked.slice(0, asked.indexOf('exec')).some(isDeletionWord)

/** Package managers that keep a list of a project's packages. */
const MANIFESTED = readSet('shell', 'subcommandsManifested')

/** Protection that is taken off, by what it is and how. */
const ENDS_PROTECTION = patternOf(readTable<string>('shell', 'endsProtection'))

/** Options that make somebody an administrator. */
const ADMITS = longPattern('subcommands.ADMITS')

/** `stripe trigger` makes events of the account's test mode; the key of another account or mode may be given. */
const makesTestEvents = (call: Call): boolean =>
  call.name === 'stripe' && operandsOf(call)[0] === 'trigger' && !call.args.some((arg) => OF_LIVE.test(arg))
const OF_LIVE = longPattern('subcommands.OF_LIVE')

/** Names of test data of a client of payments. */
const OF_TEST = longPattern('subcommands.OF_TEST')

function readElsewhere(call: Call, acts: boolean, context: ShellContext): void {
  const { effects, variables } = context
  for (const loose of call.loose) if (loose) variables.demand(loose, 'option')
  if (call.args.some((arg) => ELSEWHERE.test(arg)))
    raise(effects, { ...ASK, reversibility: 'irreversible' }, 'a command that talks to another host')
  else if (!acts || effects.capability < NETWORK) return
  signal(effects, 'outside', 1)
}

/** Whether the command only prints its version or help. */
export const isHelp = ({ args }: Call): boolean =>
  args.length === 1 && /^(?:--help|--version|-V)$/.test(args[0] ?? '')

const OPENS_TO_ALL = longPattern('subcommands.OPENS_TO_ALL')

const PASSING = longPattern('subcommands.PASSING')

const OF_PAYMENT = longPattern('subcommands.OF_PAYMENT')

const LOCAL_REGISTRY = longPattern('subcommands.LOCAL_REGISTRY')
