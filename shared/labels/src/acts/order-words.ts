import { longPattern } from '../text/data.js'
import { HASH_BASIS, HASH_PRIME } from '../text/tokens.js'

/** Words of a sentence that are read, and sentences and characters of a task. */
const WORDS_MAX = 150
const SENTENCES_MAX = 200
const TEXT_MAX = 20_000

/** Endings that are cut, so that `delete`, `deleted` and `deletes` are one word; what is left has three letters at least. */
const ENDINGS = ['ing', 'ies', 'es', 'ed', 's', 'e']
const STEM_MIN = 3

/** Runs of letters, signs of scripts without spaces one by one, numbers, and question marks. */
const WORD = longPattern('order-words.WORD')

/** Quoted text is material, not an order. An apostrophe inside a word is no quotation mark. */
export const QUOTED = longPattern('order-words.QUOTED')
const SENTENCE_END = longPattern('order-words.SENTENCE_END')

/** In a JSON task, complete or cut, quotation marks separate texts and do not quote. */
export const proseOf = (task: string): string =>
  /^\s*[[{]/.test(task) ? task.replaceAll(/\\n|"/g, '\n') : task

/** The sentences of a task, lower case, with quotations taken out. Reads at most 20,000 characters and 200 sentences. */
export function sentencesOf(task: string): string[] {
  return proseOf(task.slice(0, TEXT_MAX))
    .replaceAll('’', "'")
    .replaceAll(QUOTED, ' quoted ')
    .split(SENTENCE_END)
    .filter((sentence) => /\S/.test(sentence))
    .slice(0, SENTENCES_MAX)
    .map((sentence) => sentence.toLowerCase())
}

/**
 * What a sentence consists of, as hashes: its words without endings, pairs of neighbours, and the beginnings and ends of its longer
 * words. Linear in the sentence.
 */
export function orderWords(sentence: string): readonly number[] {
  const found = new Set<number>()
  let before = START
  for (const [i, word] of (sentence.match(WORD) ?? []).entries()) {
    if (i >= WORDS_MAX) break
    const hash = /^\d/.test(word) ? NUMBER : hashOf(word, 0, stemEnd(word))
    found.add(hash).add(pairOf(before, hash))
    if (word.length > BEGINNING) found.add(hashOf(word, 0, BEGINNING, AT_BEGINNING))
    if (word.length > BEGINNING + 1) found.add(hashOf(word, word.length - BEGINNING, word.length, AT_END))
    before = hash
  }
  if (found.size > 0) found.add(pairOf(before, START))
  return [...found]
}

const BEGINNING = 4
/** Salts of what is no plain word. */
const [START, NUMBER, AT_BEGINNING, AT_END] = [1, 2, 3, 4]

function stemEnd(word: string): number {
  const ending = ENDINGS.find((each) => word.endsWith(each) && word.length - each.length >= STEM_MIN)
  return word.length - (ending?.length ?? 0)
}

/** 32 bits, unsigned (FNV-1a). */
function hashOf(text: string, start: number, end: number, salt = 0): number {
  let hash = HASH_BASIS ^ salt
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), HASH_PRIME)
  return (hash ^ (hash >>> 15)) >>> 0
}

const pairOf = (first: number, second: number): number =>
  (Math.imul(Math.imul(first, HASH_PRIME) ^ second, HASH_PRIME) ^ (first >>> 13)) >>> 0

/** Characters of a task that are read. */
const TASK_MAX = 20_000

/** A command line in quotation marks that a task orders to be run: it is no material. */
const QUOTED_COMMAND = longPattern('order-words.QUOTED_COMMAND')

/** A condition that only says that something is needed, before an order: *if not, invite him*. */
const IF_NEEDED = longPattern('order-words.IF_NEEDED')

/**
 * A task with its orders as they would stand alone: command lines without their quotation marks, and orders without a condition that only says that
 * they are needed. Linear in the task.
 *
 * @example plainOrders('check the schema, if not there run `rake db:reset`')
 */
export const plainOrders = (task: string): string =>
  task.length > TASK_MAX ? task : task.replaceAll(QUOTED_COMMAND, '$1 $2').replaceAll(IF_NEEDED, 'then ')
