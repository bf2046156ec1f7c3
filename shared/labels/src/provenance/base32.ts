import type { Fingerprint, FingerprintLetter } from '@plimsoll/contracts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

const SINGLES = Array.from({ length: 32 }, (_, bits) => at(bits))
/** Every pair of characters, by ten bits: a look-up for each pair is cheaper than one for each character. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => at(bits >>> 5) + at(bits & 31))

/** The lowest 35 bits of a hash as a fingerprint: three pairs from `low`, then its last two bits with three of `high`. */
export function fingerprintOf(letter: FingerprintLetter, high: number, low: number): Fingerprint {
  const rest = ((low >>> 30) << 3) | (high & 7)
  const head = letter + (PAIRS[low & 1023] ?? '')
  return (
    head + (PAIRS[(low >>> 10) & 1023] ?? '') + (PAIRS[(low >>> 20) & 1023] ?? '') + (SINGLES[rest] ?? '')
  )
}

function at(bits: number): string {
  return ALPHABET.charAt(bits)
}
