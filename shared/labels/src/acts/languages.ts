import { type Words, readSet, readTable, wordsIn, longPattern } from '../text/data.js'
import { readIdioms, readMade } from './idioms.js'
import { readWithoutSpaces } from './languages-without-spaces.js'
import { type OrderedKind, type OtherProhibition, kindsByWord } from './ordered-kinds.js'

/** Limits for a sentence: characters, words of a clause, words from a verb to its particle, from a negation to its verb. */
const SENTENCE_MAX = 2_000
const WORDS_MAX = 100
const PARTICLE_REACH = 10
const NEGATION_REACH = 3

/** What a sentence in another language than English orders and forbids. */
export interface OtherOrders {
  readonly ordered: readonly OrderedKind[]
  readonly forbidden: readonly OtherProhibition[]
}

/**
 * The orders and prohibitions of one sentence in German, Spanish, French, Dutch, Polish, Portuguese, Italian, Russian,
 * Japanese, Chinese or Korean: *lösche den Branch*,
 * *den Branch bitte löschen*, *no borres nada*. The words of all these languages are one list, as hardly one means something else in
 * another. Questions, conditions and statements order nothing. Linear in the sentence.
 *
 * @example ordersInOthers('Borra la rama vieja, pero no publiques nada') // ordered: delete; forbidden: publish
 */
export function ordersInOthers(sentence: string): OtherOrders {
  if (sentence.length > SENTENCE_MAX) return { ordered: [], forbidden: [] }
  const ordered = new Set<OrderedKind>()
  const forbidden: OtherProhibition[] = []
  readWithoutSpaces(sentence, ordered, forbidden)
  const clauses = clausesOf(sentence)
  if (QUESTIONS.has(clauses[0]?.[0] ?? '')) return { ordered: [], forbidden: [] }
  let isForbidden = false
  for (const words of clauses) {
    const begins = IMPERATIVES.has(words[0] ?? '')
    isForbidden = readClause(words, isForbidden && !begins, ordered, forbidden)
    if (!isForbidden && !words.some((word, i) => tellsOnly(word, words[i - 1]))) readIdioms(words, ordered)
  }
  readMade(clauses, ordered)
  return { ordered: [...ordered], forbidden }
}

/** Whether a clause with the word orders nothing by its idioms. `weg damit` is one of them. */
const tellsOnly = (word: string, before = ''): boolean =>
  NEGATIONS.has(word) ||
  DRAFTS.has(word) ||
  (REPORTED.has(word) && !(word === 'damit' && /^(?:weg|raus)$/.test(before)))

/** Reads a clause. Returns whether it is a negation and nothing else, which continues behind the comma. */
function readClause(
  words: readonly string[],
  isForbidden: boolean,
  ordered: Set<OrderedKind>,
  forbidden: OtherProhibition[],
): boolean {
  if (words.some((word) => REMEMBER.has(word))) return false
  let negated = isForbidden ? 0 : -1
  for (const [i, word] of words.entries()) {
    if (REPORTED.has(word)) break
    if (NEGATIONS.has(word)) negated = i
    const order = orderAt(words, i)
    if (negated >= 0) {
      const kinds = order.length > 0 ? order : (VERBS.get(word) ?? [])
      const isTouched = TOUCHES.has(word)
      if (kinds.length === 0 && !isTouched) continue
      const isNear = i - negated <= NEGATION_REACH || i === words.length - 1
      if (isNear && !(words[negated] === 'no' && IMPERATIVES.has(word)))
        forbidden.push({ kinds: isTouched ? [] : kinds, object: objectOf(words, word) })
      continue
    }
    if (order.length === 0) continue
    const after = negationAfter(words, i)
    if (after === 'none') for (const kind of order) ordered.add(kind)
    if (after === 'whole') forbidden.push({ kinds: order, object: objectOf(words, word) })
  }
  return words.every((word) => NEGATIONS.has(word) || POLITE.has(word) || BEFORE.has(word)) && negated >= 0
}

/** Whether a negation behind the verb turns the order round: *lösche nichts*, *lösche die Tabelle nicht*, not *lösche, was nicht gebraucht wird*. */
function negationAfter(words: readonly string[], i: number): 'none' | 'part' | 'whole' {
  const at = words.findIndex((word, j) => j > i && NEGATIONS.has(word) && !WITHOUT.has(word))
  if (at < 0) return 'none'
  if (at === words.length - 1 || words.slice(i + 1, at).every((word) => POLITE.has(word))) return 'whole'
  return RELATIVES.has(words[at - 1] ?? '') ? 'none' : 'part'
}

/** The kinds that are ordered at a word of a clause. */
function orderAt(words: readonly string[], i: number): readonly OrderedKind[] {
  const word = words[i] ?? ''
  const kinds = VERBS.get(word) ?? VERBS.get(withoutPronoun(word)) ?? particlesAt(words, i)
  if (kinds.length === 0 || words.some((each) => DRAFTS.has(each))) return []
  return isOrder(words, i) || isFinalOrder(words, i) ? kinds : []
}

/** `bórrala`, `cancellalo`, `apague-o`: the verb without what it is done to. */
const withoutPronoun = (word: string): string => word.replace(OBJECT_PRONOUN, '')
const OBJECT_PRONOUN = longPattern('languages.OBJECT_PRONOUN')

