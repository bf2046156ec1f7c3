import { type Fingerprint, type FingerprintLetter, FINGERPRINTS_MAX } from '@plimsoll/contracts'
import type { SipHash } from './siphash.js'
import { type Candidates, type Tier, letterAt } from './values/candidates.js'
import { type NormalForm, addNormal, addNormalText, createNormalForm, isFull } from './values/normal-form.js'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0))

/** The character of five bits. */
const at = (bits: number): number => CODES[bits & 31] ?? 0

/** The lowest 35 bits of a hash as a fingerprint: three pairs from `low`, then its last two bits with three bits of `high`. */
export const fingerprintOf = (letter: FingerprintLetter, high: number, low: number): Fingerprint =>
  String.fromCharCode(
    letter.charCodeAt(0),
    at(low >>> 5),
    at(low),
    at(low >>> 15),
    at(low >>> 10),
    at(low >>> 25),
    at(low >>> 20),
    at(((low >>> 30) << 3) | (high & 7)),
  )

const GOLDEN = 0.618034

/**
 * Visits 0…count-1 until `visit` returns false. In order if all fit; otherwise spread over the range, so that earlier values cannot crowd out
 * later ones.
 */
export function inSpreadOrder(count: number, room: number, visit: (index: number) => boolean): void {
  const step = count <= room ? 1 : coprimeStep(count)
  for (let i = 0, index = 0; i < count; i++) {
    if (!visit(index)) return
    index += step
    if (index >= count) index -= count
  }
}

function coprimeStep(count: number): number {
  let step = Math.max(1, Math.round(count * GOLDEN))
  while (divisorOf(step, count) !== 1) step++
  return step
}

function divisorOf(a: number, b: number): number {
  return b === 0 ? a : divisorOf(b, a % b)
}

/** Stands for a text without a letter or digit. */
export const NOTHING: Fingerprint = 'naaaaaaa'

/** A list under construction: without duplicates, at most `FINGERPRINTS_MAX` long, unless more is allowed. */
export interface FingerprintList {
  readonly size: number
  /** Adds the value of the code units `[start, end)`. Returns false if it is empty, a duplicate, or the list is full. */
  add(letter: FingerprintLetter, units: Uint16Array, start: number, end: number): boolean
  addText(letter: FingerprintLetter, text: string): boolean
  addForm(letter: FingerprintLetter, form: NormalForm): boolean
  /** Adds candidates of `tier` until the list has `limit` entries. If there are more, takes some spread over all. */
  addTier(units: Uint16Array, candidates: Candidates, tier: Tier, limit: number): void
  /** Lets the list that is built now have `limit` entries. */
  allow(limit: number): void
  /** Records that something in the text was skipped. */
  markPartial(): void
  /** Records that the text has runs that cannot be read, each within a value of the list. */
  markOpaque(): void
  /** Returns the list and empties it. */
  take(): Fingerprint[]
  /** Whether something was skipped in the list that `take` returned last. */
  readonly wasPartial: boolean
  /** Whether that list's text has runs that cannot be read. */
  readonly wasOpaque: boolean
}

/** Size of the hash table for duplicates; several times the longest list. */
const SLOTS = 1_024

export function createFingerprintList(sip: SipHash): FingerprintList {
  const { form, low: lows, high: highs, taken } = SCRATCH
  let list: Fingerprint[] = []
  let most = FINGERPRINTS_MAX
  let [isPartial, wasPartial, isOpaque, wasOpaque] = [false, false, false, false]
  const round = (): number => ++SCRATCH.round
  let mine = round()

  /** Returns false if the hash is already in the list. */
  function note(high: number, low: number): boolean {
    for (let slot = low & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
      if (taken[slot] !== mine) {
        taken[slot] = mine
        lows[slot] = low
        highs[slot] = high
        return true
      }
      if (lows[slot] === low && highs[slot] === high) return false
    }
  }

  function addForm(letter: FingerprintLetter, normal: NormalForm): boolean {
    const { words, length } = normal
    if (isFull(normal)) isPartial = true
    if (length === 0 || list.length >= most) return false
    sip.hash(words, length)
    const high = sip.high()
    const low = sip.low()
    if (!note(high & 7, low)) return false
    list.push(fingerprintOf(letter, high, low))
    return true
  }

  function add(letter: FingerprintLetter, units: Uint16Array, start: number, end: number): boolean {
    form.length = 0
    addNormal(form, units, start, end)
    return addForm(letter, form)
  }

  function addText(letter: FingerprintLetter, text: string): boolean {
    form.length = 0
    addNormalText(form, text)
    return addForm(letter, form)
  }

  return {
    get size() {
      return list.length
    },
    add,
    addText,
    addForm,
    addTier: (units, candidates, tier, limit) => {
      const { start, end } = candidates
      const members = candidates.ofTier[tier]
      if (!members || list.length >= limit) return
      inSpreadOrder(members.count, limit - list.length, (i) => {
        const at = members.indices[i] ?? 0
        add(letterAt(candidates, at), units, start[at] ?? 0, end[at] ?? 0)
        return list.length < limit
      })
    },
    get wasPartial() {
      return wasPartial
    },
    allow: (limit) => void (most = limit),
    get wasOpaque() {
      return wasOpaque
    },
    markPartial: () => void (isPartial = true),
    markOpaque: () => void (isOpaque = true),
    take: () => {
      const made = list
      list = []
      most = FINGERPRINTS_MAX
      wasPartial = isPartial
      wasOpaque = isOpaque
      isPartial = isOpaque = false
      mine = round()
      return made
    },
  }
}

/** Shared by all lists: only one is built at a time, and a session should keep nothing but its key. */
const SCRATCH = {
  form: createNormalForm(),
  low: new Int32Array(SLOTS),
  high: new Uint8Array(SLOTS),
  taken: new Float64Array(SLOTS),
  round: 0,
}
