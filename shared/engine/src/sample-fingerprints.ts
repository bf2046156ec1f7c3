/** Made-up fingerprints for tests, like those of a keyed hash: `n` tells the value. */
export function fingerprint(n: number, letter = 'n'): string {
  let hash = Math.imul(n + 1, 0x9e3779b1) >>> 0
  let text = letter
  for (let i = 0; i < 7; i++) {
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
    text += 'abcdefghijklmnopqrstuvwxyz234567'.charAt(hash & 31)
    hash = (hash ^ (hash >>> 7)) >>> 0
  }
  return text
}

export const fingerprints = (from: number, count: number, letter = 'n'): string[] =>
  Array.from({ length: count }, (_, i) => fingerprint(from + i, letter))
