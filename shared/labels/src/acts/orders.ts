import { ACTS, type Act } from '@plimsoll/contracts'
import { type Words, readSet, readTable, wordsIn } from '../text/data.js'

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
export const ORDERS_WORK = /^\W*(?:do|have)\s+(?:an?|the|this|that|these|those|it|them)\b/i

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
const PASSES: ReadonlySet<string> = new Set(
  'pass passes complain complains work succeed succeeds finish finishes red green ready done there ok exist exists missing'.split(
    ' ',
  ),
)
const OBJECTS = /^(?:quoted|the|my|this|our|all|it|these|those|everything)$/

/** Whether an order begins with a verb that is not known: what it asks for may be any change of what it names. */
export function isUnknownOrder(words: readonly string[], i: number): boolean {
  const word = words[i] ?? ''
  const next = words[i + 1] ?? ''
  if (!isOrder(words, i) || word.length < 3 || KNOWN_VERBS.has(word) || VERBS.has(word)) return false
  if (NO_VERBS.has(word) || PROGRAMS.has(word) || NO_OBJECTS.has(next) || /(?:ing|ed|ly|s)$/.test(word))
    return false
  return OBJECT_STARTS.has(next)
}
const KNOWN_VERBS: ReadonlySet<string> = new Set([
  ...readSet('acts', 'ordinaryVerbs'),
  ...readSet('acts', 'lookingVerbs'),
  ...readSet('acts', 'changingVerbs'),
])
/** Words that begin an object, that begin none, and that are no verbs. */
const OBJECT_STARTS = readSet('acts', 'objectStarts')
const NO_OBJECTS = readSet('acts', 'noObjects')
const NO_VERBS = readSet('acts', 'noVerbs')
