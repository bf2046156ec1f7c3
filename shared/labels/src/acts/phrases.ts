import type { Act } from '@plimsoll/contracts'
import { type Words, readSet, readTable, wordsIn, longPattern } from '../text/data.js'
import { VERBS, isOrder } from './orders.js'

/** Words from a verb to what belongs to it: from `switch` to `off`, from `with` to `note`. */
const PARTICLE_REACH = 8
const WITH_REACH = 4

/** Phrases without a verb of the act: `the old volume can go`, `close it with a note`, `Mia should be able to read it`, `restart it in prod`. */
export function actsOfPhrase(words: readonly string[], i: number): readonly Act[] {
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
  const next = words[i + 1]
  if (
    ACCESS.has(word) &&
    (next === undefined || TO_WHAT.test(next)) &&
    words.slice(Math.max(0, i - NEED_REACH), i).some((each) => /^needs?$/.test(each))
  )
    return ['grant']
  if (
    FRESH.has(word) &&
    DATA.test(`${next} ${words[i + 2]}`) &&
    words.slice(Math.max(0, i - FRESH_REACH), i).some((each) => STARTS.has(each))
  )
    return ['delete', 'overwrite']
  if (NOTES.has(word) && words.slice(Math.max(0, i - WITH_REACH), i).includes('with') && isOrder(words, 0))
    return ['send']
  if (
    (word === 'gist' || (word === 'preview' && PREVIEWED.test(next ?? 'of'))) &&
    words
      .slice(Math.max(0, i - SHOWS_REACH), i)
      .some((each, at, all) => SHOWS.has(each) && isOrder(words, i - all.length + at))
  )
    return ['publish']
  const isLive =
    LIVE.has(word) && words.slice(Math.max(0, i - 2), i).some((each) => /^(?:in|on|to)$/.test(each))
  return isLive && words.slice(0, i).some((verb, at) => AT_WORK.has(verb) && isOrder(words, at))
    ? ['publish']
    : []
}
/** `Make a preview of the branch`, `prepare the question with a public gist`. */
const SHOWS: ReadonlySet<string> = new Set(
  'make create give prepare post need get deploy send put'.split(' '),
)
const SHOWS_REACH = 7
/** What follows where the preview is what is made, and no part of the product. */
const PREVIEWED = longPattern('phrases.PREVIEWED')
/** What a person at work needs: `our analyst needs a read only login`. */
const ACCESS: ReadonlySet<string> = new Set(
  'login access account permission permissions role seat'.split(' '),
)
const NEED_REACH = 5
const TO_WHAT = longPattern('phrases.TO_WHAT')
/** What may be empty that was not: `a fresh empty db`, `an empty one`. */
const DATA = longPattern('phrases.DATA')
/** How what is started over has to be: `i want a fresh empty db`, `start over with a clean one`. */
const FRESH: ReadonlySet<string> = new Set('fresh empty clean blank pristine'.split(' '))
const STARTS: ReadonlySet<string> = new Set('want need wants over again back'.split(' '))
const FRESH_REACH = 4
const HAS_TO = /^(?:has|have|needs?) to$/
const NOTES: ReadonlySet<string> = new Set(['note', 'comment', 'message', 'reply'])
const LIVE = readSet('acts', 'liveWords')
/** Verbs of what is done to something that runs. */
const AT_WORK = readSet('acts', 'workingVerbs')

/** `get rid of the old volume`, `switch the agent off`, `set main back`. */
export function actsOfParticle(words: readonly string[], i: number): readonly Act[] {
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

/** The acts of a participle: `removed`, `dropped`, `thrown`. */
export const verbOfParticiple = (word: string): readonly Act[] =>
  VERBS.get(word.slice(0, -1)) ??
  VERBS.get(word.slice(0, -2)) ??
  VERBS.get(word.slice(0, -3)) ??
  VERBS.get(IRREGULAR.get(word) ?? word) ??
  []
export const IRREGULAR = new Map([
  ['thrown', 'throw'],
  ['rebuilt', 'rebuild'],
  ['overwritten', 'overwrite'],
  ['sent', 'send'],
  ['reset', 'reset'],
  ['gone', 'delete'],
])
