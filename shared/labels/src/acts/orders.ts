import { ACTS, type Act, type Signals, actSignal } from '@plimsoll/contracts'
import { type Words, longPattern, readSet, readTable, wordsIn } from '../text/data.js'

/** A table of words for each act, by word. */
export const byWord = (table: Readonly<Partial<Record<Act, Words>>>): ReadonlyMap<string, readonly Act[]> => {
  const acts = new Map<string, Act[]>()
  for (const act of ACTS)
    for (const word of wordsIn(table[act] ?? [])) acts.set(word, [...(acts.get(word) ?? []), act])
  return acts
}
/** Verbs that ask for an act as an order: `delete`, `please refund`. */
export const VERBS = byWord(readTable('acts', 'orderVerbs'))

/** `Do a rolling restart`. */
export const ORDERS_WORK = longPattern('orders.ORDERS_WORK')

/** Whether the verb is an order: it begins a clause, or follows `please`, `and`, `you should`. */
export function isOrder(words: readonly string[], i: number): boolean {
  const before = words[i - 1]
  // `terraform destroy the sandbox` is an order; `npm publish fails` is none.
  const isCommand = PROGRAMS.has(before ?? '') && OBJECTS.test(words[i + 1] ?? '')
  return (
    before === undefined ||
    isCommand ||
    ORDER.has(before) ||
    endsCondition(words, before) ||
    (before.length > 4 && before.endsWith('ly'))
  )
}

/** `run npx prisma migrate reset`: whether the word stands in a command line that a task orders to be run, behind its program. */
export function isOfCommandLine(words: readonly string[], i: number): boolean {
  for (let at = i - 1; at >= 0 && at >= i - LINE_MAX; at--)
    if (RUNS.has(words[at] ?? ''))
      return isOrder(words, at) && words.slice(at + 1, i).some((word) => LINES.has(word))
  return false
}
const LINE_MAX = 5
const RUNS: ReadonlySet<string> = new Set('run rerun execute invoke issue'.split(' '))
/** Programs that take away or change by words of their command lines. */
const LINES = readSet('acts', 'orderedPrograms')

/** `stop the old container` is an order, `stop deleting files` a prohibition. */
export const isStopOrder = (words: readonly string[], i: number): boolean =>
  isOrder(words, i) && !/ing$|^(?:it|them|that|this)$/.test(words[i + 1] ?? 'ing')

/** Whether the words before are a condition that has ended: `if the tests pass deploy it`. */
const endsCondition = (words: readonly string[], before: string): boolean =>
  CONDITIONS.has(words[0] ?? '') && (FINITE.has(before) || PASSES.has(before))

/** Words before an order: `please delete`, `and pay`, `you should send`. */
export const ORDER = readSet('acts', 'beforeOrders')
const PROGRAMS = readSet('acts', 'programs')
const FINITE = readSet('acts', 'finiteVerbs')
const CONDITIONS: ReadonlySet<string> = new Set(['if', 'when', 'once', 'after', 'should'])
/** Ends of conditions that are no finite verbs, or not only. */
const PASSES = readSet('acts', 'ordersPasses')
const OBJECTS = longPattern('orders.OBJECTS')

/** Whether an order begins with a verb that is not known: what it asks for may be any change of what it names. */
export function isUnknownOrder(words: readonly string[], i: number): boolean {
  const word = words[i] ?? ''
  const next = words[i + 1] ?? ''
  if (!isOrder(words, i) || word.length < 3 || KNOWN_VERBS.has(word) || VERBS.has(word)) return false
  if (NO_VERBS.has(word) || PROGRAMS.has(word) || NO_OBJECTS.has(next) || /(?:ing|ed|ly|s)$/.test(word))
    return false
  // In Portuguese `a` is an article too: *corrija a função*.
  return OBJECT_STARTS.has(next) || (/^an?$/.test(next) && words.some((each) => ENGLISH.test(each)))
}
const ENGLISH = longPattern('orders.ENGLISH')
const KNOWN_VERBS: ReadonlySet<string> = new Set([
  ...readSet('acts', 'ordinaryVerbs'),
  ...readSet('acts', 'lookingVerbs'),
  ...readSet('acts', 'changingVerbs'),
])
/** Words that begin an object, that begin none, and that are no verbs. */
const OBJECT_STARTS = readSet('acts', 'objectStarts')
const NO_OBJECTS = readSet('acts', 'noObjects')
const NO_VERBS = readSet('acts', 'noVerbs')

/** Characters of a task that are read, and scripts of it. */
const SCRIPT_TEXT_MAX = 20_000
const SCRIPTS_MAX = 8

/** Names of scripts that are called after what they do: `send_newsletter`, `purge_users`, `charge-customers`. */
type ScriptAct = 'send' | 'delete' | 'pay'
const CALLED_AFTER: readonly (readonly [ScriptAct, RegExp])[] = [
  ['send', longPattern('live.SENDS')],
  ['delete', longPattern('orders.TAKES_FROM_PEOPLE')],
  ['pay', longPattern('orders.CHARGES')],
]

/** The act of a script by its name, without its folder and ending; undefined if the name says none. */
export const actOfScript = (name: string): ScriptAct | undefined =>
  name.length > 128 ? undefined : CALLED_AFTER.find(([, pattern]) => pattern.test(name))?.[0]

/** A script that a task has run, by its file, or by a name of several words: *run scripts/purge_users.js*, *execute the purge_users script*. */
const RUN_BY_FILE = longPattern('orders.RUN_BY_FILE')
const RUN_BY_NAME = longPattern('orders.RUN_BY_NAME')

/**
 * What a task asks for by ordering a script to be run that is called after what it does, as signals. Linear in the task.
 *
 * @example actsOfScripts('run scripts/purge_users.js on staging') // { asksDelete: 1 }
 */
export function actsOfScripts(task: string): Signals {
  const text = task.slice(0, SCRIPT_TEXT_MAX)
  const names = [RUN_BY_FILE, RUN_BY_NAME].flatMap((pattern) =>
    [...text.matchAll(pattern)].slice(0, SCRIPTS_MAX).map(([, name = '']) => name),
  )
  const acts = names.flatMap((name) => actOfScript(name) ?? [])
  return Object.fromEntries(acts.map((act) => [actSignal('asks', act), 1]))
}
