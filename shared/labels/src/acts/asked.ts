import { ACTS, actSignal, type Act, type Signals } from '@plimsoll/contracts'
import { type Words, readSet, readTable, wordsIn } from '../text/data.js'

/** Limits for the text of a task: characters and words. */
const TEXT_MAX = 20_000
const WORDS_MAX = 2_000
/** Maximum distances in words: from `want` to `removed`, from `issue` to `refund`, from `write` to `to`. */
const DESIRE_REACH = 5
const MAKING_REACH = 4
const ADDRESS_REACH = 6
/** From `switch` to `off`, in words. */
const PARTICLE_REACH = 8
/** From `script` to `removes`, in words. */
const SCRIPT_REACH = 6

/**
 * The irreversible acts that a task asks for, as signals (`asksDelete: 1`). Recognises orders in English, outside quotations. Questions,
 * conditions, prohibitions and narratives ask for nothing. Neither does a task in another language, so its irreversible steps need an
 * approval. Linear in the text; reads at most `WORDS_MAX` words.
 *
 * @example actsAsked('Refund order 12 and tell the customer') // { asksPay: 1, asksSend: 1 }
 */
export function actsAsked(task: string): Signals {
  const found = new Set<Act>()
  const text = proseOf(task.slice(0, TEXT_MAX)).replaceAll('’', "'").replaceAll(QUOTED, ' quoted ')
  const hasMoney =
    /[€$£]\s?\d|\d\s?[€$£]/.test(text) || proseWords(text).some((word) => MONEYS.has(word.replace(/s$/, '')))
  let left = WORDS_MAX
  for (const sentence of text.split(SENTENCE_END)) {
    const clauses = sentence.split(CLAUSE_END).map(proseWords)
    left -= clauses.reduce((sum, { length }) => sum + length, 0)
    if (left < 0) break
    if (!isQuestion(clauses[0] ?? [], sentence)) readSentence(clauses, hasMoney, found)
  }
  return Object.fromEntries(ACTS.filter((act) => found.has(act)).map((act) => [actSignal('asks', act), 1]))
}

