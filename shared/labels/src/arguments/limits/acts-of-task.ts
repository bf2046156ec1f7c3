import { ordersInOthers } from '../../acts/languages.js'
import { patternOf, readSet, readTable, longPattern } from '../../text/data.js'
import {
  LIMITED_ACTS,
  type LimitedAct,
  actsOfWord,
  isWhole,
  nameOfAct,
  nameOfObject,
  namesOfEvery,
} from './names-of-acts.js'
import { cleansUp, doneLater, isCondition, isReviewed, keptIn, withoutExceptions } from './exceptions.js'
import { wordsOfName } from './names-of-change.js'

/** Limits for the text: sentences, characters of one, words of one object. */
const SENTENCES_MAX = 256
const SENTENCE_MAX = 400
const OBJECT_WORDS_MAX = 4

/** What a user's text forbids to do, and what a later one asks for, by the names of `namesOfActs`. */
export interface ActLimits {
  /** Acts, and things that nothing is done to. */
  readonly never: readonly string[]
  readonly allows: readonly string[]
  /** Of each thing that orders are not about its words: *all meetings except the landlord's*. */
  readonly kept: readonly (readonly string[])[]
  /** Whether nothing is to be done before the user says so. */
  readonly waits: boolean
}

interface Found {
  readonly never: Set<string>
  readonly allows: Set<string>
  readonly kept: (readonly string[])[]
  /** Words of what orders are about: what a prohibition shares with them does not tell the two apart. */
  readonly ordered: Set<string>
  /** Acts that clauses order. */
  readonly acts: Set<LimitedAct>
  waits: boolean
  goes: boolean
}

/** A prohibition, before it is known what the rest of the text orders. */
interface Prohibition {
  readonly acts: readonly LimitedAct[]
  readonly object: string
  /** Whether the act itself is ordered, for later. */
  readonly waits: boolean
  /** Whether the act itself is ordered, for others: then it is not forbidden. */
  readonly isException?: true
}

/**
 * The limits that a user's text sets to acts: *do not push*, *delete old/ only after I approve*, *leave production alone*. English, and
 * plain ones in the languages of `ordersInOthers`. What a text says of a product (*the script must not send mails twice*) and conditions are none. Linear in the text.
 *
 * @param isLater whether the text follows a task. Then an order allows its acts, and *go ahead* all.
 */
export function limitedActs(text: string, isLater = false): ActLimits {
  const found: Found = {
    never: new Set(),
    allows: new Set(),
    kept: [],
    ordered: new Set(),
    acts: new Set(),
    waits: false,
    goes: false,
  }
  const prohibitions: Prohibition[] = []
  let before: readonly LimitedAct[] = []
  for (const sentence of text.replaceAll(MATERIAL, ' ').split(SENTENCE_END).slice(0, SENTENCES_MAX)) {
    if (sentence.length > SENTENCE_MAX || sentence.trim() === '') continue
    before = readSentence(sentence, before, prohibitions, found)
    readOtherLanguages(sentence, prohibitions, found)
  }
  if (isReviewed(text)) prohibitions.push({ acts: ['send'], object: '', waits: true })
  for (const prohibition of prohibitions) settle(prohibition, found)
  if (found.goes || GOES.test(text)) for (const act of LIMITED_ACTS) found.allows.add(nameOfAct(act))
  return {
    never: [...found.never],
    allows: isLater && !found.waits ? [...found.allows] : [],
    kept: found.kept,
    waits: found.waits,
  }
}

/** Adds what a sentence in another language than English orders and forbids. */
function readOtherLanguages(sentence: string, prohibitions: Prohibition[], found: Found): void {
  const { ordered, forbidden } = ordersInOthers(sentence)
  for (const { kinds, object } of forbidden) prohibitions.push({ acts: kinds, object, waits: false })
  if (ordered.length === 0) return
  for (const act of ordered) {
    found.acts.add(act)
    found.allows.add(nameOfAct(act))
  }
  const kept = new Set(forbidden.flatMap(({ object }) => wordsOfName(object)))
  for (const word of objectWords(sentence)) {
    if (!kept.has(word)) found.ordered.add(word)
    found.allows.add(nameOfObject(word))
  }
}

