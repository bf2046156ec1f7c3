import type { Act } from '@plimsoll/contracts'
import { readSet } from '../../text/data.js'
import { actionOfVerb } from '../../tools/heuristics/actions.js'
import { wordsOf } from '../../tools/words-of.js'
import { type Call, does, raise } from '../effects.js'
import { hostOfAddress, isInside } from '../web.js'
import { type Given, givenIn } from './given.js'
import { type Around, ROWS, choiceWords, plainOf } from './rows.js'

/** Values whose words tell what a call is about: `cover.garage_door`, and no sentences. */
const ABOUT_MAX = 32

const DRY_RUNS = readSet('values', 'dryRuns')
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
  if (!worst || method === 'GET' || method === 'HEAD') return
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
      Object.keys(args).some((name) => isGuests(wordsOf(name))),
  }
}

const isGuests = (words: readonly string[]): boolean => words.some((word) => GUESTS.has(word))

/** What a value does; the first row that matches. */
const actOf = (given: Given, around: Around, call: Call): Found | undefined =>
  ROWS.find((row) => row.matches(given, around)) ??
  storesIn(given) ??
  selectsAll(given, around) ??
  opensNetwork(given) ??
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
  typeof value === 'string' && /^\s{0,8}(?:0\.0\.0\.0\/0|::\/0)\s{0,8}$/.test(value)
    ? { act: 'grant', reason: 'a value lets every host in' }
    : undefined

/** An address or a host to which something goes from now on. */
function passesOn(given: Given, { tool }: Around, { organisation }: Call): Found | undefined {
  const { value } = given
  if (typeof value !== 'string') return undefined
  const host = hostOfAddress(value)
  const words = pathOf(given)
  if (host !== undefined && words.some((word) => PASSES_ON.has(word)) && !isInside(host, organisation))
    return { act: 'grant', reason: 'an argument lets somebody in' }
  const isHook = words.some((word) => HOOKS.has(word)) && !tool.some((word) => HOOKS.has(word))
  return isHook && /^https?:\/\//i.test(value)
    ? { act: 'send', reason: 'what happens is sent on from now on' }
    : undefined
}

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

/** Arguments that choose what is done by another service. */
const CHOOSES =
  /^(?:action|service|operation|op|event|tool|function|task)(?:[_-]?(?:name|type|key|slug|id))?$/i
const CHOICE = /^[\w.:/-]{2,64}$/

/** A choice whose first verb sends, pays, publishes or deletes: `send_email`, `gmail.send`. */
function chosenIn({ name, value }: Given): Found | undefined {
  if (typeof plainOf(value) !== 'string' || !CHOOSES.test(name) || !CHOICE.test(String(value)))
    return undefined
  const verb = choiceWords(value).find((word) => actionOfVerb(word) !== undefined) ?? ''
  const action = actionOfVerb(verb)
  if (action === 'destroy') return { act: 'delete', reason: 'an argument asks for a deletion' }
  // `forward` alone turns a page.
  if (action !== 'send' || value === 'forward') return undefined
  const act = PAYS.has(verb) ? 'pay' : PUBLISHES.has(verb) ? 'publish' : 'send'
  return { act, reason: `an argument chooses what cannot be taken back` }
}
