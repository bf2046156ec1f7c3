import { type Importance, IMPORTANCE, importanceOfName, importanceOfValue } from './importance.js'
import { visibleText } from './visible-text.js'

/** Values read per step. Longer or cyclic arguments end there. */
const VALUES_MAX = 50_000

/** The position of a value. Its path is only formatted for values that are shown. */
export interface Place {
  readonly parent: Place | undefined
  /** The name of a member, or the index in a list. */
  readonly key: string | number
  readonly importance: Importance | undefined
}

export interface ArgumentValue {
  readonly place: Place
  /** A JSON scalar, or an empty list or object. */
  readonly value: unknown
}

export interface ArgumentValues {
  /** Values in the order of the arguments. */
  readonly byImportance: Readonly<Record<Importance, readonly ArgumentValue[]>>
  /** Whether there are more values than the limit. */
  readonly isCut: boolean
}

/**
 * Groups the scalar values of a step's arguments by importance. A value takes the importance of its nearest known name, or its own if
 * higher: any argument may hold a recipient. Free text may hold anything. Uses an explicit stack, because nesting is unlimited.
 */
export function argumentValues(args: Readonly<Record<string, unknown>>): ArgumentValues {
  const byImportance: Record<Importance, ArgumentValue[]> = {
    recipient: [],
    amount: [],
    place: [],
    command: [],
    other: [],
  }
  const open: ArgumentValue[] = []
  let left = VALUES_MAX
  let isCut = false
  const push = (parent: Place | undefined, container: object) => {
    const members = membersOf(parent, container, left)
    isCut ||= members.isCut
    left -= members.values.length
    // The stack is last in, first out.
    for (const member of members.values.toReversed()) open.push(member)
  }
  push(undefined, args)
  for (let next = open.pop(); next; next = open.pop()) {
    const { place, value } = next
    if (hasMembers(value)) push(place, value)
    else byImportance[importanceOf(next)].push(next)
  }
  return { byImportance, isCut }
}

function hasMembers(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0
}

/** The first `most` members of a list or an object. */
function membersOf(
  parent: Place | undefined,
  container: object,
  most: number,
): { readonly values: ArgumentValue[]; readonly isCut: boolean } {
  const inherited = parent?.importance
  const all = Array.isArray(container)
    ? container.slice(0, most).map((member: unknown, key) => memberOf(parent, key, member, inherited))
    : Object.entries(container)
        .slice(0, most)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]: [string, unknown]) =>
          memberOf(parent, key, member, importanceOfName(key) ?? inherited),
        )
  const count = Array.isArray(container) ? container.length : Object.keys(container).length
  return { values: all, isCut: count > most }
}

const memberOf = (
  parent: Place | undefined,
  key: string | number,
  value: unknown,
  importance: Importance | undefined,
): ArgumentValue => ({ place: { parent, key, importance }, value })

function importanceOf({ place: { importance: named }, value }: ArgumentValue): Importance {
  // Free text may begin with a path, but an address always counts.
  if (named === 'other' && importanceOfValue(value) !== 'recipient') return 'other'
  const found = importanceOfValue(value)
  const ranks = [named, found].flatMap((each) => (each === undefined ? [] : [IMPORTANCE.indexOf(each)]))
  return IMPORTANCE[Math.min(...ranks, IMPORTANCE.length - 1)] ?? 'other'
}

/** Characters per value; a note says how much is cut. */
const VALUE_CHARS_MAX = { important: 800, other: 240 } as const
/** Limits for paths: characters per name, and names. */
const NAME_CHARS_MAX = 60
const NAMES_MAX = 8
const TOOL_CHARS_MAX = 200

/** Most lines per importance, so that many of one kind hide none of another. The rest is counted under `plural`. */
const SHOWN: Readonly<Record<Importance, readonly [linesMax: number, plural: string]>> = {
  recipient: [100, 'recipients'],
  amount: [50, 'amounts'],
  place: [50, 'paths, links and ids'],
  command: [20, 'commands'],
  other: [30, 'values'],
}

/**
 * The lines of a step for an approver: tool, recipients, amounts, paths and destinations, commands, the rest. Each value has its own line
 * with its path and is cut alone, so none can push another out of sight; omitted ones are counted. Arguments cannot break a line, change
 * the writing direction or end a value early: strings are quoted, and a backslash begins an escape or a note. Linear in the arguments.
 *
 * @example
 * stepLines('send_email', { body: 'Hello', to: ['ann@example.com'] })
 * // ['tool: send_email', 'to[0]: "ann@example.com"', 'body: "Hello"']
 */
export function stepLines(tool: string, args: Readonly<Record<string, unknown>>): readonly string[] {
  return [`tool: ${visibleText(tool, TOOL_CHARS_MAX)}`, ...argumentLines(args)]
}

/** `stepLines` without the tool. Without arguments, one line says so. */
export function argumentLines(args: Readonly<Record<string, unknown>>): readonly string[] {
  const { byImportance, isCut } = argumentValues(args)
  const lines = IMPORTANCE.flatMap((importance) => linesOf(byImportance[importance], importance))
  if (isCut) lines.push('(there are more values than can be shown: do not approve what you have not seen)')
  return lines.length > 0 ? lines : ['(no arguments)']
}

function linesOf(values: readonly ArgumentValue[], importance: Importance): readonly string[] {
  const [most, plural] = SHOWN[importance]
  const charsMax = importance === 'other' ? VALUE_CHARS_MAX.other : VALUE_CHARS_MAX.important
  const shown = values
    .slice(0, most)
    .map(({ place, value }) => `${pathText(place)}: ${valueText(value, charsMax)}`)
  const rest = values.length - shown.length
  return rest > 0 ? [...shown, `(${rest} more ${plural} are not shown)`] : shown
}

function pathText(place: Place): string {
  const keys: (string | number)[] = []
  let count = 0
  for (let at: Place | undefined = place; at; at = at.parent) {
    count += 1
    // The last names say most, and the first says which argument it is.
    if (keys.length < NAMES_MAX || at.parent === undefined) keys.push(at.key)
  }
  const [first = '', ...rest] = keys.toReversed()
  const deep = count > keys.length ? String.raw`\{${count - keys.length} levels}` : ''
  return `${nameText(first, true)}${deep}${rest.map((key) => nameText(key, false)).join('')}`
}

const PLAIN_NAME = /^[A-Za-z_$][\w$-]{0,59}$/

/** Quotes a name that could be mistaken for something else. */
function nameText(key: string | number, isFirst: boolean): string {
  if (typeof key === 'number') return `[${key}]`
  if (PLAIN_NAME.test(key)) return isFirst ? key : `.${key}`
  const quoted = `"${visibleText(key, NAME_CHARS_MAX)}"`
  return isFirst ? quoted : `[${quoted}]`
}

function valueText(value: unknown, charsMax: number): string {
  if (typeof value === 'string') return `"${visibleText(value, charsMax)}"`
  if (Array.isArray(value)) return '[]'
  if (typeof value === 'object' && value !== null) return '{}'
  // Callers of the library may pass values that JSON does not have.
  return visibleText(String(value), charsMax)
}
