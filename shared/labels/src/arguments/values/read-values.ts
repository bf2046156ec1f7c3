import { type Act, nameBehindServer } from '@plimsoll/contracts'
import { readSet, longPattern } from '../../text/data.js'
import { keptByName } from '../../text/kept.js'
import { actionOfVerb, isNoun } from '../../tools/heuristics/actions.js'
import { wordsOfName } from '../../tools/words-of.js'
import { type Call, does, raise } from '../effects.js'
import { hostOfAddress, isInside } from '../web.js'
import { type Given, DOCUMENTS, givenIn, hasName } from './given.js'
import { type Around, type Row, CHOICE_MAX, choiceWords, rowFor, rowsOfValue } from './rows.js'

/** Values whose words tell what a call is about: `cover.garage_door`, and no sentences. */
const ABOUT_MAX = 32

const DRY_RUNS = readSet('values', 'dryRuns')
/** First words of tools that only say or show what they are given. */
const SPEAKS = readSet('values', 'tells')
const SELECTS = readSet('values', 'selects')
const EVERY = readSet('values', 'every')
const EVENTS = readSet('values', 'events')
const GUESTS = readSet('values', 'guests')
const ASKS_IN = readSet('values', 'asksIn')
const PASSES_ON = readSet('values', 'passesOn')
const HOOKS = readSet('values', 'hooks')
const PAYS = readSet('values', 'pays')
const PUBLISHES = readSet('values', 'publishes')

/**
 * Records what the values of a labelled tool's arguments let in, give away or take down, whatever the tool is: a role of an administrator, a
 * post that goes live, a protection that is off, no replica. The same tool with other values does nothing of the kind. A tool that only looks
 * is not read, except for queries that store what they find; nor is a dry run. Linear in the arguments.
 */
export function readValues(tool: string, args: Readonly<Record<string, unknown>>, call: Call): void {
  const { worst, effects, method } = call
  if (!worst || method === 'GET' || method === 'HEAD' || onlySpeaks(tool)) return
  const isLook =
    worst.capability === 'read' || (worst.capability === 'network' && worst.reversibility === 'reversible')
  if (isLook && !hasName(args, STORES)) return
  const given = givenIn(args)
  if (given.some(isDryRun)) return
  const around = new CallAround(tool, args, given)
  if (!isLook) note(actOfTool(tool, around, call), effects)
  for (const each of given) note(isLook ? storesIn(each) : actOf(each, around, call), effects)
}

const onlySpeaks = keptByName((tool) => SPEAKS.has(wordsOfName(nameBehindServer(tool))[0] ?? ''))

function note(found: Found | undefined, effects: Call['effects']): void {
  if (!found) return
  raise(effects, { capability: 'write', reversibility: 'irreversible' }, found.reason)
  does(effects, found.act)
}

/** The tool's name, as a choice of what is done, and the rows that match it. */
interface ChosenTool {
  readonly given: Given
  readonly rows: readonly Row[]
}

function chosenBy(tool: string, around: Around): ChosenTool {
  const known = tools.get(tool)
  if (known !== undefined) return known
  const given = { name: TOOL, words: TOOL_WORDS, value: tool, above: [], beside: {} }
  const made = { given, rows: isLong(given) ? [] : rowsOfValue(given, around) }
  if (tools.size >= TOOLS_MAX) tools.clear()
  tools.set(tool, made)
  return made
}

function actOfTool(tool: string, around: Around, call: Call): Found | undefined {
  const { given, rows } = chosenBy(tool, around)
  for (const row of rows) if (row.isThere(given, around)) return row
  return actBesideRows(given, around, call)
}
/** Tools repeat, so these are kept. */
const TOOLS_MAX = 1_024
const tools = new Map<string, ChosenTool>()
const TOOL = 'tool itself'
const TOOL_WORDS = TOOL.split(' ')

/** What is done, and why it is thought so. */
interface Found {
  readonly act: Act
  readonly reason: string
}

const isDryRun = ({ words, value }: Given): boolean =>
  (value === true || typeof value === 'string') &&
  DRY_RUNS.has(words.length === 1 ? (words[0] ?? '') : words.join('+')) &&
  (value === true || (typeof value === 'string' && /^(?:true|all|client|server|yes)$/i.test(value)))

/** Most calls ask for the tool's words alone. A class, as getters of a literal are made for each call. */
class CallAround implements Around {
  readonly tool: readonly string[]
  readonly #args: Readonly<Record<string, unknown>>
  readonly #given: readonly Given[]
  #about: readonly string[] | undefined

