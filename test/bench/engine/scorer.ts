import type { Scorer } from '@plimsoll/contracts'
import { marginOf, STEP_FEATURES } from '@plimsoll/engine'
import { compileScorer } from '@plimsoll/policy'

const VECTORS = 2048
const ROUNDS = 15
/** Shares of values that are not 0, as in recorded steps. */
const REPORTED_SHARE = 0.4

/**
 * What a hazard scorer of `trees` full trees costs a step, as it is compiled and walked node by node as the bundle has it, in the same
 * run. CPU time, the median of rounds, µs.
 */
export function scorerFigures(trees: number, depth: number): Record<string, number> {
  const scorer = madeUpScorer(trees, depth)
  const compiled = compileScorer(scorer, STEP_FEATURES, 'bench')
  const vectors = Array.from({ length: VECTORS }, () =>
    Float64Array.from(STEP_FEATURES, () => (random() < REPORTED_SHARE ? random() : 0)),
  )
  const walk = walked(scorer)
  const [fast = 0, slow = 0] = medians(vectors, [(vector) => marginOf(compiled, vector), walk])
  const size = `${trees} trees of depth ${depth}`
  return {
    [`hazard of a step, ${size}, µs`]: fast,
    [`the same, walked node by node, µs`]: slow,
  }
}

let seed = 11
const random = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32

function madeUpScorer(trees: number, depth: number): Scorer {
  const inner = 2 ** depth - 1
  const each = <T>(value: (at: number, isLeaf: boolean) => T) =>
    Array.from({ length: 2 * inner + 1 }, (_, at) => value(at, at >= inner))
  const features = STEP_FEATURES.filter((_, i) => i % 6 === 0)
  return {
    features,
    bias: -3,
    trees: Array.from({ length: trees }, () => ({
      feature: each((_, isLeaf) => (isLeaf ? -1 : Math.floor(random() * features.length))),
      threshold: each((_, isLeaf) => (isLeaf ? 0 : random())),
      left: each((at, isLeaf) => (isLeaf ? 0 : 2 * at + 1)),
      right: each((at, isLeaf) => (isLeaf ? 0 : 2 * at + 2)),
      value: each((_, isLeaf) => (isLeaf ? random() - 0.5 : 0)),
    })),
    calibration: { x: [0], y: [0.5] },
  }
}

/** From the root to a leaf, over flat arrays of all nodes. */
function walked({ features, bias, trees }: Scorer): (vector: Float64Array) => number {
  const nodes = trees[0]?.feature.length ?? 0
  const places = features.map((name) => STEP_FEATURES.indexOf(name))
  const feature = Int32Array.from(trees.flatMap((tree) => tree.feature.map((at) => places[at] ?? -1)))
  const threshold = Float64Array.from(
    trees.flatMap((tree) => tree.feature.map((at, n) => (at < 0 ? tree.value[n] : tree.threshold[n]) ?? 0)),
  )
  const behind = (side: 'left' | 'right') =>
    Int32Array.from(trees.flatMap((tree, t) => tree[side].map((child) => t * nodes + child)))
  const [left, right] = [behind('left'), behind('right')]
  return (vector) => {
    let margin = bias
    for (let tree = 0; tree < trees.length; tree++) {
      let node = tree * nodes
      for (let split = feature[node] ?? -1; split >= 0; split = feature[node] ?? -1)
        node = ((vector[split] ?? 0) < (threshold[node] ?? 0) ? left[node] : right[node]) ?? 0
      margin += threshold[node] ?? 0
    }
    return margin
  }
}

/** In turn, so that what slows the machine slows both. */
function medians(
  vectors: readonly Float64Array[],
  scores: readonly ((vector: Float64Array) => number)[],
): number[] {
  const times = scores.map((): number[] => [])
  for (let round = -3; round < ROUNDS; round++)
    for (const [n, score] of scores.entries()) {
      const before = process.cpuUsage()
      for (let i = 0; i < 20; i++) for (const vector of vectors) score(vector)
      const { user, system } = process.cpuUsage(before)
      if (round >= 0) times[n]?.push((user + system) / (20 * VECTORS))
    }
  return times.map((all) => Math.round((all.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0) * 1000) / 1000)
}