/** Code and quotations are material. */
const MATERIAL = longPattern('acts-of-task.MATERIAL')
const SENTENCE_END = /[.!?;](?=\s|$)|\n/
const CLAUSE_END = longPattern('acts-of-task.CLAUSE_END')

/** Reads one sentence, and returns the acts that it names: the next one may say that they wait. */
function readSentence(
  sentence: string,
  before: readonly LimitedAct[],
  prohibitions: Prohibition[],
  found: Found,
): readonly LimitedAct[] {
  const text = sentence
    .replaceAll('’', "'")
    .replaceAll(EMPHASIS, (phrase) => (/\bno\b/i.test(phrase) ? 'never ' : ''))
    .replaceAll(/[`*_]{1,2}(?=\w)|(?<=[\w/])[`*]{1,2}/g, '')
  const isOfProduct = OF_PRODUCT.test(text)
  const named: LimitedAct[] = []
  const byUser = isOfProduct ? [] : actsOfWord(doneLater(text))
  if (byUser.length > 0) prohibitions.push({ acts: byUser, object: '', waits: true })
  const { excepted, rest } = isOfProduct ? { excepted: [], rest: text } : withoutExceptions(text)
  for (const clause of rest.split(CLAUSE_END)) {
    const plain = clause.replace(POLITE, '')
    const kept = keptIn(plain)
    if (kept !== '' && !isOfProduct && (named.length > 0 || before.length > 0 || cleansUp(text))) {
      excepted.push(kept)
      continue
    }
    const wait = WAITS.exec(plain)
    if (wait) {
      const own = actsNamed(plain.replace(SAYS, ' '))
      if (isOfProduct) continue
      const acts = own.length > 0 ? own : named.length > 0 ? named : before
      if (acts.length > 0) prohibitions.push({ acts, object: '', waits: true })
      else found.waits = true
      continue
    }
    const forbidden = FORBIDS.exec(plain) ?? FORBIDS_GERMAN.exec(plain)
    if (forbidden) {
      // *An endpoint that returns users without sending mails* is about the endpoint.
      if (/^without/i.test(forbidden[0]) && RELATIVE.test(text)) continue
      if (
        isCondition(plain) ||
        /^(?:forget|hesitate|fail|worry|mind|just)\b/i.test(plain.slice(forbidden[0].length))
      )
        continue
      prohibit(plain.slice(forbidden[0].length), prohibitions)
      continue
    }
    if (!isOfProduct && !isCondition(plain) && readOthers(plain, prohibitions)) continue
    const ordered = actsOrdered(plain)
    for (const act of ordered) {
      named.push(act)
      found.acts.add(act)
      found.allows.add(nameOfAct(act))
    }
    if (ordered.length > 0 || CHANGES.test(plain))
      for (const word of objectWords(plain)) {
        if (ordered.length > 0) found.ordered.add(word)
        found.allows.add(nameOfObject(word))
      }
    if (GOES_CLAUSE.test(plain)) found.goes = true
  }
  const late = named.length > 0 ? named : actsOrdered(rest, true)
  const inOthers = late.length === 0 && excepted.length > 0 ? ordersInOthers(sentence).ordered : []
  const ordered = late.length > 0 ? late : inOthers.length > 0 ? inOthers : before
  const taken = ordered.length > 0 ? [...new Set(ordered)] : cleansUp(text) ? (['delete'] as const) : []
  for (const object of taken.length > 0 ? excepted : []) {
    prohibitions.push({ acts: taken, object, waits: false, isException: true })
    keep(object, found)
  }
  return late.length > 0 ? late : before
}

/** Records what orders except: nothing then takes all of a kind that it may be one of. */
function keep(object: string, { kept, never }: Found): void {
  const words = objectWords(object)
  if (words.length === 0 || kept.length === KEPT_MAX) return
  kept.push(words)
  for (const name of namesOfEvery(object)) never.add(name)
}
const KEPT_MAX = 6

