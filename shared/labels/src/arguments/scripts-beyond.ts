import { longPattern, readSet } from '../text/data.js'
import type { ActedOn } from './effects.js'

/** Kinds of things that others use, where a command line names them. */
const OF_OTHERS: ReadonlySet<string | undefined> = readSet('shell', 'ofOthers')
/** Containers and images of this machine, which are made again; a volume is not. */
const OF_CONTAINERS = longPattern('scripts-beyond.OF_CONTAINERS')
/** A name that only the run knows: a variable. */
const OPEN = /^[^\w~./-]?\$|\$[({]|^\$/

/**
 * Whether a script that somebody else wrote does something beyond the own project, by what its text shows: elsewhere on the machine, to what
 * others use, to what guards the agent. Scripts of projects delete what they build and stop what they started; what only the run knows,
 * and what code mentions without a place, is not known of them.
 *
 * @param isCode whether the script is a program, in which most functions are not reached
 */
export function reachesBeyond({ by = '', kind, reach, names, thing }: ActedOn, isCode: boolean): boolean {
  if (names.length === 0 || (thing !== undefined && OPEN.test(thing))) return false
  if (reach === undefined)
    return !isCode && OF_OTHERS.has(kind) && !(kind === 'resource' && OF_CONTAINERS.test(by))
  return reach === 'shared' || reach === 'live' || reach === 'control'
}

/**
 * A script as it is read for that: without functions that it does not call, and with the home of the user by its short name. Linear.
 */
export function calledParts(text: string): string {
  const counts = new Map<string, number>()
  for (const [word] of text.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1)
  let kept = ''
  let from = 0
  for (const match of text.matchAll(FUNCTION)) {
    if (match.index < from || (counts.get(match[1] ?? '') ?? 0) > 1) continue
    const end = text.indexOf('\n}', match.index)
    if (end < 0) break
    kept += text.slice(from, match.index)
    from = end + 2
  }
  return (kept + text.slice(from)).replaceAll(HOME, '~')
}
const WORD = /[\w-]{1,64}/g
/** A function whose last bracket stands at the beginning of a line. */
const FUNCTION = longPattern('scripts-beyond.FUNCTION')
const HOME = /\$(?:HOME\b|\{HOME\})/g
