import { type CatalogueEntry } from '@plimsoll/contracts'
import { type Segment, defaultReadingOf, readCommandLine } from '@plimsoll/labels'
import type { CompiledExpression } from './expressions.js'

/**
 * How a condition on command text reads a compound. A pattern `against` the session looks for its text in each command, one `for` it too, but
 * only as it is written. A pattern that `lifts` needs it in every command that does more than look. Source:
 * docs/reference/policy-semantics.md.
 */
export type TextSide = 'against' | 'for' | 'lifts'

/** Whether an argument of a tool is a command line, and of PowerShell: by the tool's catalogue entry, else by the argument's name. */
export type IsCommand = (name: string) => boolean | 'powershell'

export function commandsOf(entry: CatalogueEntry | undefined): IsCommand {
  return (name) => {
    const listed = entry?.arguments?.find((each) => each.in === name || each.in === '*')
    const reading = listed?.as ?? defaultReadingOf(name)
    return reading === 'shell' || (reading === 'powershell' && reading)
  }
}

type Args = Readonly<Record<string, unknown>>

/** The value of a condition on a step's arguments; null if unknown. */
export function readTruth(
  { evaluate, searches, texts }: CompiledExpression,
  args: Args,
  side: TextSide,
  isCommand: IsCommand,
): boolean | null {
  const whole = truthOf(evaluate(args))
  const commands = texts.filter((name) => isCommand(name) && textIn(args[name]) !== undefined)
  if (commands.length === 0) return whole
  const holds = (name: string, text: string): boolean =>
    truthOf(evaluate({ ...args, [name]: withText(args[name], text) })) === true
  if (side === 'against') return isFound(args, commands, holds, whole)
  // A text that is compared as a whole was written by the policy's author as a whole.
  const isSearched = commands.some((name) => searches.includes(name))
  if (!isSearched && whole === true) return true
  const isWritten =
    (name: string) =>
    ({ forms, masked }: Segment) =>
      forms.every((form) => holds(name, form)) &&
      // What lifts a command names it, not only words that another command may have too.
      !(side === 'lifts' && masked.some((form) => holds(name, form)))
  return commands.some((name) => {
    const text = textIn(args[name]) ?? ''
    const segments = readCommandLine(text).segments()
    if (segments === undefined) return false
    if (side === 'lifts' && isCommand(name) === 'powershell' && OF_POWERSHELL.test(text)) return false
    if (side === 'for') return segments.some(isWritten(name))
    const acting = segments.filter(({ acts }) => acts)
    return segments.length > 0 && (acting.length > 0 ? acting : segments).every(isWritten(name))
  })
}

/** What PowerShell may read otherwise than a POSIX shell: escapes, blocks, lists, its other quotes, `<# … #>`, `--%`, a second line. */
const OF_POWERSHELL = /[\\`{@<%\r\n\u2018-\u201e]/

function isFound(
  args: Args,
  commands: readonly string[],
  holds: (name: string, text: string) => boolean,
  whole: boolean | null,
): boolean | null {
  if (whole === true) return true
  for (const name of commands) {
    const spellings = readCommandLine(textIn(args[name]) ?? '').spellings()
    if (spellings === undefined) return null
    if (spellings.some((spelling) => holds(name, spelling))) return true
  }
  return whole
}

const truthOf = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)

/** The command line of an argument: a text, or the script of `['bash', '-lc', 'a; b']`. */
function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return isScriptCall(value) ? value[2] : undefined
}

const withText = (value: unknown, text: string): unknown =>
  isScriptCall(value) ? [value[0], value[1], text, ...value.slice(3)] : text

const isScriptCall = (value: unknown): value is [string, string, string, ...unknown[]] =>
  Array.isArray(value) &&
  value.length >= 3 &&
  value.slice(0, 3).every((word) => typeof word === 'string') &&
  /(?:^|\/)(?:ba|z|da|k)?sh$/.test(value[0]) &&
  /^-[a-z]*c$/.test(value[1])
