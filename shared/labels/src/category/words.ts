import { HASH_BASIS, HASH_PRIME } from '../text/tokens.js'

/** Code units of a task that are read; as many as an event may carry. */
export const TASK_UNITS_MAX = 8_192
/** Shorter runs of letters are not words. */
const WORD_UNITS_MIN = 2
/** Minimum length of a word without its ending. */
const STEM_UNITS_MIN = 3
const ENDINGS = ['ing', 'ies', 'es', 'ed', 's']

/** A word of a task as a hash. Words may collide, and the hash does not reveal the word. */
export interface HashedWord {
  readonly hash: number
  /** In UTF-16 code units. */
  readonly start: number
  readonly end: number
}

/**
 * The distinct words of a task: runs of letters, lower case, without English endings, hashed (FNV-1a). Skips numbers, symbols and everything
 * after the first 8,192 code units. Linear in what is read.
 */
export function categoryWords(task: string): HashedWord[] {
  const length = Math.min(task.length, TASK_UNITS_MAX)
  const words = new Map<number, HashedWord>()
  let start = -1
  for (let at = 0; at <= length; at++) {
    if (at < length && isLetter(task.charCodeAt(at))) {
      if (start < 0) start = at
      continue
    }
    if (start >= 0 && at - start >= WORD_UNITS_MIN) {
      const hash = hashOf(task, start, stemEnd(task, start, at))
      if (!words.has(hash)) words.set(hash, { hash, start, end: at })
    }
    start = -1
  }
  return [...words.values()]
}

/** Code units beyond Latin-1 count as letters, so that text in another script consists of unknown words. */
function isLetter(unit: number): boolean {
  if (unit < 0x80) return (unit | 32) >= 0x61 && (unit | 32) <= 0x7a
  return unit >= 0xc0 && !(unit >= 0x2000 && unit <= 0x206f)
}

function stemEnd(text: string, start: number, end: number): number {
  const ending = ENDINGS.find((each) => endsWith(text, end, each))
  return ending !== undefined && end - ending.length - start >= STEM_UNITS_MIN ? end - ending.length : end
}

function endsWith(text: string, end: number, ending: string): boolean {
  for (let n = 1; n <= ending.length; n++)
    if (small(text.charCodeAt(end - n)) !== ending.charCodeAt(ending.length - n)) return false
  return true
}

const small = (unit: number): number =>
  (unit >= 0x41 && unit <= 0x5a) || (unit >= 0xc0 && unit <= 0xde) ? unit + 32 : unit

/** 32 bits, unsigned. */
function hashOf(text: string, start: number, end: number): number {
  let hash = HASH_BASIS
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ small(text.charCodeAt(at)), HASH_PRIME)
  return (hash ^ (hash >>> 15)) >>> 0
}
