const CODES = 128
const counts = new Uint16Array(CODES)

/** Shannon entropy of the word's characters, bits a character; 0 of none. What is beyond ASCII counts as one character. */
export function entropyOf(word: string): number {
  if (word === '') return 0
  counts.fill(0)
  for (let i = 0; i < word.length; i++) {
    const code = Math.min(word.charCodeAt(i), CODES - 1)
    counts[code] = (counts[code] ?? 0) + 1
  }
  let bits = 0
  for (const count of counts) if (count > 0) bits -= (count / word.length) * Math.log2(count / word.length)
  return bits
}
