import { ACTS, actSignal, type Act, type Signals } from '@plimsoll/contracts'
import { readSet, readTable, longPattern } from '../text/data.js'
import { ordersInOthers } from './languages.js'
import { ACT_OF_ORDER } from './ordered-kinds.js'
import { QUOTED, proseOf } from './order-words.js'
import { namesMachineType, ordersMachine } from './machines.js'
import {
  ORDER,
  ORDERS_WORK,
  VERBS,
  byWord,
  isOfCommandLine,
  isOrder,
  isStopOrder,
  isUnknownOrder,
} from './orders.js'
import { IRREGULAR, actsOfParticle, actsOfPhrase, verbOfParticiple } from './phrases.js'

/** Limits for the text of a task: characters and words. */
const TEXT_MAX = 20_000
const WORDS_MAX = 2_000
/** Maximum distances in words: from `want` to `removed`, from `issue` to `refund`, from `write` to `to`. */
const DESIRE_REACH = 5
const MAKING_REACH = 4
const ADDRESS_REACH = 6
/** From `script` to `removes`, in words. */
const SCRIPT_REACH = 6

/**
 * The irreversible acts that a task asks for, as signals (`asksDelete: 1`). Recognises orders in English and in the languages of
 * `ordersInOthers`, outside quotations. Questions, conditions, prohibitions and narratives ask for nothing. Linear in the text; reads at most
 * `WORDS_MAX` words.
 *
 * @example actsAsked('Refund order 12 and tell the customer') // { asksPay: 1, asksSend: 1 }
 */
export function actsAsked(task: string): Signals {
  const found = new Set<Act>()
  const text = proseOf(task.slice(0, TEXT_MAX))
    .replaceAll('’', "'")
    .replaceAll(/\s[&+]\s/g, ' and ')
    .replaceAll(QUOTED, ' quoted ')
  const hasMoney =
    /[€$£]\s?\d|\d\s?[€$£]/.test(text) || proseWords(text).some((word) => MONEYS.has(word.replace(/s$/, '')))
  let left = WORDS_MAX
  for (const sentence of text.split(SENTENCE_END)) {
    const clauses = sentence.split(CLAUSE_END).map(proseWords)
    left -= clauses.reduce((sum, { length }) => sum + length, 0)
    if (left < 0) break
    if (!isQuestion(clauses[0] ?? [], sentence))
      readSentence(clauses, { hasMoney, hasMachine: namesMachineType(sentence) }, found)
    for (const kind of ordersInOthers(sentence).ordered) found.add(ACT_OF_ORDER[kind])
  }
  return Object.fromEntries(ACTS.filter((act) => found.has(act)).map((act) => [actSignal('asks', act), 1]))
}

