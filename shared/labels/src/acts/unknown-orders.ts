import { readSet } from '../text/data.js'
import { PROGRAMS, VERBS, isOrder } from './orders.js'

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