/** `Do not under any circumstances push`. */
const EMPHASIS = longPattern('acts-of-task.EMPHASIS')
/** Words before an order, and marks of lists. */
const POLITE = longPattern('acts-of-task.POLITE')
/** An order not to do something: it begins its clause. */
const FORBIDS = longPattern('acts-of-task.FORBIDS')
const FORBIDS_GERMAN = longPattern('acts-of-task.FORBIDS_GERMAN')
/** What a text says of a program: *make sure that the script does not send*. */
const OF_PRODUCT = longPattern('acts-of-task.OF_PRODUCT')
const RELATIVE = longPattern('acts-of-task.RELATIVE')
/** The acts wait for a word of the user. */
const WAITS = new RegExp(
  readTable<readonly string[]>('limits', 'waits')
    .join('|')
    .replaceAll('CONSENTS', readTable<string>('limits', 'consents')),
  'i',
)
/** What the user says or does, which is no act of the agent. */
const SAYS = patternOf(readTable<string>('limits', 'says'))

/** What is forbidden: acts in a row, and what they would be done to. */
function prohibit(order: string, prohibitions: Prohibition[]): void {
  // *Do not send or publish anything*: what follows the verbs belongs to all of them.
  const words = [...order.matchAll(WORD)]
  const acts: LimitedAct[] = []
  let end = 0
  for (const [i, match] of words.entries()) {
    const [word] = match
    const done = actsOfWord(word, words[i + 1]?.[0])
    if (done.length > 0) acts.push(...done)
    else if (!JOINS.test(word)) break
    end = match.index + word.length
  }
  if (acts.length > 0) return void prohibitions.push({ acts, object: order.slice(end), waits: false })
  if (TOUCHES.test(order)) prohibitions.push({ acts: [], object: order.replace(TOUCHES, ''), waits: false })
}

const WORD = /[A-Za-zäöüß-]{2,30}/g
const JOINS = longPattern('acts-of-task.JOINS')
const TOUCHES = longPattern('acts-of-task.TOUCHES')

/** *Leave production alone*, *only prepare the release*. Returns whether the clause is of that kind. */
function readOthers(clause: string, prohibitions: Prohibition[]): boolean {
  const { length } = prohibitions
  const [, kept = '', away = ''] = KEEPS.exec(clause) ?? []
  const object = kept + away
  const isRunning = /\b(?:running|up)\s*$/i.test(clause)
  if (object !== '') prohibitions.push({ acts: isRunning ? ['stop'] : [], object, waits: false })
  if (BY_USER.test(clause)) prohibitions.push({ acts: actsNamed(clause), object: '', waits: true })
  if (PREPARES.test(clause)) prohibitions.push({ acts: PREPARED, object: '', waits: true })
  const [, passive = '', how = ''] = PASSIVE.exec(clause) ?? []
  if (passive !== '') prohibitions.push({ acts: actsOfWord(how), object: passive, waits: false })
  const [, gerund = '', of = ''] = OFF_LIMITS.exec(clause) ?? []
  if (gerund !== '') prohibitions.push({ acts: actsOfWord(gerund), object: of, waits: false })
  const [, later = ''] = LATER.exec(clause) ?? []
  if (later !== '') prohibitions.push({ acts: [], object: later, waits: false })
  return prohibitions.length > length
}

/** *Production follows next week*. */
const LATER = longPattern('acts-of-task.LATER')
const KEEPS = longPattern('acts-of-task.KEEPS')
/** *I will push myself*, *leave the deployment to me*. */
const BY_USER = longPattern('acts-of-task.BY_USER')
/** *Pushing is not allowed*. */
const OFF_LIMITS = longPattern('acts-of-task.OFF_LIMITS')
const PREPARES = longPattern('acts-of-task.PREPARES')
const PREPARED: readonly LimitedAct[] = ['publish', 'deploy', 'send', 'push', 'pay', 'delete']
const PASSIVE = longPattern('acts-of-task.PASSIVE')

/** Settles a prohibition by what the rest of the text orders. */
function settle({ object, ...how }: Prohibition, found: Found): void {
  const [phrase = ''] = object.split(OTHERS_PART)[0]?.split(TAIL) ?? []
  const parts = phrase.split(OR)
  for (const part of parts.length > 1 && parts.length <= PARTS_MAX ? parts : [phrase])
    settlePart({ ...how, object: part }, found)
}
const OR = longPattern('acts-of-task.OR')
const PARTS_MAX = 6

