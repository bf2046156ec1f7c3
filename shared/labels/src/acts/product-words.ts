import { patternOf, readSet, readTable, longPattern } from '../text/data.js'
import { wordsOfCodeSentences } from './code-sentences.js'
import { VERBS } from './orders.js'

/** Characters of a task that are read, words that are kept, and words of one phrase before its last. */
const TEXT_MAX = 8_192
const WORDS_MAX = 48
const PHRASE_MAX = 4

/** What stands for what a task says of a product: it orders nothing irreversible. */
const WORK = 'edit the code'

/**
 * A task without what it says a product should do: *users should be able to delete their uploads*, *empty the cart after checkout*, *add a button
 * to cancel an order*. Code does that when it runs; who writes it deletes nothing. Linear in the task.
 */
export function withoutBehaviour(task: string): string {
  if (task.length > TEXT_MAX) return task
  return task
    .split(SENTENCES)
    .map((part) => (OF_SENTENCE.test(part) ? WORK : part.replaceAll(OF_CLAUSE, WORK)))
    .join('')
}

/** Sentences, and what stands between them. */
const SENTENCES = /((?:[.!?;](?=\s|$)|\n)+)/
const OF_SENTENCE = patternOf(readTable<string>('acts', 'behaviours'))
const OF_CLAUSE = patternOf(readTable<string>('acts', 'makesControl'))

/**
 * Words that a task has for parts of code and pages alone: *volume* of *remove the volume slider*, *database* of *refactor the database layer*,
 * and those of what a product should do. They may name files, and nothing else.
 */
export function wordsOfProduct(given: string): readonly string[] {
  if (given.length > TEXT_MAX) return []
  const task = given.replaceAll(OF_GOODS, ' ')
  const left = withoutBehaviour(task)
  const words = wordsIn(left)
  const isOfCode = new Set<number>()
  for (const [i, word] of words.entries()) {
    if (!isHead(word) || RUNS.has(words[i + 1] ?? '')) continue
    isOfCode.add(i)
    for (let at = i - 1; at >= 0 && at >= i - PHRASE_MAX && !endsPhrase(words[at] ?? ''); at--)
      isOfCode.add(at)
  }
  for (const i of wordsOfCodeSentences(words, isHead)) isOfCode.add(i)
  const kept = new Set(words.filter((_, i) => !isOfCode.has(i)))
  const known = left === task ? words.filter((_, i) => isOfCode.has(i)) : wordsIn(task)
  return [...new Set(known)].filter((word) => WORD.test(word) && !kept.has(word)).slice(0, WORDS_MAX)
}

/** What a person has bought is no part of code: *I ordered the wrong dishwasher filter*. */
const OF_GOODS = longPattern('product-words.OF_GOODS')

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(WORDS_AND_STOPS) ?? []
const WORD = /^\p{L}{3,}$/u

/** Parts of code and pages by the last word of their names: `slider`, `endpoint`, `helpers`. */
const HEADS = readSet('acts', 'codeHeads')
const isHead = (word: string): boolean =>
  HEADS.has(word) || (word.endsWith('s') && HEADS.has(word.slice(0, -1)))

/** Things that run or hold data: *the ledger writer pods* are no part of code. */
const RUNS = readSet('acts', 'runningThings')

/** Words before which no phrase goes on. */
const BOUNDS = readSet('acts', 'phraseBounds')
const endsPhrase = (word: string): boolean => BOUNDS.has(word) || VERBS.has(word) || !/^[\p{L}\d]/u.test(word)

/** The name of a file by a word that a task has of a product. */
export const fileName = (word: string): string => `${OF_FILE}${word.toLowerCase()}`
export const isFileName = (name: string): boolean => name.startsWith(OF_FILE)
const OF_FILE = 'filezqz'

/**
 * Words of a task that are only folders on the way to what it names: *logs* of *the old files in logs/2022*. The folder itself is not meant, unless the
 * task calls it one.
 */
export function wordsOfWay(task: string): readonly string[] {
  if (task.length > TEXT_MAX || !task.includes('/')) return []
  const plain = task.toLowerCase()
  const words: string[] = []
  for (const [, path = ''] of plain.matchAll(PATHS)) {
    if (path.endsWith('/')) continue
    for (const part of path.split('/').slice(0, -1)) if (WORD.test(part)) words.push(part)
  }
  return [...new Set(words)].filter((word) => !isFolder(word, plain)).slice(0, WORDS_MAX)
}

const PATHS = longPattern('product-words.PATHS')
/** *The folder logs*, *the logs folder*, `logs/`. */
const isFolder = (word: string, task: string): boolean =>
  new RegExp(
    `\\b(?:folders?|director(?:y|ies)|dirs?)\\s(?:called\\s)?["'\x60]?${word}\\b|\\b${word}["'\x60/]{0,2}\\s(?:folders?|director(?:y|ies)|dirs?)\\b|(?<![\\w/])${word}/(?!\\w)`,
  ).test(task)

/** Things that a task may name without saying which: `kindName` stands for each in the names of what is done to one. */
const KINDS = Object.entries(readTable<Readonly<Record<string, string>>>('acts', 'kindsNamed')).map(
  ([kind, pattern]) => [kind, patternOf(pattern)] as const,
)
export const kindName = (kind: string): string => `kindzqz${kind}`

/** The kinds that a task names: `kindzqzpull` of *merge the PR*. */
export const kindsNamed = (task: string): readonly string[] =>
  KINDS.filter(([, pattern]) => pattern.test(task.slice(0, TEXT_MAX))).map(([kind]) => kindName(kind))

const WORDS_AND_STOPS = longPattern('product-words.WORDS_AND_STOPS')
