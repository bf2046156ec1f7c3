import { isFileName } from '../../acts/product-words.js'
import { longPattern } from '../../text/data.js'
import { type Effects, LOSSES } from '../effects.js'
import { actsOn, wordsIn } from '../objects.js'
import type { Call, ShellContext } from './call.js'
import { namesOfThing } from './programs/taken.js'

type UnreadAct = 'delete' | 'grant' | 'pay'

/** What was known before a command. */
export interface Before {
  readonly objects: number
  readonly noted: number
  readonly grants: number | undefined
  readonly pays: number | undefined
}

export const effectsBefore = ({ objects, noted, signals }: Effects): Before => ({
  objects: objects.length,
  noted,
  grants: signals.doesGrant,
  pays: signals.doesPay,
})

/**
 * Records that a command takes away, lets in or pays what was not read: a task asks for it if it names the command or one of its words, not
 * because it deletes something else, or lets in another. Source: docs/decisions/20261130-who-wrote-it.md.
 *
 * @param open bits of what is lost without an object of its own
 */
export function noteUnread(call: Call, before: Before, open: number, context: ShellContext): void {
  const { objects, noted, signals } = context.effects
  const acts: UnreadAct[] = []
  if ((open & LOSSES.delete) !== 0) acts.push('delete')
  if (before.grants !== signals.doesGrant) acts.push('grant')
  if (before.pays !== signals.doesPay) acts.push('pay')
  if (acts.length === 0 || isReadElsewhere(call, context)) return
  const made = objects.slice(before.objects)
  // A request says where, not what. What is there already was recorded too.
  if (noted - before.noted !== made.length || made.some(({ act }) => act !== 'request')) return
  for (const act of acts)
    actsOn(context.effects, act, {
      kind: act === 'grant' ? 'account' : 'resource',
      names: namesOf(call, act),
      thing: '',
    })
}

/** Whether what it acts on is known only at run time, is fed by another command or a loop, or is read for itself, as a script of the project is. */
const isReadElsewhere = ({ name, args, open, piped }: Call, { whole }: ShellContext): boolean =>
  open.includes(true) ||
  args.includes('{}') ||
  name.includes('/') ||
  (piped && args.every((arg) => arg.startsWith('-'))) ||
  STARTS_OTHERS.test(name) ||
  FED.test(whole)

/** What starts other commands, or runs code; and what ends a program by its number. */
const STARTS_OTHERS = longPattern('unread.STARTS_OTHERS')
const FED = longPattern('unread.FED')

function namesOf({ name, args }: Call, act: UnreadAct): string[] {
  const words = args.filter((arg) => !arg.startsWith('-')).slice(0, WORDS_MAX)
  const named = words.flatMap((word) => (act === 'delete' ? namesOfThing(word) : namesGiven(word)))
  return [
    name,
    ...named.filter((each) => !isFileName(each)),
    ...(words.some((word) => OF_DATABASE.test(word)) ? ['database', 'db', 'data', 'schema', 'tables'] : []),
  ]
}
const WORDS_MAX = 8
/** A task of a framework: `rails db:drop`. */
const OF_DATABASE = longPattern('unread.OF_DATABASE')

/** A word, those of a text in another language, and those of a file's name: `GRANT SELECT ON sales TO bi`, `/etc/ssh/sshd_config`. */
const namesGiven = (word: string): readonly string[] =>
  (/\s/.test(word) ? wordsIn(word) : [word, ...wordsIn(word.slice(word.lastIndexOf('/') + 1))]).filter(
    (each) => !OF_GRANTS.test(each),
  )
/** Words that any order to grant access has. */
const OF_GRANTS = longPattern('unread.OF_GRANTS')
