import { PlimsollError } from '@plimsoll/contracts'
import { type Stems, TEXT_WEIGHTS, scanWords } from './scan-words.js'
import { readJsonFile } from '../text/json-file.js'

/** Code units of a text that are read: the beginning of a result, all of most arguments. */
export const ARGUMENT_UNITS_MAX = 4096
export const RESULT_UNITS_MAX = 400

/** A linear model of the words of a step: its score is bias + scale × sum of weights ÷ √(number of different words). */
export interface ConductTextModel {
  readonly format: 1
  /** Log odds of a step without words. */
  readonly bias: number
  /** Log odds of a weight of 1. */
  readonly scale: number
  /** Signed bytes by hash, base64: of words in arguments and in names of tools and arguments; of words in results. */
  readonly arguments: string
  readonly results: string
}

/**
 * Parses a model from JSON.
 *
 * @throws PlimsollError `document_invalid` for content that this version cannot use
 */
export function parseConductTextModel(content: unknown): ConductTextModel {
  const problem = problemOf(content)
  if (problem !== undefined) throw new PlimsollError('document_invalid', `conduct model: ${problem}`)
  return content as ConductTextModel
}

function problemOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null) return 'expected an object'
  const { format, bias, scale, arguments: own, results } = content as Partial<Record<string, unknown>>
  if (format !== 1) return 'format: expected 1'
  if (!Number.isFinite(bias)) return 'bias: expected a number'
  if (!Number.isFinite(scale) || (scale as number) <= 0) return 'scale: expected a number above 0'
  if (!isTable(own)) return `arguments: expected ${TEXT_WEIGHTS} bytes in base64`
  return isTable(results) ? undefined : `results: expected ${TEXT_WEIGHTS} bytes in base64`
}

const isTable = (text: unknown): boolean =>
  typeof text === 'string' && Buffer.from(text, 'base64').length === TEXT_WEIGHTS

/** Location of the shipped model. */
const SHIPPED_CONDUCT_MODEL = new URL('../../models/conduct.json', import.meta.url)

let shipped: ConductTextModel | undefined

/** The shipped model, read once. */
export function shippedConductTextModel(): ConductTextModel {
  shipped ??= parseConductTextModel(readJsonFile(SHIPPED_CONDUCT_MODEL))
  return shipped
}

/** Words of the names of tools are others than those of arguments. */
const TOOL_SALT = 1

/** The buckets of the different words of a text, each once. Valid until the next reading of the same words. */
export interface TextWords {
  readonly count: number
  readonly buckets: Int32Array
}

/** Collects different buckets by marking them with the number of the reading. */
function createWordSet() {
  const seen = new Int32Array(TEXT_WEIGHTS)
  const buckets = new Int32Array(TEXT_WEIGHTS)
  let reading = 0
  let count = 0
  return {
    begin: (): void => {
      reading++
      count = 0
    },
    add: (bucket: number): void => {
      if (seen[bucket] === reading) return
      seen[bucket] = reading
      buckets[count++] = bucket
    },
    words: (): TextWords => ({ count, buckets }),
  }
}

const SET = createWordSet()
const NO_COUNTS = new Int32Array(0)
const NO_STEMS = { onWord: SET.add, counts: NO_COUNTS }

/** Code units of a text; `length`: how many are read. */
export interface Units {
  readonly units: Uint16Array
  readonly length: number
}

let scratch = new Uint16Array(ARGUMENT_UNITS_MAX)

/** Loads a text that no one has loaded. Valid until the next call. */
export function unitsOf(text: string | Units): Units {
  if (typeof text !== 'string') return text
  const { length } = text
  if (length > scratch.length) scratch = new Uint16Array(2 * length)
  for (let at = 0; at < length; at++) scratch[at] = text.charCodeAt(at)
  return { units: scratch, length }
}

/** Names of tools and arguments repeat, so the buckets of this many are kept. */
const NAMES_MAX = 1_024
const ofNames = new Map<string, Int32Array>()
const ofTools = new Map<string, Int32Array>()

function addName(known: Map<string, Int32Array>, name: string, salt?: number): void {
  let buckets = known.get(name)
  if (buckets === undefined) {
    const made: number[] = []
    const { units, length } = unitsOf(name)
    scanWords(
      units,
      length,
      undefined,
      { onWord: (bucket) => void made.push(bucket), counts: NO_COUNTS },
      salt,
    )
    buckets = Int32Array.from(made)
    if (known.size < NAMES_MAX && length <= NAME_UNITS_MAX) known.set(name, buckets)
  }
  for (const bucket of buckets) SET.add(bucket)
}

const NAME_UNITS_MAX = 256

/** Reads the words of a step's arguments; counts those of `stems`. `text`: the values of the arguments. */
export function argumentWords(
  tool: string,
  names: readonly string[],
  text: string | Units,
  stems?: Stems,
  counts = NO_COUNTS,
): TextWords {
  SET.begin()
  addName(ofTools, tool, TOOL_SALT)
  for (const name of names) addName(ofNames, name)
  return addText(text, stems, counts)
}

/** Reads the words of the beginning of a result. */
export function resultWords(text: string | Units, stems?: Stems, counts = NO_COUNTS): TextWords {
  SET.begin()
  return addText(text, stems, counts)
}

function addText(text: string | Units, stems: Stems | undefined, counts: Int32Array): TextWords {
  const { units, length } = unitsOf(text)
  scanWords(units, length, stems, stems ? { onWord: SET.add, counts } : NO_STEMS)
  return SET.words()
}

/** What the words of a step add to its score, in log odds, strongest first. */
export type WordOdds = readonly (readonly [word: string, odds: number])[]

export interface ConductTextScorer {
  readonly ofArguments: (words: TextWords) => number
  readonly ofResult: (words: TextWords) => number
  /** What each word of a step's arguments adds. */
  readonly explain: (tool: string, names: readonly string[], text: string) => WordOdds
}

export function createConductTextScorer(model: ConductTextModel): ConductTextScorer {
  const own = bytesOf(model.arguments)
  const read = bytesOf(model.results)
  const score = ({ count, buckets }: TextWords, table: Int8Array): number => {
    let sum = 0
    for (let i = 0; i < count; i++) sum += table[buckets[i] ?? 0] ?? 0
    return count === 0 ? 0 : (model.scale * sum) / Math.sqrt(count)
  }
  return {
    ofArguments: (words) => model.bias + score(words, own),
    ofResult: (words) => score(words, read),
    explain: (tool, names, text) => {
      // By bucket, as the score counts them: words of one bucket weigh once.
      const found = new Map<number, string>()
      const note = (source: string, salt?: number): void => {
        const { units, length } = unitsOf(source)
        const onWord = (bucket: number, start: number, end: number): void => {
          if (!found.has(bucket)) found.set(bucket, source.slice(start, end).toLowerCase())
        }
        scanWords(units, length, undefined, { onWord, counts: NO_COUNTS }, salt)
      }
      note(tool, TOOL_SALT)
      for (const name of names) note(name)
      note(text.slice(0, ARGUMENT_UNITS_MAX))
      const share = model.scale / Math.sqrt(Math.max(1, found.size))
      return [...found]
        .map(([bucket, word]) => [word, share * (own[bucket] ?? 0)] as const)
        .filter(([, odds]) => odds !== 0)
        .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))
    },
  }
}

const bytesOf = (base64: string): Int8Array => new Int8Array(Buffer.from(base64, 'base64'))
