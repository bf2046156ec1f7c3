import { HAS_INVISIBLE, HAS_JOINER, HAS_WIDE } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import type { FingerprintList } from './fingerprint-list.js'
import { addNormal, createNormalForm } from './normal-form.js'

/** Words of one stretch. */
export const GRAM_WORDS = 4

const FIRST_CAPACITY = 2_048
const NEVER = 0xffffffff
const MIX = 0x9e3779b1

/**
 * Chooses stretches of `GRAM_WORDS` words by winnowing (Schleimer, Wilkerson and Aiken, 2003): of each window of stretches the one with
 * the least hash, under a seed that whoever wrote the text does not know. The window grows with the text, so that about `budget` are
 * chosen; what a wide window chooses, a narrower one chooses too, so that a long source and a short copy agree.
 */
export interface GramPicker {
  /** The first tokens of the stretches chosen among `[from, to)`, in order: `picked[0…result)`. */
  pick(
    text: string,
    tokens: Tokens,
    range: readonly [from: number, to: number],
    budget: number,
    seed: number,
  ): number
  picked: Int32Array
}

/* oxlint-disable eslint/no-bitwise */
export function createGramPicker(): GramPicker {
  const form = createNormalForm()
  let words = new Uint32Array(FIRST_CAPACITY)
  let hashes = new Uint32Array(FIRST_CAPACITY)
  let queue = new Int32Array(FIRST_CAPACITY)
  const self: GramPicker = { pick, picked: new Int32Array(512) }

  function pick(
    text: string,
    tokens: Tokens,
    [from, to]: readonly [from: number, to: number],
    budget: number,
    seed: number,
  ): number {
    const count = to - from - GRAM_WORDS + 1
    if (count <= 0 || budget <= 0) return 0
    if (words.length < to - from) grow(to - from)
    hashWords(text, tokens, from, to)
    for (let i = 0; i < count; i++) {
      const a = Math.imul((words[i] ?? 0) ^ seed, MIX)
      const b = Math.imul((a ^ (a >>> 15)) + (words[i + 1] ?? 0), MIX)
      const c = Math.imul((b ^ (b >>> 13)) + (words[i + 2] ?? 0), MIX)
      const d = Math.imul((c ^ (c >>> 16)) + (words[i + 3] ?? 0), MIX)
      hashes[i] = (d ^ (d >>> 15)) >>> 0
    }
    const window = count <= budget ? 1 : Math.ceil((2 * count) / budget)
    return winnow(count, from, window, budget)
  }

  /** The least of each window, by a queue of those that may yet become it: linear whatever the hashes are. */
  function winnow(count: number, from: number, window: number, budget: number): number {
    const { picked } = self
    let chosen = 0
    let head = 0
    let tail = 0
    let last = -1
    for (let i = 0; i < count; i++) {
      const hash = hashes[i] ?? NEVER
      while (tail > head && (hashes[queue[tail - 1] ?? 0] ?? 0) >= hash) tail--
      queue[tail++] = i
      if ((queue[head] ?? 0) <= i - window) head++
      const least = queue[head] ?? 0
      if (least === last || (i < window - 1 && i < count - 1)) continue
      last = least
      picked[chosen++] = from + least
      if (chosen === budget || chosen === picked.length) break
    }
    return chosen
  }

  function hashWords(text: string, { start, end, flags }: Tokens, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const first = start[i] ?? 0
      const after = end[i] ?? 0
      const bits = flags[i] ?? 0
      words[i - from] =
        (bits & (HAS_WIDE | HAS_JOINER | HAS_INVISIBLE)) === 0
          ? plainHash(text, first, after)
          : formHash(text, first, after)
    }
  }

  /** Enough of a word to tell it from most others: choosing needs no more, equality is judged on all of it. */
  function plainHash(text: string, first: number, after: number): number {
    const length = after - first
    const second = length > 1 ? text.charCodeAt(first + 1) : 0
    return sample(
      length,
      text.charCodeAt(first) | 32,
      second | 32,
      text.charCodeAt(first + (length >>> 1)) | 32,
      text.charCodeAt(after - 1) | 32,
    )
  }

  function formHash(text: string, first: number, after: number): number {
    form.length = 0
    addNormal(form, text, first, after)
    const { bytes, length } = form
    const at = (i: number): number => (bytes[i] ?? 0) | 32
    return sample(length, at(0), length > 1 ? at(1) : 32, at(length >>> 1), at(Math.max(0, length - 1)))
  }

  function grow(size: number): void {
    const capacity = 2 ** Math.ceil(Math.log2(size))
    words = new Uint32Array(capacity)
    hashes = new Uint32Array(capacity)
    queue = new Int32Array(capacity)
  }

  return self
}

function sample(length: number, first: number, second: number, middle: number, last: number): number {
  const high = Math.imul((first << 16) ^ (second << 8) ^ middle ^ (length << 24), MIX)
  return Math.imul(high ^ (high >>> 15) ^ last, 0x85ebca6b) >>> 0
}

const picker = createGramPicker()

/** Adds about `budget` stretches of the tokens `[from, to)`, no more. */
export function addGrams(
  list: FingerprintList,
  text: string,
  tokens: Tokens,
  range: readonly [from: number, to: number],
  budget: number,
  seed: number,
): void {
  const chosen = picker.pick(text, tokens, range, budget, seed)
  for (let i = 0; i < chosen; i++) {
    const first = picker.picked[i] ?? 0
    list.add('g', text, tokens.start[first] ?? 0, tokens.end[first + GRAM_WORDS - 1] ?? 0)
  }
}