/** In a JSON task, complete or cut, quotation marks separate texts and do not quote. */
const proseOf = (task: string): string => (/^\s*[[{]/.test(task) ? task.replaceAll(/\\n|"/g, '\n') : task)

const proseWords = (text: string): string[] => text.toLowerCase().match(/[a-z]+(?:'[a-z]+)?/g) ?? []

/** `what did it cost` is a question, but in `what a mess, delete it` the second clause is an order. */
/** `Do a rolling restart`. */
export const ORDERS_WORK = /^\W*(?:do|have)\s+(?:an?|the|this|that|these|those|it|them)\b/i
const isQuestion = ([first = '']: readonly string[], sentence: string): boolean =>
  ASKS_ONLY.has(first) && !/^[^a-z]*\d/i.test(sentence) && !ORDERS_WORK.test(sentence)

function readSentence(clauses: readonly (readonly string[])[], hasMoney: boolean, found: Set<Act>): void {
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
  if (isOrder(words, i))
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

/** Whether an order begins with a verb that is not known: what it asks for may be any change of what it names. */
function isUnknownOrder(words: readonly string[], i: number): boolean {
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
const OBJECT_STARTS: ReadonlySet<string> = new Set(
  'the my our all it them those these this that what whatever every any a an up out off away old both each everything anything'.split(
    ' ',
  ),
)
const NO_OBJECTS: ReadonlySet<string> = new Set(
  'on at in of from to with for by as and or is are was were has have had does do did can will would should must not'.split(
    ' ',
  ),
)
const NO_VERBS: ReadonlySet<string> = new Set(
  'the a an my our your his her its this that these those it i we you they he she who whom whose what which when where why how if while as because since so but and or for with without in on at to of from by about after before until unless once than then there here not no yes nothing nobody none some any all each every both everything anything something everyone anyone somebody only just also again still already soon now today tomorrow yesterday tonight monthly weekly daily otherwise maybe perhaps btw fyi ok okay pls hey hi hello thanks green red same new old lost got went made did said saw took gave came ran broke found left kept thought careful svn first next last more most less few many much'.split(
    ' ',
  ),
)

/** Phrases without a verb of the act: `the old volume can go`, `close it with a note`, `Mia should be able to read it`, `restart it in prod`. */
function actsOfPhrase(words: readonly string[], i: number): readonly Act[] {
  const word = words[i] ?? ''
  const before = words[i - 1] ?? ''
  if (
    word === 'go' &&
    i > 1 &&
    (/^(?:can|may|should|must)$/.test(before) || HAS_TO.test(`${words[i - 2]} ${before}`))
  )
    return ['delete']
  if (word === 'able' && words[i + 1] === 'to' && /^(?:should|must) be$/.test(`${words[i - 2]} ${before}`))
    return ['grant']
  if (NOTES.has(word) && words.slice(Math.max(0, i - MAKING_REACH), i).includes('with') && isOrder(words, 0))
    return ['send']
  const isLive = LIVE.has(word) && words.slice(i - 2, i).some((each) => /^(?:in|on|to)$/.test(each))
  return isLive && words.slice(0, i).some((verb, at) => AT_WORK.has(verb) && isOrder(words, at))
    ? ['publish']
    : []
}
const HAS_TO = /^(?:has|have|needs?) to$/
const NOTES: ReadonlySet<string> = new Set(['note', 'comment', 'message', 'reply'])
const LIVE: ReadonlySet<string> = new Set(['prod', 'production', 'live'])
/** Verbs of what is done to something that runs. */
const AT_WORK = readSet('acts', 'workingVerbs')

/** The acts of a participle: `removed`, `dropped`, `thrown`. */
const verbOfParticiple = (word: string): readonly Act[] =>
  VERBS.get(word.slice(0, -1)) ??
  VERBS.get(word.slice(0, -2)) ??
  VERBS.get(word.slice(0, -3)) ??
  VERBS.get(IRREGULAR.get(word) ?? word) ??
  []
const IRREGULAR = new Map([
  ['thrown', 'throw'],
  ['rebuilt', 'rebuild'],
  ['overwritten', 'overwrite'],
  ['sent', 'send'],
  ['reset', 'reset'],
  ['gone', 'delete'],
])

/** `get rid of the old volume`, `switch the agent off`, `set main back`. */
function actsOfParticle(words: readonly string[], i: number): readonly Act[] {
  const behind = words.slice(i + 1, i + 1 + PARTICLE_REACH)
  return PARTICLES.filter(
    ({ verbs, particles, atEnd }) =>
      verbs.has(words[i] ?? '') &&
      behind.some((word, at) => particles.has(word) && (!atEnd || END_OF_PHRASE.has(behind[at + 1] ?? ''))),
  ).flatMap(({ acts }) => acts)
}

/** What may follow the last word of a phrase; nothing, at the end of a clause. */
const END_OF_PHRASE: ReadonlySet<string> = new Set([
  '',
  'on',
  'in',
  'at',
  'now',
  'today',
  'with',
  'via',
  'to',
  'and',
  'then',
])

/** Whether the words before are of something that a task has written. */
const isOfScript = (words: readonly string[], i: number): boolean =>
  words.slice(Math.max(0, i - SCRIPT_REACH), i).some((before) => SCRIPTS.has(before))

/** Whether the verb is an order: it begins a clause, or follows `please`, `and`, `you should`. */
function isOrder(words: readonly string[], i: number): boolean {
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
const isStopOrder = (words: readonly string[], i: number): boolean =>
  isOrder(words, i) && !/ing$|^(?:it|them|that|this)$/.test(words[i + 1] ?? 'ing')

/** Whether the words before are a condition that has ended: `if the tests pass deploy it`. */
const endsCondition = (words: readonly string[], before: string): boolean =>
  CONDITIONS.has(words[0] ?? '') && (FINITE.has(before) || PASSES.has(before))

/** What a task has written that does the act: `a script that removes old wheels`. */
const SCRIPTS = readSet('acts', 'scripts')
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

/** Quoted text is material, not an order. An apostrophe inside a word is no quotation mark. */
const QUOTED =
  /"[^"]{0,2000}"|“[^”]{0,2000}”|«[^»]{0,2000}»|`[^`]{0,2000}`|(?<![A-Za-z])'[^'\n]{1,500}'(?![A-Za-z])/g
const SENTENCE_END = /[.!?;:]+(?=\s|$|[A-Z][a-z])|\n+/
const CLAUSE_END = /[,()–—]| - /

const byWord = (table: Readonly<Partial<Record<Act, Words>>>): ReadonlyMap<string, readonly Act[]> => {
  const acts = new Map<string, Act[]>()
  for (const act of ACTS)
    for (const word of wordsIn(table[act] ?? [])) acts.set(word, [...(acts.get(word) ?? []), act])
  return acts
}
/** Verbs that ask for an act as an order: `delete`, `please refund`. */
const VERBS = byWord(readTable('acts', 'orderVerbs'))
/** Verbs that ask for an act together with a word behind them. */
const PARTICLES = readTable<
  readonly {
    readonly verbs: Words
    readonly particles: Words
    /** Whether the particle is the last word of a phrase. */
    readonly atEnd?: boolean
    readonly acts: readonly Act[]
  }[]
>('acts', 'orderParticles').map(({ verbs, particles, acts, atEnd = false }) => ({
  atEnd,
  verbs: new Set(wordsIn(verbs)),
  particles: new Set(wordsIn(particles)),
  acts,
}))
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
/** Words before an order: `please delete`, `and pay`, `you should send`. */
const ORDER = readSet('acts', 'beforeOrders')
/** A task that names a secret and a change of it asks for the act. `key` counts after a word of `KEY_OF`: `api key`. */
const SECRET = readSet('acts', 'secrets')
const KEY = readSet('acts', 'keys')
const KEY_OF = readSet('acts', 'beforeKeys')
const CHANGE = readSet('acts', 'changes')
/** Objects that make sending a payment: `send them the difference`, `send back 12 euros`. */
const MONEYS = readSet('acts', 'money')
