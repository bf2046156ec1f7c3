import { CLASSES, CLASS_COUNT } from './classes.js'
import { english } from './lexicon-english.js'
import { otherLanguages } from './lexicon-other.js'

/** Slots of the table of known words, a power of two; a third of them are taken. */
const SLOTS = 8_192

const keys = new Int32Array(SLOTS)
const masks = new Int32Array(SLOTS)

for (const lexicon of [english, otherLanguages])
  for (let index = 0; index < CLASS_COUNT; index++) {
    const name = CLASSES[index]
    const words = name === undefined ? undefined : lexicon[name]
    for (const word of words?.split(/\s+/) ?? []) learn(word, 1 << index)
  }

function learn(word: string, bit: number): void {
  const hash = hashOf(word, 0, word.length)
  const slot = slotOf(hash)
  keys[slot] = hash
  masks[slot] = (masks[slot] ?? 0) | bit
}

/** The slot that holds `hash`, else the free one where it would go. */
function slotOf(hash: number): number {
  let slot = hash & (SLOTS - 1)
  while (keys[slot] !== hash && keys[slot] !== 0) slot = (slot + 1) & (SLOTS - 1)
  return slot
}

/** A word's hash, never 0: capitals and small letters alike, the typographic apostrophe as the plain one. */
export function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) {
    let code = text.charCodeAt(at)
    if (code < 0x5b) {
      if (code > 0x40) code += 32
    } else if (code > 0xbf) code = foldWide(code)
    hash = Math.imul(hash ^ code, 0x01000193)
  }
  hash ^= hash >>> 15
  return hash === 0 ? 1 : hash
}

function foldWide(code: number): number {
  if (code < 0xdf) return code + 32
  if (code === 0x2019) return 0x27
  return code >= 0x410 && code < 0x430 ? code + 32 : code
}

/** What a word of this hash is, as a mask of classes; 0 for a word that no list has. */
export const classesOf = (hash: number): number => masks[slotOf(hash)] ?? 0

/** Stands for the lists as they are: a model fitted with others must not be used with these. */
export const LEXICON_HASH = hashOfTable()

function hashOfTable(): number {
  let hash = 0
  for (let slot = 0; slot < SLOTS; slot++)
    hash = (Math.imul(hash, 31) + Math.imul(keys[slot] ?? 0, 7) + (masks[slot] ?? 0)) | 0
  return hash
}
