import { wordsOf } from '../words-of.js'
import { readSet, longPattern } from '../../text/data.js'
import { type Action, SEVERITY, actionOfVerb } from './actions.js'

/** What a tool's input schema shows. */
export interface Schema {
  /** Whether an argument is a URL. */
  readonly takesUrl: boolean
  /** The kind of program that an argument holds: a command line or script, or SQL. */
  readonly takesProgram: 'command' | 'sql' | undefined
  /** The worst operation that an argument can choose, with the argument's name; undefined if no argument chooses. */
  readonly chosen: { readonly argument: string; readonly word: string; readonly action: Action } | undefined
  /** Whether an argument asks to confirm or to force. Such operations are usually irreversible. */
  readonly asksToConfirm: boolean
  /** Whether an argument, by its name or description, is about money. */
  readonly speaksOfMoney: boolean
  readonly hasArguments: boolean
  /** Whether arguments say what is traded, and on which side. */
  readonly trades: boolean
  /** Whether an argument says which one of many it is about. */
  readonly namesOne: boolean
  /** Whether an argument names a person to reach, and none a place that several see. */
  readonly reachesPerson: boolean
  /** Whether an argument says how it is paid. */
  readonly pays: boolean
  /** Whether an argument, or a member of it, says to whom something is passed on. */
  readonly forwards: boolean
}

/** Limits: arguments per tool, and values per argument. */
const ARGUMENTS_MAX = 64
const VALUES_MAX = 64

/** Names of arguments that choose the operation. */
const CHOOSING = longPattern('schema.CHOOSING')
const URL = longPattern('schema.URL')
const COMMAND = longPattern('schema.COMMAND')
const isCommand = (name: string): boolean => COMMAND.test(name) || OWN_COMMAND.test(name)
/** Names of such arguments that say so in two words. */
const OWN_COMMAND = longPattern('schema.OWN_COMMAND')
const SQL = longPattern('schema.SQL')
const CONFIRM = longPattern('schema.CONFIRM')

export function schemaOf(schema: unknown): Schema {
  const properties = Object.entries(membersOf(membersOf(schema)['properties'])).slice(0, ARGUMENTS_MAX)
  const isText = (value: unknown): boolean =>
    [undefined, 'string', 'array'].includes(membersOf(value)['type'] as never)
  const names = properties.map(([name]) => name.slice(0, 100))
  return {
    takesUrl: properties.some(
      ([name, value]) => URL.test(name.slice(0, 100)) || membersOf(value)['format'] === 'uri',
    ),
    takesProgram: properties.some(([name, value]) => isCommand(name) && isText(value) && !isChoice(value))
      ? 'command'
      : properties.some(([name, value]) => SQL.test(name) && /\bsql\b/i.test(textOf(value) + name))
        ? 'sql'
        : undefined,
    chosen: worstOf(
      properties.flatMap(([name, value]) => (CHOOSING.test(name) ? choicesOf(name, value) : [])),
    ),
    asksToConfirm: names.some((name) => CONFIRM.test(name)),
    hasArguments: names.length > 0,
    trades: names.filter((name) => OF_TRADE.test(name)).length > 1,
    namesOne: names.some((name) => ONE.test(name)),
    reachesPerson: names.some((name) => PERSON.test(name)) && !names.some((name) => PLACE.test(name)),
    pays: names.some((name) => PAYS.test(name)),
    forwards: properties.some(
      ([name, value]) =>
        FORWARDS.test(name) ||
        Object.keys(membersOf(membersOf(value)['properties'])).some((key) => FORWARDS.test(key)),
    ),
    speaksOfMoney: properties.some(([name, value]) => speaksOfMoney(wordsOf(`${name} ${textOf(value)}`))),
  }
}

const ONE = longPattern('schema.ONE')
const PERSON = longPattern('schema.PERSON')
const PLACE = longPattern('schema.PLACE')
const PAYS = longPattern('schema.PAYS')
const FORWARDS = longPattern('schema.FORWARDS')
const MONEY = readSet('tools', 'moneyWords')

/** Whether a word of the text is about money, whatever moves it. */
export const speaksOfMoney = (words: readonly string[]): boolean => words.some((word) => MONEY.has(word))

type Chosen = NonNullable<Schema['chosen']>

/** A possible value of an argument, with the action of its word. */
export interface Choice extends Chosen {
  readonly value: string
}

/** What a schema lets an agent choose. */
export interface Choices {
  /** The names of all arguments. */
  readonly arguments: readonly string[]
  /** Operations. */
  readonly choices: readonly Choice[]
  /** Values that keep others out: `private: true`, `visibility: private`. */
  readonly closing: readonly { readonly argument: string; readonly value: string | boolean }[]
}

export function choicesIn(schema: unknown): Choices {
  const properties = Object.entries(membersOf(membersOf(schema)['properties'])).slice(0, ARGUMENTS_MAX)
  return {
    arguments: properties.map(([name]) => name),
    choices: properties.flatMap(([name, value]) => (CHOOSING.test(name) ? choicesOf(name, value) : [])),
    closing: properties.flatMap(([name, value]) =>
      closingIn(name, value).map((each) => ({ argument: name, value: each })),
    ),
  }
}

const closingIn = (name: string, value: unknown): readonly (string | boolean)[] =>
  CLOSES.test(name) && membersOf(value)['type'] === 'boolean'
    ? [!/public$/i.test(name) || /^block/i.test(name)]
    : valuesOf(value).filter((each) => KEEPS_OUT.test(each))

const CLOSES = longPattern('schema.CLOSES')
const KEEPS_OUT = longPattern('schema.KEEPS_OUT')

function choicesOf(argument: string, value: unknown): Choice[] {
  return valuesOf(value).flatMap((choice) => {
    const [word = ''] = wordsOf(choice)
    const action = actionOfVerb(word)
    // A mode in which a device cleans.
    if (word === 'clean' && /(?:mode|type)$/i.test(argument)) return []
    // A way in which somebody is reached.
    if (WAYS.has(word) && /(?:method|type|mode)$/i.test(argument)) return []
    return action ? [{ argument: argument.slice(0, 64), word, action, value: choice }] : []
  })
}

const WAYS: ReadonlySet<string> = new Set(['email', 'sms', 'dm', 'call', 'chat', 'push'])

const worstOf = (chosen: readonly Chosen[]): Chosen | undefined =>
  chosen.reduce<Chosen | undefined>(
    (worst, each) =>
      worst && SEVERITY.indexOf(worst.action) >= SEVERITY.indexOf(each.action) ? worst : each,
    undefined,
  )

const isChoice = (value: unknown): boolean => valuesOf(value).length > 0

/** The listed values of an argument: `enum`, or alternatives with one value each. */
function valuesOf(value: unknown): string[] {
  const { enum: listed, anyOf, oneOf } = membersOf(value)
  const single = [anyOf, oneOf]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((each) => membersOf(each)['const'])
  const all = Array.isArray(listed) ? listed : single
  return all.slice(0, VALUES_MAX).filter((each): each is string => typeof each === 'string')
}

const textOf = (value: unknown): string => {
  const { description } = membersOf(value)
  return typeof description === 'string' ? description.slice(0, 300) : ''
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const OF_TRADE = longPattern('schema.OF_TRADE')
