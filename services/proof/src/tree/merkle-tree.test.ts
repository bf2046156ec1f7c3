import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createMerkleTree, isIncluded, leafHash } from './merkle-tree.js'

const SIZE_MAX = 40
const leaves = Array.from({ length: SIZE_MAX }, (_, i) => leafHash(`leaf ${i}`))

const node = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()

/** The largest power of two below `size`. */
const splitOf = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1)

/** The root as RFC 6962 defines it. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes
  if (!only) return createHash('sha256').digest()
  if (hashes.length === 1) return only
  const split = splitOf(hashes.length)
  return node(rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)))
}

/** The audit path as RFC 6962 defines it. */
function pathOf(index: number, hashes: readonly Buffer[]): readonly Buffer[] {
  if (hashes.length === 1) return []
  const split = splitOf(hashes.length)
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)]
  return index < split
    ? [...pathOf(index, left), rootOf(right)]
    : [...pathOf(index - split, right), rootOf(left)]
}

function treeOf(size: number) {
  const tree = createMerkleTree()
  for (const leaf of leaves.slice(0, size)) tree.append(leaf, true)
  return tree
}

test('the root of every size is that of the definition', () => {
  for (let size = 0; size <= SIZE_MAX; size++) {
    const tree = treeOf(size)
    assert.equal(tree.size(), size)
    assert.deepEqual(tree.root(), rootOf(leaves.slice(0, size)), `size ${size}`)
  }
})

test('the proof of every leaf of sizes 1 to 40 is that of the definition, and proves this leaf alone', () => {
  for (let size = 1; size <= SIZE_MAX; size++) {
    const tree = treeOf(size)
    const root = tree.root()
    const proofs = tree.proofs()
    for (let index = 0; index < size; index++) {
      const proof = proofs.get(index) ?? []
      const leaf = leaves[index] ?? Buffer.alloc(0)
      assert.deepEqual(proof, pathOf(index, leaves.slice(0, size)), `leaf ${index} of ${size}`)
      const inclusion = { index, size, leaf, proof, root }
      assert.ok(isIncluded(inclusion), `leaf ${index} of ${size}`)
      for (let other = 0; other < size; other++)
        if (other !== index) assert.ok(!isIncluded({ ...inclusion, index: other }))
      assert.ok(!isIncluded({ ...inclusion, leaf: leafHash('another') }))
      assert.ok(!isIncluded({ ...inclusion, root: leafHash('another') }))
      assert.ok(!isIncluded({ ...inclusion, proof: [...proof, root] }))
      if (size > 1) assert.ok(!isIncluded({ ...inclusion, proof: proof.slice(1) }))
    }
  }
})

test('proofs of tracked leaves grow with the tree', () => {
  const tree = createMerkleTree()
  for (const [index, leaf] of leaves.entries()) {
    tree.append(leaf, index === 11)
    assert.deepEqual([...tree.proofs().keys()], index < 11 ? [] : [11])
    if (index >= 11) assert.deepEqual(tree.proofs().get(11), pathOf(11, leaves.slice(0, index + 1)))
  }
})

test('places that no tree has are in none', () => {
  const [leaf = Buffer.alloc(0)] = leaves
  const inclusion = { index: 0, size: 1, leaf, proof: [], root: leaf }
  assert.ok(isIncluded(inclusion))
  for (const index of [-1, 1, 0.5, Number.NaN, Infinity]) assert.ok(!isIncluded({ ...inclusion, index }))
  for (const size of [0, -1, 1.5, Number.NaN, Infinity]) assert.ok(!isIncluded({ ...inclusion, size }))
})

test('a proof in a tree of 2^40 leaves is checked, whose places have more than 32 bits', () => {
  const size = 2 ** 40
  const index = 2 ** 36 + 5
  const [first = Buffer.alloc(0)] = leaves
  const proof = Array.from({ length: 40 }, (_, i) => leafHash(`beside ${i}`))
  const root = proof.reduce(
    (hash, beside, i) => (Math.floor(index / 2 ** i) % 2 === 1 ? node(beside, hash) : node(hash, beside)),
    first,
  )
  assert.ok(isIncluded({ index, size, leaf: first, proof, root }))
  assert.ok(!isIncluded({ index: index + 2 ** 36, size, leaf: first, proof, root }))
})