  constructor(tool: string, args: Readonly<Record<string, unknown>>, given: readonly Given[]) {
    this.tool = wordsOfName(tool)
    this.#args = args
    this.#given = given
  }

  get about(): readonly string[] {
    return (this.#about ??= [...this.tool, ...aboutOf(this.#given)])
  }

  get mayHaveGuests(): boolean {
    return mayHaveGuests(this.tool, this.#args)
  }
}

const aboutOf = (given: readonly Given[]): readonly string[] =>
  given.slice(0, ABOUT_MAX).flatMap(({ value }) => (/\s/.test(String(value)) ? [] : choiceWords(value)))

function mayHaveGuests(tool: readonly string[], args: Readonly<Record<string, unknown>>): boolean {
  const isMaking = tool.some((word) => word === 'create' || word === 'add' || word === 'schedule')
  if (!isMaking || !tool.some((word) => EVENTS.has(word))) return true
  return Object.keys(args)
    .slice(0, ABOUT_MAX)
    .some((name) => isGuests(wordsOfName(name)))
}

const isGuests = (words: readonly string[]): boolean => words.some((word) => GUESTS.has(word))

/** Texts, and no choices. */
const isLong = ({ value }: Given): boolean => typeof value === 'string' && value.length > CHOICE_MAX

/** What a value does; the first row that matches. */
const actOf = (given: Given, around: Around, call: Call): Found | undefined =>
  (isLong(given) ? undefined : rowFor(given, around)) ?? actBesideRows(given, around, call)

const actBesideRows = (given: Given, around: Around, call: Call): Found | undefined =>
  storesIn(given) ??
  selectsAll(given, around) ??
  opensNetwork(given) ??
  opensByText(given) ??
  passesOn(given, around, call) ??
  asksIn(given, around, call) ??
  chosenIn(given)

/** Stages of a query that write what it finds into a collection. */
const STORES: readonly string[] = ['$out', '$merge']
const storesIn = ({ name, above }: Given): Found | undefined =>
  isStore(name) || above.some(isStore)
    ? { act: 'overwrite', reason: 'a query that stores what it finds' }
    : undefined
const isStore = (name: string): boolean => name.startsWith('$') && STORES.includes(name)

/** An empty selection selects every record. */
const selectsAll = ({ words, value }: Given, { tool }: Around): Found | undefined =>
  value === undefined && SELECTS.has(words.at(-1) ?? '') && tool.some((word) => EVERY.has(word))
    ? { act: 'delete', reason: 'every record is changed' }
    : undefined

/** Addresses of every host. */
const opensNetwork = ({ value }: Given): Found | undefined =>
  typeof value === 'string' && value.length <= NETWORK_MAX && EVERYWHERE.test(value)
    ? { act: 'grant', reason: 'a value lets every host in' }
    : undefined

/** Characters of the longest such value: eight blanks on either side of `255.255.255.255`. */
const NETWORK_MAX = 31

/** Rules and definitions, as texts, that let everybody in. */
const LETS_IN = [
  /\ballow\b[^;{}\n]{0,64}:\s{0,8}if\s{1,8}true\b/i,
  /=\s{0,8}\[?\s{0,8}"(?:0\.0\.0\.0\/0|::\/0)"/,
  /\bacl\s{0,8}=\s{0,8}"public-read/,
]
const TEXT_MAX = 16_384

function opensByText({ words, value }: Given): Found | undefined {
  if (typeof value !== 'string' || !DOCUMENTS.has(words.at(-1) ?? '')) return undefined
  if (!mayLetIn(value)) return undefined
  const text = value.slice(0, TEXT_MAX)
  return LETS_IN.some((form) => form.test(text))
    ? { act: 'grant', reason: 'a text lets everybody in' }
    : undefined
}

/** Whether a form of `LETS_IN` may match, by what each has. Most texts end here, as the forms are slow over long ones. */
const mayLetIn = (text: string): boolean =>
  text.includes('"public-read') || text.includes('/0"') || mayAllowIf(text)

/** Whether an `i` stands behind a colon, as in `: if true`. */
function mayAllowIf(text: string): boolean {
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let at = colon + 1
    while (at < colon + 9 && mayBeSpace(text.charCodeAt(at))) at++
    if ((text.charCodeAt(at) | 32) === LOWER_I) return true
  }
  return false
}
const mayBeSpace = (code: number): boolean => code <= 32 || code >= 128
const LOWER_I = 105

/** An address or a host to which something goes from now on. */
function passesOn(given: Given, { tool }: Around, { organisation }: Call): Found | undefined {
  const { value } = given
  if (typeof value !== 'string') return undefined
  const host = isUnder(PASSES_ON, given) ? hostIn(value) : undefined
  if (host !== undefined && !isInside(host, organisation))
    return { act: 'grant', reason: 'an argument gives access' }
  if (value.includes('"') || value.includes("'"))
    if (FORWARDS.test(value.slice(0, 256))) return { act: 'grant', reason: 'an argument gives access' }
  const isHook = /^https?:\/\//i.test(value) && isUnder(HOOKS, given) && !tool.some((word) => HOOKS.has(word))
  return isHook ? { act: 'send', reason: 'what happens is sent on from now on' } : undefined
}

/** A call that passes on: `forward('https://a.example')`. */
const FORWARDS = longPattern('read-values.FORWARDS')

/** Addresses of people who are asked in. */
function asksIn({ value }: Given, { tool }: Around, { organisation }: Call): Found | undefined {
  if (!tool.some((word) => ASKS_IN.has(word))) return undefined
  const host = hostIn(value)
  return host !== undefined && !isInside(host, organisation)
    ? { act: 'grant', reason: 'an argument gives access' }
    : undefined
}

/** The host of an address; undefined if the value is none. */
const hostIn = (value: Given['value']): string | undefined =>
  typeof value === 'string' && value.length <= ADDRESS_MAX && value.includes('@')
    ? hostOfAddress(value)
    : undefined
const ADDRESS_MAX = 512

/** Whether the name of a value, or of a record that it stands in, has one of some words. */
function isUnder(some: ReadonlySet<string>, { words, above }: Given): boolean {
  for (const word of words) if (some.has(word)) return true
  for (const name of above)
    if (name.length <= 64) for (const word of wordsOfName(name)) if (some.has(word)) return true
  return false
}

/** Arguments that choose what is done by another service, and those that hold a command of the tool's own: `user:delete ann`. */
const CHOOSES = longPattern('read-values.CHOOSES')
const CHOICE = /^[\w.:/-]{2,64}$/
/** Arguments with a method of another service: `users.delete`. */
const CALLS = longPattern('read-values.CALLS')
const CALLED = longPattern('read-values.CALLED')
const COMMANDS = longPattern('read-values.COMMANDS')
const OWN_COMMAND = longPattern('read-values.OWN_COMMAND')

const [IS_CALL, IS_CHOICE, IS_COMMAND] = [1, 2, 4]
/** What a name says of its argument: any of the three. */
const kindOf = keptByName(
  (name) =>
    (CALLS.test(name) ? IS_CALL : 0) |
    (CHOOSES.test(name) ? IS_CHOICE : 0) |
    (COMMANDS.test(name) ? IS_COMMAND : 0),
)

/** What is chosen, if it sends, pays, publishes or deletes: `send_email`, `gmail.send`. */
function chosenIn({ name, value }: Given): Found | undefined {
  if (typeof value !== 'string') return undefined
  const kind = kindOf(name)
  if (kind === 0) return undefined
  const isCalled = (kind & IS_CALL) !== 0 && CALLED.test(value)
  const isChoice = isCalled || ((kind & IS_CHOICE) !== 0 && CHOICE.test(value))
  const chosen = isChoice ? value : (kind & IS_COMMAND) !== 0 ? (OWN_COMMAND.exec(value)?.[1] ?? '') : ''
  if (chosen === '') return undefined
  const verb = verbOf(choiceWords(isCalled ? chosen.slice(chosen.lastIndexOf('.') + 1) : chosen))
  const action = actionOfVerb(verb)
  if (action === 'destroy' && !chosen.includes('cache'))
    return { act: 'delete', reason: 'an argument asks for a deletion' }
  // `forward` alone turns a page.
  if (action !== 'send' || !isChoice || value === 'forward') return undefined
  const act = PAYS.has(verb) ? 'pay' : PUBLISHES.has(verb) ? 'publish' : 'send'
  return { act, reason: 'an argument chooses what cannot be taken back' }
}

/** The verb of a choice: `send` in `gmail.send`, `list` in `post_list`. */
function verbOf(words: readonly string[]): string {
  const [first = '', second = first] = words.filter((word) => actionOfVerb(word) !== undefined)
  return isNoun(first) && actionOfVerb(second) === 'look' ? second : first
}

const EVERYWHERE = longPattern('read-values.EVERYWHERE')
