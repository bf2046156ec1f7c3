import { type Act, toolOnServer } from '@plimsoll/contracts'
import { readSet } from '../../text/data.js'
import { actionOfVerb, isNoun } from '../../tools/heuristics/actions.js'
import { wordsOf } from '../../tools/words-of.js'
import { type Call, does, raise } from '../effects.js'
import { hostOfAddress, isInside } from '../web.js'
import { type Given, DOCUMENTS, givenIn } from './given.js'
import { type Around, CHOICE_MAX, ROWS, choiceWords } from './rows.js'

/** Values whose words tell what a call is about: `cover.garage_door`, and no sentences. */
const ABOUT_MAX = 32

const DRY_RUNS = readSet('values', 'dryRuns')
/** First words of tools that only tell or show what they are given. */
const TELLS = readSet('values', 'tells')
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
  if (
    !worst ||
    method === 'GET' ||
    method === 'HEAD' ||
    TELLS.has(wordsOf(toolOnServer(tool) ?? tool)[0] ?? '')
  )
    return
  const isLook =
    worst.capability === 'read' || (worst.capability === 'network' && worst.reversibility === 'reversible')
  const given = givenIn(args)
  if (given.some(isDryRun)) return
  const around = aroundOf(tool, args, given)
  for (const each of isLook ? given : [chosenBy(tool), ...given]) {
    const found = isLook ? storesIn(each) : actOf(each, around, call)
    if (!found) continue
    raise(effects, { capability: 'write', reversibility: 'irreversible' }, found.reason)
    does(effects, found.act)
  }
}

/** The tool's name, as a choice of what is done. */
const chosenBy = (tool: string): Given => ({
  name: TOOL,
  words: TOOL.split(' '),
  value: tool,
  above: [],
  beside: {},
})
const TOOL = 'tool itself'

/** What is done, and why it is thought so. */
interface Found {
  readonly act: Act
  readonly reason: string
}

const isDryRun = ({ words, value }: Given): boolean =>
  DRY_RUNS.has(words.join('+')) &&
  (value === true || (typeof value === 'string' && /^(?:true|all|client|server|yes)$/i.test(value)))

function aroundOf(tool: string, args: Readonly<Record<string, unknown>>, given: readonly Given[]): Around {
  const words = wordsOf(tool)
  const values = given
    .slice(0, ABOUT_MAX)
    .flatMap(({ value }) => (/\s/.test(String(value)) ? [] : choiceWords(value)))
  const isMaking = words.some((word) => word === 'create' || word === 'add' || word === 'schedule')
  return {
    tool: words,
    about: [...words, ...values],
    mayHaveGuests:
      !isMaking ||
      !words.some((word) => EVENTS.has(word)) ||
      Object.keys(args)
        .slice(0, ABOUT_MAX)
        .some((name) => isGuests(wordsOf(name))),
  }
}

const isGuests = (words: readonly string[]): boolean => words.some((word) => GUESTS.has(word))

/** Texts, and no choices. */
const isLong = ({ value }: Given): boolean => typeof value === 'string' && value.length > CHOICE_MAX

/** What a value does; the first row that matches. */
const actOf = (given: Given, around: Around, call: Call): Found | undefined =>
  (isLong(given) ? undefined : ROWS.find((row) => row.matches(given, around))) ??
  storesIn(given) ??
  selectsAll(given, around) ??
  opensNetwork(given) ??
  opensByText(given) ??
  passesOn(given, around, call) ??
  asksIn(given, around, call) ??
  chosenIn(given)

/** Stages of a query that write what it finds into a collection. */
const storesIn = ({ name, above }: Given): Found | undefined =>
  [name, ...above].some((key) => key === '$out' || key === '$merge')
    ? { act: 'overwrite', reason: 'a query that stores what it finds' }
    : undefined

/** An empty selection selects every record. */
const selectsAll = ({ words, value }: Given, { tool }: Around): Found | undefined =>
  value === undefined && SELECTS.has(words.at(-1) ?? '') && tool.some((word) => EVERY.has(word))
    ? { act: 'delete', reason: 'every record is changed' }
    : undefined

