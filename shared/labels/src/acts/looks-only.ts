import type { Signals } from '@plimsoll/contracts'
import { readSet, longPattern } from '../text/data.js'
import { ORDERS_WORK } from './orders.js'

/** Characters of a task that are read, and words of one sentence. */
const TEXT_MAX = 4096
const WORDS_MAX = 64

/**
 * Whether a task asks to look, explain or report and for nothing else, as a signal: one of its sentences is a question or orders a look,
 * and none orders a change. Statements (`ssh to build4 is slow`) order nothing. English; a sentence whose verb is not known counts as an
 * order. Linear in the text.
 *
 * @example looksOnly('The build fails on main. Find out why.') // { looksOnly: 1 }
 */
export function looksOnly(task: string): Signals {
  if (task.length > TEXT_MAX) return {}
  let looks = false
  for (const sentence of sentencesIn(task)) {
    const found = readSentence(sentence)
    if (found === 'order') return {}
    looks ||= found === 'look'
  }
  return looks ? { looksOnly: 1 } : {}
}

/**
 * Whether a sentence begins with an order to change something, or has it behind *and*, *then* or a condition: *whats the cause? make a ticket
 * with it*, *if its flaky retry the job*. Questions order nothing. Linear in the text.
 */
export function ordersChange(task: string): boolean {
  if (task.length > TEXT_MAX) return true
  return sentencesIn(task).some((sentence) => {
    const words = wordsIn(sentence)
    if (words.length === 0 || words.length > WORDS_MAX) return false
    const first = words.findIndex((word) => !POLITE.has(word))
    if (QUESTIONS.has(words[first] ?? '')) return false
    const isConditional = words[first] === 'if' || words[first] === 'when'
    return words.some(
      (word, i) =>
        (CHANGES.has(word) || CHANGES_WITH.has(word)) &&
        (SAYS_WHICH.has(words[i + 1] ?? '') || (i === first && CHANGES.has(word))) &&
        (i === first || AFTER.has(words[i - 1] ?? '') || isConditional) &&
        !LOOKS_TOO.has(word) &&
        !words.slice(i + 1, i + 4).some((each) => SHOWN.has(each)),
    )
  })
}
/** Verbs that also order a look: *open the page*, *run the tests*; and what is only shown: *give me a list*, *make a table*. */
const LOOKS_TOO: ReadonlySet<string> = new Set('get open run let figure'.split(' '))
const SHOWN = readSet('acts', 'looksOnlyShown')
const AFTER: ReadonlySet<string> = new Set(['and', 'then', 'please', 'so'])

const sentencesIn = (task: string): string[] => task.split(/[.!?;,\n]+(?=\s|$)/)
const wordsIn = (sentence: string): string[] =>
  sentence
    .toLowerCase()
    .replaceAll(/\bwrite down\b/g, 'list')
    .replaceAll(/\s[&+]\s/g, ' and ')
    .match(WORD) ?? []

function readSentence(sentence: string): 'look' | 'statement' | 'order' {
  const words = wordsIn(sentence)
  if (words.length === 0) return 'statement'
  if (words.length > WORDS_MAX) return 'order'
  if (hasOrder(words)) return 'order'
  const first = words.find((word) => !POLITE.has(word)) ?? ''
  const begins = sentence
    .trimStart()
    .toLowerCase()
    .startsWith(words[0] ?? '')
  if (ORDERS_WORK.test(sentence)) return 'order'
  if (LOOKS.has(first) || (begins && QUESTIONS.has(first))) return 'look'
  if (WHO.has(first) && words.some((word, i) => words[i - 1] === first && MEETS.has(word))) return 'statement'
  const isPart = words.length <= PART_MAX || !begins || PARTS.has(first)
  return isPart || words.some((word) => FINITE.has(word)) ? 'statement' : 'order'
}

/** Whether a verb of change stands where an order does: first, or after `and`, `then`, `please`, `to`. */
const hasOrder = (words: readonly string[]): boolean =>
  words.some(
    (word, i) =>
      (CHANGES.has(word) || (CHANGES_WITH.has(word) && SAYS_WHICH.has(words[i + 1] ?? ''))) &&
      (i === 0 || BEFORE.has(words[i - 1] ?? '')),
  )

/** A word, and no part of a name such as `build-4` or `run.sh`. */
const WORD = longPattern('looks-only.WORD')
const LOOKS = readSet('acts', 'lookingVerbs')
const QUESTIONS = readSet('acts', 'questions')
const FINITE = readSet('acts', 'finiteVerbs')
const CHANGES = readSet('acts', 'changingVerbs')
/** Words that order a change with an object alone: *address his issue*, not *name and address*. */
const CHANGES_WITH = readSet('acts', 'changingWith')
const SAYS_WHICH = readSet('acts', 'looksOnlySaysWhich')
/** Beginnings of what belongs to the clause before. */
const PARTS = readSet('acts', 'parts')
/** A clause of so few words is a part. */
const PART_MAX = 2
/** `we get an error`, `I see no rows`. */
const WHO: ReadonlySet<string> = new Set(['we', 'i', 'they', 'users', 'people'])
const MEETS: ReadonlySet<string> = new Set('get see hit lose keep miss run have'.split(' '))
const POLITE: ReadonlySet<string> = new Set([
  'please',
  'can',
  'could',
  'would',
  'you',
  'just',
  'kindly',
  'quickly',
])
const BEFORE = readSet('acts', 'looksOnlyBefore')
