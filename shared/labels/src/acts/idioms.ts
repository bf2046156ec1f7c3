import { patternOf, readSet, readTable } from '../text/data.js'
import { type OrderedKind, kindsByWord } from './ordered-kinds.js'

/** Characters of a clause that are read, and words from a thing that is made to what it does. */
const CLAUSE_MAX = 600
const MADE_REACH = 24

/** Orders without an order's verb: *der Ordner kann weg*, *peut partir*, *do kosza*. */
const IDIOMS = readTable<readonly (readonly [OrderedKind, string])[]>('languages', 'idioms').map(
  ([kind, pattern]) => ({ kind, pattern: patternOf(pattern) }),
)

/** Adds what the idioms of a clause order. */
export function readIdioms(words: readonly string[], ordered: Set<OrderedKind>): void {
  const clause = words.join(' ')
  if (clause.length > CLAUSE_MAX) return
  for (const { kind, pattern } of IDIOMS) if (pattern.test(clause)) ordered.add(kind)
}

/**
 * Adds what something does that a task has written or set up: *schreib mir ein Skript, das alte Releases löscht*. A script that a task
 * only reports orders nothing.
 */
export function readMade(clauses: readonly (readonly string[])[], ordered: Set<OrderedKind>): void {
  const words = clauses.flat()
  const making = words.findIndex((word) => MAKES.has(word))
  const made = words.findIndex((word, i) => i > making && MADE.test(word))
  if (making < 0 || made < 0) return
  const from = words.findIndex((word, i) => i > made && WHOSE.has(word))
  if (from < 0) return
  for (const word of words.slice(from + 1, from + MADE_REACH)) {
    if (NEGATIONS.has(word)) return
    for (const kind of DOES.get(word) ?? []) ordered.add(kind)
  }
}

/** Verbs by which a task has something made, what is made, and words before what that does. */
const MAKES = readSet('languages', 'makes')
const MADE = patternOf(readTable<string>('languages', 'scripts'))
const WHOSE = readSet('languages', 'whose')
/** Verbs in the third person. */
const DOES = kindsByWord(readTable('languages', 'scriptVerbs'))
const NEGATIONS = readSet('languages', 'negations')
