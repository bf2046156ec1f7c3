import { readSet, longPattern } from '../text/data.js'
import { QUOTED, proseOf } from '../acts/order-words.js'

/** Characters of a task that are read, and names that are kept. */
const TEXT_MAX = 20_000
const NAMES_MAX = 4

/** Whom or what a task tells the agent to follow. */
export interface Delegation {
  /** Whether the task leaves to a text what is to be done: an issue, a page, a mail. */
  readonly isGiven: boolean
  /** Names or addresses of the people whose text it is; none if the task does not say whose. */
  readonly names: readonly string[]
}

const NONE: Delegation = { isGiven: false, names: [] }

/**
 * Reads whether a task leaves to somebody's text what is to be done: `Bob sent me an email, do what he asks`, `fix issue 12`. A text that is only
 * to be read, answered or summed up gives no orders. English; linear in the text.
 */
export function delegationOf(task: string): Delegation {
  const { sentences, plain } = sentencesOf(task)
  const hasText = plain.map((words) => words.some((word) => TEXTS.has(word)))
  const at = plain.findIndex(
    (words, i) =>
      !words.some((word) => NO_ORDERS.has(word)) &&
      words.some((_, k) => isFollowing(words, k, hasText[i] === true || hasText[i - 1] === true)),
  )
  if (at < 0) return NONE
  // Whose text it is stands in the same sentence or in the one before.
  const names = [at - 1, at].flatMap((i) => namesOf(sentences[i] ?? [], plain[i] ?? []))
  return { isGiven: true, names: [...new Set(names)].slice(0, NAMES_MAX) }
}

/** The people of whom a task says that they wrote something: also at the beginning of a sentence, where any word is capitalised. */
export function writersIn(task: string): readonly string[] {
  const { sentences, plain } = sentencesOf(task)
  const names = sentences.flatMap((words, i) => namesOf(words, plain[i] ?? []))
  return [...new Set(names)].slice(0, NAMES_MAX)
}

/** The words of each sentence outside of quotations, as they stand and in lower case. */
function sentencesOf(task: string): { sentences: readonly string[][]; plain: readonly string[][] } {
  const text = proseOf(task.slice(0, TEXT_MAX))
    .replaceAll('’', "'")
    .replaceAll(QUOTED_ADDRESS, ' $1 ')
    .replaceAll(QUOTED, ' quoted ')
  const sentences = text.split(SENTENCE_END).map((sentence) => [...(sentence.match(WORD) ?? [])])
  const plain = sentences.map((words) => words.map((word) => word.toLowerCase().replace(/'s$/, '')))
  return { sentences, plain }
}

const QUOTED_ADDRESS = longPattern('delegation.QUOTED_ADDRESS')
const SENTENCE_END = longPattern('delegation.SENTENCE_END')
const WORD = longPattern('delegation.WORD')

/** An order such as `follow his instructions`, `complete the tasks`, `fix issue 12`, `do what she asks`, `help me to achieve it`. */
function isFollowing(words: readonly string[], i: number, isOfText: boolean): boolean {
  const word = words[i] ?? ''
  const before = words[i - 1]
  if (before !== undefined && !STARTS.has(before) && /\w/.test(before)) return false
  const [next = '', ...rest] = words.slice(i + 1, i + 1 + REACH)
  // `Perform the following tasks`: those of the task itself.
  if (rest.includes('following')) return false
  const near = [next, ...rest].slice(0, DOES.has(word) ? REACH : NEAR)
  if (FOLLOWS.has(word) && (DETERMINERS.has(next) || TEXTS.has(next)) && near.some((each) => TEXTS.has(each)))
    return true
  const isLast = rest[0] === undefined || /\W/.test(rest[0])
  if (ENDS.has(word) && isOfText && ITS.has(next) && isLast) return true
  return isOfText && DOES.has(word) && next === 'what' && !/^(?:i|we|you)$/.test(rest[0] ?? 'i')
}
const REACH = 6
const NEAR = 3

/** Whose text it is: `Bob sent me`, `an email from Bob`, `Bob's email`. */
function namesOf(words: readonly string[], lower: readonly string[]): string[] {
  const names = new Set<string>()
  let end = 0
  for (const [i, word] of words.entries()) {
    if (names.size >= NAMES_MAX) break
    if (i < end || !isName(word)) continue
    end = i + 1
    while (end < words.length && end < i + NAME_WORDS_MAX && isName(words[end] ?? '')) end++
    const isOwner = words[end - 1]?.endsWith("'s") === true && TEXTS.has(lower[end] ?? '')
    const isAuthor = BETWEEN.has(lower[end] ?? '')
      ? WRITES.has(lower[end + 1] ?? '')
      : WRITES.has(lower[end] ?? '')
    const isSource =
      FROM.has(lower[i - 1] ?? '') && lower.slice(Math.max(0, i - REACH), i).some((each) => TEXTS.has(each))
    if (isOwner || isAuthor || isSource) names.add(words.slice(i, end).join(' ').replace(/'s$/, ''))
  }
  return [...names]
}
const NAME_WORDS_MAX = 3
const isName = (word: string): boolean =>
  word.includes('@') || (/^[A-ZÀ-Þ][a-zß-ɏ'-]+$/.test(word) && !NO_NAMES.has(word.toLowerCase()))

/** Texts that may say what is to be done. */
const TEXTS = readSet('messages', 'texts')
/** Verbs of doing what such a text says, before it or before a word for it. */
const FOLLOWS = readSet('messages', 'follows')
/** Of them those that count before a word for the text: `finish it`. */
const ENDS = readSet('messages', 'ends')
const ITS = readSet('messages', 'its')
const DOES = readSet('messages', 'does')
/** Words before an order, and between its verb and the text. */
const STARTS = readSet('messages', 'starts')
const DETERMINERS = readSet('messages', 'determiners')
/** A sentence with one of these orders nothing of the kind. */
const NO_ORDERS = readSet('messages', 'noOrders')
/** Verbs of writing one. */
const WRITES = readSet('messages', 'writes')
const BETWEEN = readSet('messages', 'between')
const FROM = readSet('messages', 'from')
/** Words that begin a sentence and are no names. */
const NO_NAMES = readSet('messages', 'noNames')
