import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSipHash } from './siphash.js'

const KEY = Uint8Array.from({ length: 16 }, (_, i) => i)

/** The reference vectors: SipHash-2-4 of the bytes 00, 01, … for each length under the key 00…0f, digests as published. */
const VECTORS: readonly (readonly [length: number, digest: string])[] = [
  [0, '310e0edd47db6f72'],
  [1, 'fd67dc93c539f874'],
  [2, '5a4fa9d909806c0d'],
  [3, '2d7efbd796666785'],
  [4, 'b7877127e09427cf'],
  [5, '8da699cd64557618'],
  [6, 'cee3fe586e46c9cb'],
  [7, '37d1018bf50002ab'],
  [8, '6224939a79f5f593'],
  [9, 'b0e4a90bdf82009e'],
  [10, 'f3b9dd94c5bb5d7a'],
  [11, 'a7ad6b22462fb3f4'],
  [12, 'fbe50e86bc8f1e75'],
  [13, '903d84c02756ea14'],
  [14, 'eef27a8e90ca23f7'],
  [15, 'e545be4961ca29a1'],
  [63, '724506eb4c328a95'],
]

function digestOf(bytes: Uint8Array, key = KEY): string {
  const sip = createSipHash(key)
  const words = new Int32Array(Math.ceil(bytes.length / 4) + 2).fill(-1)
  new Uint8Array(words.buffer).set(bytes)
  sip.hash(words, bytes.length)
  const digest = Buffer.alloc(8)
  digest.writeInt32LE(sip.low(), 0)
  digest.writeInt32LE(sip.high(), 4)
  return digest.toString('hex')
}

test('SipHash-2-4 matches the reference vectors', () => {
  for (const [length, digest] of VECTORS)
    assert.equal(digestOf(Uint8Array.from({ length }, (_, i) => i)), digest, `length ${length}`)
})

/** The same function on 64-bit integers, written directly from the paper. */
function plainSipHash(bytes: Uint8Array, key: Uint8Array): string {
  const mask = (1n << 64n) - 1n
  const read = (from: Uint8Array, at: number): bigint => Buffer.from(from).readBigUInt64LE(at)
  const turn = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (64n - by))) & mask
  const [k0, k1] = [read(key, 0), read(key, 8)]
  let [v0, v1, v2, v3] = [
    k0 ^ 0x736f6d6570736575n,
    k1 ^ 0x646f72616e646f6dn,
    k0 ^ 0x6c7967656e657261n,
    k1 ^ 0x7465646279746573n,
  ]
  const round = (): void => {
    v0 = (v0 + v1) & mask
    v1 = turn(v1, 13n) ^ v0
    v0 = turn(v0, 32n)
    v2 = (v2 + v3) & mask
    v3 = turn(v3, 16n) ^ v2
    v0 = (v0 + v3) & mask
    v3 = turn(v3, 21n) ^ v0
    v2 = (v2 + v1) & mask
    v1 = turn(v1, 17n) ^ v2
    v2 = turn(v2, 32n)
  }
  const padded = Buffer.alloc(bytes.length - (bytes.length % 8) + 8)
  padded.set(bytes)
  padded[padded.length - 1] = bytes.length % 256
  for (let at = 0; at < padded.length; at += 8) {
    const block = read(padded, at)
    v3 ^= block
    round()
    round()
    v0 ^= block
  }
  v2 ^= 0xffn
  for (let i = 0; i < 4; i++) round()
  const digest = Buffer.alloc(8)
  digest.writeBigUInt64LE(v0 ^ v1 ^ v2 ^ v3)
  return digest.toString('hex')
}

test('matches a plain 64-bit implementation for other keys and lengths', () => {
  let seed = 1
  const byte = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return seed >>> 24
  }
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, byte)
    const key = Uint8Array.from({ length: 16 }, byte)
    assert.equal(digestOf(bytes, key), plainSipHash(bytes, key), `length ${length}`)
  }
})