/** Addresses of every host. */
const opensNetwork = ({ value }: Given): Found | undefined =>
  typeof value === 'string' && /^\s{0,8}(?:0\.0\.0\.0\/0|::\/0|255\.255\.255\.255)\s{0,8}$/.test(value)
    ? { act: 'grant', reason: 'a value lets every host in' }
    : undefined

/** Rules and definitions, as texts, that let everybody in. */
const LETS_IN = [
  /\ballow\b[^;{}\n]{0,64}:\s{0,8}if\s{1,8}true\b/i,
  /=\s{0,8}\[?\s{0,8}"(?:0\.0\.0\.0\/0|::\/0)"/,
  /\bacl\s{0,8}=\s{0,8}"public-read/,
]
const TEXT_MAX = 16_384

const opensByText = ({ words, value }: Given): Found | undefined =>
  typeof value === 'string' &&
  DOCUMENTS.has(words.at(-1) ?? '') &&
  LETS_IN.some((form) => form.test(value.slice(0, TEXT_MAX)))
    ? { act: 'grant', reason: 'a text lets everybody in' }
    : undefined

/** An address or a host to which something goes from now on. */
function passesOn(given: Given, { tool }: Around, { organisation }: Call): Found | undefined {
  const { value } = given
  if (typeof value !== 'string') return undefined
  const host = hostOfAddress(value)
  const words = pathOf(given)
  if (host !== undefined && words.some((word) => PASSES_ON.has(word)) && !isInside(host, organisation))
    return { act: 'grant', reason: 'an argument lets somebody in' }
  if (FORWARDS.test(value.slice(0, 256))) return { act: 'grant', reason: 'an argument lets somebody in' }
  const isHook = words.some((word) => HOOKS.has(word)) && !tool.some((word) => HOOKS.has(word))
  return isHook && /^https?:\/\//i.test(value)
    ? { act: 'send', reason: 'what happens is sent on from now on' }
    : undefined
}

/** A call that passes on: `forward('https://a.example')`. */
const FORWARDS = /\b(?:forward|redirect)\s{0,4}\(?\s{0,4}["'](?:https?:\/\/|[\w.+-]{1,64}@)/i

/** Addresses of people who are asked in. */
const asksIn = ({ value }: Given, { tool }: Around, { organisation }: Call): Found | undefined => {
  const host = typeof value === 'string' ? hostOfAddress(value) : undefined
  return host !== undefined && !isInside(host, organisation) && tool.some((word) => ASKS_IN.has(word))
    ? { act: 'grant', reason: 'an argument lets somebody in' }
    : undefined
}

/** The words of the name of a value, and of the records that it stands in. */
const pathOf = ({ words, above }: Given): readonly string[] => [
  ...words,
  ...above.flatMap((name) => (name.length > 64 ? [] : wordsOf(name))),
]

/** Arguments that choose what is done by another service, and those that hold a command of the tool's own: `user:delete ann`. */
const CHOOSES = /^(?:action|service|operation|op|tool|function)(?:[_-]?(?:name|type|key|slug|id))?$/i
const CHOICE = /^[\w.:/-]{2,64}$/
/** Arguments with a method of another service: `users.delete`. */
const CALLS = /^(?:(?:api|rpc)_?)?(?:method|procedure)$/i
const CALLED = /^[A-Za-z]\w{0,32}(?:\.\w{1,32}){1,4}$/
const COMMANDS = /^(?:.{0,32}_)?(?:command|cmd)$/i
const OWN_COMMAND = /^\s{0,8}([a-z]{2,32}:[a-z][a-z:-]{1,32})(?=\s|$)/

/** What is chosen, if it sends, pays, publishes or deletes: `send_email`, `gmail.send`. */
function chosenIn({ name, value }: Given): Found | undefined {
  if (typeof value !== 'string') return undefined
  const isCalled = CALLS.test(name) && CALLED.test(value)
  const isChoice = isCalled || (CHOOSES.test(name) && CHOICE.test(value))
  const chosen = isChoice ? value : COMMANDS.test(name) ? (OWN_COMMAND.exec(value)?.[1] ?? '') : ''
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