const proseWords = (text: string): string[] => text.toLowerCase().match(/\p{L}+(?:'\p{L}+)?/gu) ?? []

/** `what did it cost` is a question, but in `what a mess, delete it` the second clause is an order. */
const isQuestion = ([first = '']: readonly string[], sentence: string): boolean =>
  ASKS_ONLY.has(first) && !/^[^a-z]*\d/i.test(sentence) && !ORDERS_WORK.test(sentence)

/** What a sentence or its task names that an order may be about. */
interface Named {
  readonly hasMoney: boolean
  readonly hasMachine: boolean
}

function readSentence(
  clauses: readonly (readonly string[])[],
  { hasMoney, hasMachine }: Named,
  found: Set<Act>,
): void {
  const words = clauses.flat()
  const isOfDoor = words.some((word) => DOOR.has(word))
  const isOfPlace = isOfDoor || words.some((word) => PLACES.has(word))
  const isOfSecret = words.some(
    (word, i) => SECRET.has(word) || (KEY.has(word) && KEY_OF.has(words[i - 1] ?? '')),
  )
  let isForbidden = false
  for (const clause of clauses) {
    // `do not, whatever they say, delete`: a negation before a comma continues after it.
    isForbidden &&= clause.length > 0 && !ORDER.has(clause[0] ?? '')
    let isReported = false
    for (const [i, word] of clause.entries()) {
      if (word === 'and' || word === 'then') isReported = false
      // `do not forget to delete` is an order.
      if (NEGATED.has(word) && !(word === 'stop' && isStopOrder(clause, i)))
        isForbidden = !/^(?:forget|hesitate|fail|worry|mind)/.test(clause[i + 1] ?? '')
      if (NARRATIVE.has(word) && !(word === 'which' && isOfScript(clause, i))) isReported = true
      if (isForbidden || isReported) continue
      for (const act of actsAt(clause, i, TO_DOORS.has(word) ? isOfDoor : isOfPlace)) found.add(act)
      if (ordersMachine(clause, i, hasMachine)) found.add('pay')
      if (!isOrder(clause, i)) continue
      if (isOfSecret && CHANGE.has(word)) found.add('credential')
      if (hasMoney && (word === 'send' || word === 'return' || word === 'give')) found.add('pay')
    }
    isForbidden &&= NEGATED.has(clause.at(-1) ?? '')
  }
}

function actsAt(words: readonly string[], i: number, isOfDoor: boolean): readonly Act[] {
  const word = words[i] ?? ''
  const acts: Act[] = []
  if (isOrder(words, i)) acts.push(...actsOfParticle(words, i))
  if ((word === 'scratch' || word === 'zero') && words[i - 1] === 'from') acts.push('delete', 'overwrite')
  if (isOrder(words, i) || isOfCommandLine(words, i))
    for (const act of VERBS.get(word) ?? []) if (isOrderFor(act, words, i, isOfDoor)) acts.push(act)
  if (/^(?:that|which)$/.test(words[i - 1] ?? '') && isOfScript(words, i))
    acts.push(...(VERBS.get(word.replace(/s$/, '')) ?? VERBS.get(word.replace(/es$/, '')) ?? []))
  if (isDesired(words, i)) acts.push(...verbOfParticiple(word))
  acts.push(...actsOfPhrase(words, i))
  if (isUnknownOrder(words, i)) acts.push('delete', 'overwrite', 'publish')
  if (UNDOES.has(word) && isOrder(words, i) && desireBefore(words, i)) acts.push('pay', 'delete')
  if (
    words
      .slice(Math.max(0, i - MAKING_REACH), i)
      .some((before, at, all) => MAKES.has(before) && isOrder(words, i - all.length + at))
  )
    acts.push(...(NOUNS.get(word) ?? []))
  return acts
}

/** Whether the words before are of something that a task has written. */
const isOfScript = (words: readonly string[], i: number): boolean =>
  words.slice(Math.max(0, i - SCRIPT_REACH), i).some((before) => SCRIPTS.has(before))

/** What a task has written that does the act: `a script that removes old wheels`. */
const SCRIPTS = readSet('acts', 'scripts')

const desireBefore = (words: readonly string[], i: number): boolean =>
  words.slice(Math.max(0, i - DESIRE_REACH), i).some((word) => DESIRE_WORDS.has(word))

/** Matches `I want it removed` and `it can be thrown away`. */
const isDesired = (words: readonly string[], i: number): boolean =>
  ((words[i] ?? '').endsWith('ed') || IRREGULAR.has(words[i] ?? '')) &&
  (desireBefore(words, i) ||
    (i > 2 && words[i - 1] === 'be' && /^(?:can|may|could)$/.test(words[i - 2] ?? '')))

/** Excludes orders for something else: `tell me` wants an answer, `write a test` work, `add a line` no access. */
function isOrderFor(act: Act, words: readonly string[], i: number, isOfDoor: boolean): boolean {
  const word = words[i] ?? ''
  if (act === 'grant') return !ADMITTING.has(word) || isOfDoor
  if (act !== 'send') return true
  // `comment the function` is work, `comment on PR 7` a message.
  if (word === 'comment') return words.slice(i + 1).includes('on')
  if (SPEAKING.has(word)) return !words.slice(i + 1, i + 3).some(isUser)
  if (!WRITES.has(word)) return true
  const behind = words.slice(i + 1, i + 2 + ADDRESS_REACH)
  const whom = behind[behind.indexOf('to') + 1]
  return behind.includes('to') && whom !== undefined && !isUser(whom)
}

const isUser = (word: string): boolean => word === 'me' || word === 'us'

const SENTENCE_END = longPattern('asked.SENTENCE_END')
const CLAUSE_END = /[,()–—]| - /

/** Nouns of such acts; they count after a verb such as `make` or `send`. */
const NOUNS = byWord(readTable('acts', 'orderNouns'))
const MAKES = readSet('acts', 'making')
const DESIRE_WORDS = readSet('acts', 'desires')
/** Verbs of customers who want a refund or exchange, so that a purchase is undone. */
const UNDOES = readSet('acts', 'undoing')
/** Verbs that ask for a message unless `me` or `us` follows. */
const SPEAKING = readSet('acts', 'speaking')
/** Verbs that ask for a message only with `to` and a person. */
const WRITES = readSet('acts', 'writing')
/** Verbs that grant access only where the sentence names what to, such as a role or a folder. */
const ADMITTING = readSet('acts', 'admitting')
const DOOR = readSet('acts', 'doors')
const PLACES = readSet('acts', 'places')
/** Of them those that grant access only to a door: who adds a file lets nobody in. */
const TO_DOORS = readSet('acts', 'admittingToDoors')
/** Nothing after such a word in the sentence counts. */
const NEGATED = readSet('acts', 'negations')
/** The rest of a clause after such a word describes something: `before you delete`, `how to pay`. */
const NARRATIVE = readSet('acts', 'narrative')
/** First words of questions. `can you` and `could you` are orders and not listed. */
const ASKS_ONLY = readSet('acts', 'questions')
/** A task that names a secret and a change of it asks for the act. `key` counts after a word of `KEY_OF`: `api key`. */
const SECRET = readSet('acts', 'secrets')
const KEY = readSet('acts', 'keys')
const KEY_OF = readSet('acts', 'beforeKeys')
const CHANGE = readSet('acts', 'changes')
/** Objects that make sending a payment: `send them the difference`, `send back 12 euros`. */
const MONEYS = readSet('acts', 'money')