/** Whether an imperative or infinitive stands where an order begins. *The script comes in and borra* tells of the script. */
function isOrder(words: readonly string[], i: number): boolean {
  const before = words[i - 1]
  if (before === undefined) return true
  return BEFORE.has(before) && !(JOINS.has(before) && SUBJECTS.has(words[0] ?? ''))
}

/** `Den alten Branch bitte löschen`, `de oude app verwijderen`: the infinitive ends its clause. */
function isFinalOrder(words: readonly string[], i: number): boolean {
  if (!(words[i] ?? '').endsWith('en')) return false
  if (!words.slice(i + 1).every((word) => POLITE.has(word))) return false
  const before = words.slice(0, i)
  return before.some((word) => POLITE.has(word)) || !before.some((word) => NO_ORDERS.has(word))
}

function particlesAt(words: readonly string[], i: number): readonly OrderedKind[] {
  const word = words[i] ?? ''
  const behind = words.slice(i + 1, i + 1 + PARTICLE_REACH)
  return PARTICLES.filter(
    ({ verbs, particles }) => verbs.has(word) && behind.some((each) => particles.has(each)),
  ).map(({ kind }) => kind)
}

/** Content words of a prohibition, without its verb. Parts of names are words. */
const objectOf = (words: readonly string[], verb: string): string =>
  words
    .filter((word) => word !== verb && word.length > 2 && !SAY_NOTHING.has(word))
    .join(' ')
    .replaceAll(/[/.]/g, ' ')

/** Words of the clauses of a sentence, lower case, without accents. A clause ends before a conjunction with an imperative too. */
function clausesOf(sentence: string): string[][] {
  const plain = sentence.normalize('NFD').replaceAll(MARKS, '').replaceAll('ł', 'l').replaceAll('ß', 'ss')
  return plain
    .toLowerCase()
    .replaceAll('neu starten', 'neustarten')
    .replaceAll(VERB_AND_SUBJECT, ' ')
    .split(CLAUSE_END)
    .flatMap((clause) => cutAtImperatives((clause.match(WORD) ?? []).slice(0, WORDS_MAX)))
    .filter(({ length }) => length > 0)
}

function cutAtImperatives(words: readonly string[]): string[][] {
  const clauses: string[][] = [[]]
  for (const [i, word] of words.entries()) {
    const next = words[i + 1] ?? ''
    const isCut = JOINS.has(word) && (NEGATIONS.has(next) || IMPERATIVES.has(next))
    if (isCut && !SUBJECTS.has(words[0] ?? '')) clauses.push([])
    else clauses.at(-1)?.push(word)
  }
  return clauses
}

const MARKS = /[\u0300-\u036f]/g
const CLAUSE_END = longPattern('languages.CLAUSE_END')
/** Words and names: *fix/menu* is one word, and no verb. */
const WORD = longPattern('languages.WORD')
/** `peux-tu`, `puis-je`: a verb and its subject. */
const VERB_AND_SUBJECT = longPattern('languages.VERB_AND_SUBJECT')

const ORDERS = kindsByWord(readTable('languages', 'orders'))
const NEGATED = readTable<Readonly<Record<string, Words>>>('languages', 'negated')
/** Verbs in forms of orders, infinitives, and forms that only a negation has: these order nothing by themselves. */
const VERBS: ReadonlyMap<string, readonly OrderedKind[]> = new Map([...ORDERS, ...kindsByWord(NEGATED)])
const TOUCHES: ReadonlySet<string> = new Set(wordsIn(NEGATED['touch'] ?? []))
const IMPERATIVES: ReadonlySet<string> = new Set(
  [...ORDERS.keys()].filter((word) => !/(?:en|er|ir|re|ar|ac)$/.test(word)),
)
const PARTICLES = readTable<readonly { verbs: string; particles: string; acts: OrderedKind }[]>(
  'languages',
  'particles',
).map(({ verbs, particles, acts }) => ({
  verbs: new Set(wordsIn(verbs)),
  particles: new Set(wordsIn(particles)),
  kind: acts,
}))
/** Words before an order, and those of them that only join. */
const BEFORE = readSet('languages', 'before')
const JOINS = readSet('languages', 'joins')
const POLITE = readSet('languages', 'polite')
/** With these an infinitive at the end of its clause orders nothing: *Nutzer zu löschen*, *die App soll löschen*. */
const NO_ORDERS = readSet('languages', 'noOrders')
/** First words of clauses that tell of somebody. */
const SUBJECTS = readSet('languages', 'subjects')
const REPORTED = readSet('languages', 'reported')
const QUESTIONS = readSet('languages', 'questions')
const DRAFTS = readSet('languages', 'drafts')
const REMEMBER = readSet('languages', 'remember')
const NEGATIONS = readSet('languages', 'negations')
/** Of them those that say how something is done. */
const WITHOUT = readSet('languages', 'without')
const RELATIVES = readSet('languages', 'relatives')
const SAY_NOTHING: ReadonlySet<string> = new Set([
  ...BEFORE,
  ...NEGATIONS,
  ...SUBJECTS,
  ...POLITE,
  ...NO_ORDERS,
  ...readSet('languages', 'fillers'),
])
