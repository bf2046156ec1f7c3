import { patternOf, readTable, longPattern } from '../text/data.js'
import { KINDS, type OrderedKind, type OtherProhibition } from './ordered-kinds.js'

/** Reads a sentence of a language that does not part its words: Japanese, Chinese, and Korean, whose verbs end the sentence. */
export function readWithoutSpaces(
  sentence: string,
  ordered: Set<OrderedKind>,
  forbidden: OtherProhibition[],
): void {
  if (JAPANESE.test(sentence)) readJapanese(sentence, ordered, forbidden)
  else if (CHINESE.test(sentence)) readChinese(sentence, ordered, forbidden)
  else if (KOREAN.test(sentence)) readKorean(sentence, ordered, forbidden)
}

/** Stems with the endings of orders and prohibitions. */
function readJapanese(sentence: string, ordered: Set<OrderedKind>, forbidden: OtherProhibition[]): void {
  for (const [words] of sentence.matchAll(JAPANESE_PROHIBITIONS))
    forbidden.push({ kinds: kindsOfJapanese(words), object: '' })
  for (const { 0: stem, index } of sentence.matchAll(JAPANESE_STEMS)) {
    JAPANESE_ORDERS.lastIndex = index + stem.length
    const isLast = /^(?:[\s！!]{0,4}$|。)/.test(sentence.slice(index + stem.length, index + stem.length + 5))
    if (JAPANESE_ORDERS.test(sentence) || isLast) for (const kind of kindsOfJapanese(stem)) ordered.add(kind)
  }
}

/** By the first sign: the forms of one verb share it. */
const kindsOfJapanese = (words: string): readonly OrderedKind[] =>
  STEMS.filter(({ stems }) => stems.some((stem) => words.startsWith(stem))).map(({ kind }) => kind)

const JAPANESE = /[\u3040-\u30ff]/
/** Where Latin letters touch signs of scripts without spaces. */
const SCRIPT_BORDER = longPattern('languages-without-spaces.SCRIPT_BORDER')

/** A task with spaces between its Latin names and scripts without spaces, so that its names are words: *cache-oldを* has one. */
export const withSpaces = (task: string): string => task.replaceAll(SCRIPT_BORDER, ' ')
const STEM_TABLE = readTable<Readonly<Record<OrderedKind, string>>>('languages', 'japanese')
const STEMS = KINDS.map((kind) => ({
  kind,
  stems: STEM_TABLE[kind].split('|').map((stem) => stem.replace(/[\u3040-\u309f]+$/, '')),
}))
const JAPANESE_STEMS = new RegExp(Object.values(STEM_TABLE).join('|'), 'g')
const JAPANESE_ORDERS = patternOf(readTable<string>('languages', 'japaneseOrders'))
const JAPANESE_PROHIBITIONS = patternOf(readTable<string>('languages', 'japaneseProhibitions'))

/** Stems by kind, of a language whose verbs do not change at their beginning. */
function stemsOf(name: string): { readonly any: RegExp; readonly kindsOf: (stem: string) => OrderedKind[] } {
  const table = readTable<Readonly<Record<OrderedKind, string>>>('languages', name)
  const stems = new Map(
    KINDS.flatMap((kind) => table[kind].split('|').map((stem) => [stem, kind] as const)).toReversed(),
  )
  return {
    // Longest first, so that a stem within another is not taken for it.
    any: new RegExp([...stems.keys()].toSorted((a, b) => b.length - a.length).join('|'), 'g'),
    kindsOf: (stem) => KINDS.filter((kind) => table[kind].split('|').includes(stem)),
  }
}

const CHINESE = /[\u4e00-\u9fff]/
const CHINESE_STEMS = stemsOf('chinese')
/** What a Chinese clause has before the verb that it forbids, asks or tells about. */
const CHINESE_FORBIDS = longPattern('languages-without-spaces.CHINESE_FORBIDS')
const CHINESE_TELLS = longPattern('languages-without-spaces.CHINESE_TELLS')

function readChinese(sentence: string, ordered: Set<OrderedKind>, forbidden: OtherProhibition[]): void {
  for (const { 0: stem, index } of sentence.matchAll(CHINESE_STEMS.any)) {
    const before = sentence.slice(Math.max(0, index - 20), index)
    const kinds = CHINESE_STEMS.kindsOf(stem)
    if (CHINESE_FORBIDS.test(before)) forbidden.push({ kinds, object: '' })
    else if (!CHINESE_TELLS.test(before)) for (const kind of kinds) ordered.add(kind)
  }
}

const KOREAN = /[\uac00-\ud7af]/
const KOREAN_STEMS = stemsOf('korean')
/** Endings of prohibitions, and of reports and questions. */
const KOREAN_FORBIDS = longPattern('languages-without-spaces.KOREAN_FORBIDS')
const KOREAN_ORDERS = longPattern('languages-without-spaces.KOREAN_ORDERS')

function readKorean(sentence: string, ordered: Set<OrderedKind>, forbidden: OtherProhibition[]): void {
  for (const { 0: stem, index } of sentence.matchAll(KOREAN_STEMS.any)) {
    const after = sentence.slice(index + stem.length, index + stem.length + 12)
    const kinds = KOREAN_STEMS.kindsOf(stem)
    if (KOREAN_FORBIDS.test(after)) forbidden.push({ kinds, object: '' })
    else if (KOREAN_ORDERS.test(after)) for (const kind of kinds) ordered.add(kind)
  }
}