function settlePart(
  { acts, object: phrase, waits, isException }: Prohibition,
  { never, ordered, acts: ordersOf }: Found,
): void {
  if (MEANS_OTHERS.test(phrase)) return
  const words = objectWords(phrase)
  const whole = phrase
    .trim()
    .replace(/^the\s/i, '')
    .toLowerCase()
  if (acts.length > 0 && isWhole(whole)) never.add(nameOfObject(whole))
  const isOfPeople = acts.every((act) => TO_PEOPLE.test(act)) && words.every((word) => PEOPLE.has(word))
  const isOfAct =
    acts.length > 0 && !isWhole(whole) && (words.length === 0 || isOfPeople) && !NAMES_PLACE.test(phrase)
  // Who orders an act and forbids it means something that is not read.
  if (isOfAct && !isException)
    for (const act of acts) if (waits || !ordersOf.has(act)) never.add(nameOfAct(act))
  if (isOfAct || FILE.test(phrase) || (acts.length === 0 && NAMES_PLACE.test(phrase))) return
  // Who forbids to change the users forbids no changes of what the product calls so, unless something is to be deleted.
  const isLosing = ordersOf.has('delete') || ordersOf.has('stop')
  if (acts.length === 0 && !isLosing && !OF_SYSTEMS.test(phrase)) return
  for (const word of words) if (!ordered.has(word)) never.add(nameOfObject(word))
}

/** Acts that are done to people, and people in general. */
const TO_PEOPLE = longPattern('acts-of-task.TO_PEOPLE')
const PEOPLE = readSet('limits', 'people')
/** What follows says when or why. */
const TAIL = longPattern('acts-of-task.TAIL')
/** *Do not publish, Marlene does it on Monday*: who does what instead. */
const OTHERS_PART = longPattern('acts-of-task.OTHERS_PART')
/** Paths are limits to changes. */
const NAMES_PLACE = longPattern('acts-of-task.NAMES_PLACE')
/** A file; a branch may have a folder. */
const FILE = /\.[a-z]{1,5}\b(?!\.)/i
/** What a product has no part of that is called so. */
const OF_SYSTEMS = longPattern('acts-of-task.OF_SYSTEMS')

/** Content words of an object, in the singular, at most 4. What an act is done to anyway says nothing. */
function objectWords(phrase: string): string[] {
  const words = [...new Set(wordsOfName(phrase))].filter((word) => !GENERIC.has(word))
  const own = words.filter((word) => !KINDS.has(word))
  return (own.length > 0 ? own : words).slice(0, OBJECT_WORDS_MAX)
}

/** Kinds of things: *the orders table* is one of them, *the database* all. */
const KINDS = readSet('limits', 'objectKinds')

/** Acts that a text names by any form of their words. */
const actsNamed = (text: string): LimitedAct[] => {
  const words = [...text.matchAll(WORD)].map(([word]) => word)
  return words.flatMap((word, i) => actsOfWord(word, words[i + 1]))
}

/** Acts that a clause orders: it begins with them, or has them after `and`, `to`, `please`; or behind a comma: *I'm ill, cancel my meetings*. */
function actsOrdered(clause: string, alsoBehindComma = false): LimitedAct[] {
  if (QUESTION.test(clause)) return []
  const found = [...clause.matchAll(WORD)]
  const words = found.map(([word]) => word.toLowerCase())
  return found.flatMap(({ index }, i) => {
    const word = words[i] ?? ''
    const isBegun =
      i === 0 || BEFORE.test(words[i - 1] ?? '') || (alsoBehindComma && clause[index - 2] === ',')
    return isBegun && !/(?:ing|ed)$/.test(word) ? actsOfWord(word, words[i + 1]) : []
  })
}

const QUESTION = longPattern('acts-of-task.QUESTION')
const BEFORE = longPattern('acts-of-task.BEFORE')

/** The user agrees: the message as a whole, or a clause. */
const GOES = longPattern('acts-of-task.GOES')
const GOES_CLAUSE = longPattern('acts-of-task.GOES_CLAUSE')
const CHANGES = longPattern('acts-of-task.CHANGES')

const GENERIC = readSet('limits', 'generic')

const MEANS_OTHERS = longPattern('acts-of-task.MEANS_OTHERS')
