import { createHash } from 'node:crypto'

/*
 * The tree of RFC 6962: a leaf is hashed after the byte 0, two children after the byte 1, so that no leaf passes for a node. Source:
 * https://www.rfc-editor.org/rfc/rfc6962#section-2.1
 */

/** Bytes of every hash. */
export const HASH_BYTES = 32
/** Hashes of a proof at most: a tree has fewer than 2^53 leaves. */
export const PROOF_HASHES_MAX = 53

const LEAF = Buffer.of(0)
const NODE = Buffer.of(1)

export const leafHash = (content: string | Uint8Array): Buffer =>
  createHash('sha256').update(LEAF).update(content).digest()

const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest()

/** A whole subtree of 2^height leaves. */
interface Peak {
  readonly hash: Buffer
  readonly height: number
  /** Tracked leaves below it. */
  readonly tracked: readonly number[]
}

/** A tree that only grows. Its memory is the logarithm of its size. */
export interface MerkleTree {
  size(): number
  /** Adds a leaf by its hash. The proofs of a tracked one are kept. */
  append(leaf: Buffer, isTracked?: boolean): void
  root(): Buffer
  /** Inclusion proofs of the tracked leaves, by index: the hashes beside the way from the leaf to the root, from below. */
  proofs(): ReadonlyMap<number, readonly Buffer[]>
}

export function createMerkleTree(): MerkleTree {
  const peaks: Peak[] = []
  /** By tracked leaf, the hashes beside the way from it to its peak. */
  const ways = new Map<number, Buffer[]>()
  let size = 0

  const join = (left: Peak, right: Peak): Peak => {
    for (const index of left.tracked) ways.get(index)?.push(right.hash)
    for (const index of right.tracked) ways.get(index)?.push(left.hash)
    const tracked =
      left.tracked.length + right.tracked.length === 0 ? left.tracked : [...left.tracked, ...right.tracked]
    return { hash: nodeHash(left.hash, right.hash), height: left.height + 1, tracked }
  }

  return {
    size: () => size,
    append: (leaf, isTracked = false) => {
      if (isTracked) ways.set(size, [])
      let peak: Peak = { hash: leaf, height: 0, tracked: isTracked ? [size] : [] }
      for (let left = peaks.at(-1); left?.height === peak.height; left = peaks.at(-1)) {
        peaks.pop()
        peak = join(left, peak)
      }
      peaks.push(peak)
      size++
    },
    root: () => {
      const last = peaks.at(-1)
      if (!last) return createHash('sha256').digest()
      return peaks.slice(0, -1).reduceRight((right, { hash }) => nodeHash(hash, right), last.hash)
    },
    proofs: () => {
      const proofs = new Map([...ways].map(([index, way]) => [index, [...way]]))
      const last = peaks.at(-1)
      let right = last?.hash ?? Buffer.alloc(0)
      let below = [...(last?.tracked ?? [])]
      for (const { hash, tracked } of peaks.slice(0, -1).toReversed()) {
        for (const index of below) proofs.get(index)?.push(hash)
        for (const index of tracked) proofs.get(index)?.push(right)
        below = [...below, ...tracked]
        right = nodeHash(hash, right)
      }
      return proofs
    },
  }
}

export interface Inclusion {
  /** The leaf's place, from 0. */
  readonly index: number
  /** Leaves of the tree. */
  readonly size: number
  readonly leaf: Uint8Array
  readonly proof: readonly Uint8Array[]
  readonly root: Uint8Array
}

/** Whether the proof shows that the leaf is at its place in the tree with this root. Source: RFC 9162, section 2.1.3.2. */
export function isIncluded({ index, size, leaf, proof, root }: Inclusion): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false
  // Divided, not shifted: numbers may have more than 32 bits.
  let place = index
  let last = size - 1
  let hash: Uint8Array = leaf
  for (const beside of proof) {
    if (last === 0) return false
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(beside, hash)
      while (place % 2 === 0 && place !== 0) {
        place = half(place)
        last = half(last)
      }
    } else hash = nodeHash(hash, beside)
    place = half(place)
    last = half(last)
  }
  return last === 0 && Buffer.compare(hash, root) === 0
}

const half = (number: number): number => Math.floor(number / 2)
