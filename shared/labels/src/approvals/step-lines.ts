import { argumentValues, type ArgumentValue, type Place } from './argument-values.js'
import { IMPORTANCE, type Importance } from './importance.js'
import { visibleText } from './visible-text.js'

/** Characters of a shown value; what is cut of it is told. */
const VALUE_CHARS_MAX = { important: 800, other: 240 } as const
/** Characters of one name of a path, and names of a path. */
const NAME_CHARS_MAX = 60
const NAMES_MAX = 8
const TOOL_CHARS_MAX = 200

/** Lines of each importance, so that many of one leave out none of another. Beyond it their number is told. */
const LINES_MAX: Readonly<Record<Importance, number>> = {
  recipient: 100,
  amount: 50,
  place: 50,
  command: 20,
  other: 30,
}

const LEFT_OUT: Readonly<Record<Importance, string>> = {
  recipient: 'recipients',
  amount: 'amounts',
  place: 'paths, links and ids',
  command: 'commands',
  other: 'values',
}

/**
 * A step as a human is shown it before an approval: the tool, then recipients, amounts, paths and destinations, commands, and the rest. Each
 * value has a line of its own, with its path, and is cut by itself, so that none of them can push another out of sight. What is left
 * out is counted. Nothing in the arguments can break a line, turn the direction of writing or end a value early: strings are in
 * quotes, and a backslash begins an escape or a note. Takes time in proportion to the arguments, whatever they are.
 *
 * @example
 * stepLines('send_email', { body: 'Hello', to: ['ann@example.com'] })
 * // ['tool: send_email', 'to[0]: "ann@example.com"', 'body: "Hello"']
 */
export function stepLines(tool: string, args: Readonly<Record<string, unknown>>): readonly string[] {
  return [`tool: ${visibleText(tool, TOOL_CHARS_MAX)}`, ...argumentLines(args)]
}

/** `stepLines` without the tool; one line that says so where there are no arguments. */
export function argumentLines(args: Readonly<Record<string, unknown>>): readonly string[] {
  const { byImportance, isCut } = argumentValues(args)
  const lines = IMPORTANCE.flatMap((importance) => linesOf(byImportance[importance], importance))
  if (isCut) lines.push('(there are more values than can be looked at: do not approve what nobody has seen)')
  return lines.length > 0 ? lines : ['(no arguments)']
}

function linesOf(values: readonly ArgumentValue[], importance: Importance): readonly string[] {
  const most = LINES_MAX[importance]
  const charsMax = importance === 'other' ? VALUE_CHARS_MAX.other : VALUE_CHARS_MAX.important
  const shown = values
    .slice(0, most)
    .map(({ place, value }) => `${pathText(place)}: ${valueText(value, charsMax)}`)
  const rest = values.length - shown.length
  return rest > 0 ? [...shown, `(${rest} more ${LEFT_OUT[importance]} are not shown)`] : shown
}

function pathText(place: Place): string {
  const keys: (string | number)[] = []
  let count = 0
  for (let at: Place | undefined = place; at; at = at.parent) {
    count += 1
    // The nearest names say most, and the first says whose argument it is.
    if (keys.length < NAMES_MAX || at.parent === undefined) keys.push(at.key)
  }
  const [first = '', ...rest] = keys.toReversed()
  const deep = count > keys.length ? String.raw`\{${count - keys.length} levels}` : ''
  return `${nameText(first, true)}${deep}${rest.map((key) => nameText(key, false)).join('')}`
}

const PLAIN_NAME = /^[A-Za-z_$][\w$-]{0,59}$/

/** A name that could be taken for something else stands in quotes. */
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
  // What JSON does not hold, a caller of the library may still give.
  return visibleText(String(value), charsMax)
}
