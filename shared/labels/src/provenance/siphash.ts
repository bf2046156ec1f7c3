/**
 * SipHash-2-4 over bytes (Aumasson and Bernstein, 2012): a keyed pseudo-random function for short inputs. It uses 32-bit halves because
 * 64-bit integers are slow in JavaScript.
 */
export interface SipHash {
  /**
   * Hashes the first `length` bytes of `words`, four in each, the lowest first. What follows them is not read. The result is in
   * `high()` and `low()` until the next call.
   */
  hash(words: Int32Array, length: number): void
  /** Switches to `key`, 16 bytes. */
  use(key: Uint8Array): void
  /** The upper and lower 32 bits, signed. */
  high(): number
  low(): number
}

/** @param key 16 bytes */
export function createSipHash(key: Uint8Array): SipHash {
  let k0l = 0
  let k0h = 0
  let k1l = 0
  let k1h = 0
  let high32 = 0
  let low32 = 0

  function hash(words: Int32Array, length: number): void {
    let v0l = k0l ^ 0x70736575
    let v0h = k0h ^ 0x736f6d65
    let v1l = k1l ^ 0x6e646f6d
    let v1h = k1h ^ 0x646f7261
    let v2l = k0l ^ 0x6e657261
    let v2h = k0h ^ 0x6c796765
    let v3l = k1l ^ 0x79746573
    let v3h = k1h ^ 0x74656462
    const whole = (length >>> 3) * 2
    // Each turn reads eight bytes; the last but one reads the rest and the length, and the final turn finishes.
    for (let at = 0; at <= whole + 2; at += 2) {
      let ml = 0
      let mh = 0
      let rounds = 2
      if (at < whole) {
        ml = words[at] ?? 0
        mh = words[at + 1] ?? 0
      } else if (at === whole) {
        const rest = length & 7
        ml = (words[at] ?? 0) & (REST[Math.min(rest, 4)] ?? 0)
        mh = ((words[at + 1] ?? 0) & (REST[Math.max(rest - 4, 0)] ?? 0)) | (length << 24)
      } else {
        v2l ^= 0xff
        rounds = 4
      }
      v3l ^= ml
      v3h ^= mh
      for (; rounds > 0; rounds--) {
        // v0 += v1; v1 <<<= 13; v1 ^= v0; v0 <<<= 32. The sum of the lower halves carries if it is less than an addend.
        let low = (v0l + v1l) | 0
        let high = (v0h + v1h + (low >>> 0 < v1l >>> 0 ? 1 : 0)) | 0
        let turned = (v1l << 13) | (v1h >>> 19)
        v1h = ((v1h << 13) | (v1l >>> 19)) ^ high
        v1l = turned ^ low
        v0l = high
        v0h = low
        // v2 += v3; v3 <<<= 16; v3 ^= v2
        v2l = (v2l + v3l) | 0
        v2h = (v2h + v3h + (v2l >>> 0 < v3l >>> 0 ? 1 : 0)) | 0
        turned = (v3l << 16) | (v3h >>> 16)
        v3h = ((v3h << 16) | (v3l >>> 16)) ^ v2h
        v3l = turned ^ v2l
        // v0 += v3; v3 <<<= 21; v3 ^= v0
        v0l = (v0l + v3l) | 0
        v0h = (v0h + v3h + (v0l >>> 0 < v3l >>> 0 ? 1 : 0)) | 0
        turned = (v3l << 21) | (v3h >>> 11)
        v3h = ((v3h << 21) | (v3l >>> 11)) ^ v0h
        v3l = turned ^ v0l
        // v2 += v1; v1 <<<= 17; v1 ^= v2; v2 <<<= 32
        low = (v2l + v1l) | 0
        high = (v2h + v1h + (low >>> 0 < v1l >>> 0 ? 1 : 0)) | 0
        turned = (v1l << 17) | (v1h >>> 15)
        v1h = ((v1h << 17) | (v1l >>> 15)) ^ high
        v1l = turned ^ low
        v2l = high
        v2h = low
      }
      v0l ^= ml
      v0h ^= mh
    }
    low32 = v0l ^ v1l ^ v2l ^ v3l
    high32 = v0h ^ v1h ^ v2h ^ v3h
  }

  function use(key: Uint8Array): void {
    k0l = wordAt(key, 0)
    k0h = wordAt(key, 4)
    k1l = wordAt(key, 8)
    k1h = wordAt(key, 12)
  }

  use(key)
  return { hash, use, high: () => high32, low: () => low32 }
}

/** Four bytes, the lowest first. A view of the key would be an object for each use. */
const wordAt = (key: Uint8Array, at: number): number =>
  (key[at] ?? 0) | ((key[at + 1] ?? 0) << 8) | ((key[at + 2] ?? 0) << 16) | ((key[at + 3] ?? 0) << 24)

/** Keeps the lowest bytes of a word, by their number. */
const REST = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1)
