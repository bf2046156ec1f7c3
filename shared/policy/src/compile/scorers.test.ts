import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Scorer, bundleSchema, scorerSchema } from '@plimsoll/contracts'
import { SESSION_FEATURES, STEP_FEATURES, scoreOf } from '@plimsoll/engine'
import { compileRules } from './rules.js'
import { parseDocument } from '../document/documents.js'
import { createRulesCache } from './rules-cache.js'
import {
  SAMPLE_BUNDLE,
  SAMPLE_CATALOGUE,
  SAMPLE_FLOW_BUNDLE,
  samplePolicy,
  sampleScorer,
} from '../testing.js'
import { compileScorer } from './scorers.js'

const rest = { policy: samplePolicy(), catalogue: SAMPLE_CATALOGUE }

test('the sample is a bundle', () => {
  assert.ok(bundleSchema.safeParse(SAMPLE_FLOW_BUNDLE).success)
})

/** A scorer as its schema says it, with no thought of speed. */
function naiveScore(
  { features, bias, trees, calibration: { x, y } }: Scorer,
  values: ReadonlyMap<string, number>,
): number {
  let margin = bias
  for (const { feature, threshold, left, right, value } of trees) {
    let node = 0
    while ((feature[node] ?? -1) >= 0) {
      const at = values.get(features[feature[node] ?? 0] ?? '') ?? 0
      node = (at < (threshold[node] ?? 0) ? left[node] : right[node]) ?? 0
    }
    margin += value[node] ?? 0
  }
  const above = x.findIndex((point) => point > margin)
  if (above === 0) return y[0] ?? 0
  if (above < 0) return y.at(-1) ?? 0
  const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [x[above - 1], x[above], y[above - 1], y[above]]
  return y0 + ((margin - x0) / (x1 - x0)) * (y1 - y0)
}

let seed = 7
const random = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32

/** A tree of at most `depth` questions to a leaf, its children behind their parents. */
function madeUpTree(depth: number, features: number, stops: number): Scorer['trees'][number] {
  const tree: Scorer['trees'][number] = { feature: [], threshold: [], left: [], right: [], value: [] }
  const grow = (rest: number): number => {
    const isLeaf = rest === 0 || features === 0 || random() < stops
    const at = tree.feature.length
    tree.feature.push(isLeaf ? -1 : Math.floor(random() * features))
    // Some thresholds are those of others.
    tree.threshold.push(isLeaf ? 0 : Math.round(random() * 8) / 8)
    tree.value.push(isLeaf ? random() - 0.5 : 0)
    tree.left.push(0)
    tree.right.push(0)
    if (isLeaf) return at
    tree.left[at] = grow(rest - 1)
    tree.right[at] = grow(rest - 1)
    return at
  }
  grow(depth)
  return tree
}

test('a compiled scorer says what the bundle says, whatever its trees', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  for (let round = 0; round < 300; round++) {
    const features = names.filter(() => random() < 0.7)
    // Trees of more leaves than a word has bits, too.
    const [depth, stops] = [Math.floor(random() * 8), random() * 0.5]
    const trees = Array.from({ length: Math.floor(random() * 9) }, () =>
      madeUpTree(depth, features.length, stops),
    )
    const points = [-0.5, 0, 0.1, 1].slice(Math.floor(random() * 4))
    const scorer = {
      features,
      bias: random() - 0.5,
      trees,
      calibration: { x: points, y: points.map(random) },
    }
    assert.ok(scorerSchema.safeParse(scorer).success)
    const compiled = compileScorer(scorer, names, 'test')
    for (let vector = 0; vector < 20; vector++) {
      const values = names.map(() => Math.round(random() * 16) / 16)
      const naive = naiveScore(scorer, new Map(names.map((name, i) => [name, values[i] ?? 0])))
      assert.equal(scoreOf(compiled, Float64Array.from(values)), naive)
    }
  }
})

/** A tree that asks once more at each of `questions` thresholds: the way to its last leaf asks them all. */
function stairs(questions: number): Scorer['trees'][number] {
  const nodes = Array.from({ length: 2 * questions + 1 }, (_, at) => at)
  const asks = (at: number) => at % 2 === 0 && at < 2 * questions
  return {
    feature: nodes.map((at) => (asks(at) ? 0 : -1)),
    threshold: nodes.map((at) => at / 2 + 1),
    left: nodes.map((at) => (asks(at) ? at + 1 : 0)),
    right: nodes.map((at) => (asks(at) ? at + 2 : 0)),
    value: nodes,
  }
}

test('a tree that asks more on the way to a leaf than can be laid out is refused', () => {
  const scorerOf = (...trees: Scorer['trees']): Scorer => ({
    features: ['a'],
    bias: 0,
    trees,
    calibration: { x: [0, 100], y: [0, 1] },
  })
  const deepest = scorerOf(stairs(31))
  assert.equal(scoreOf(compileScorer(deepest, ['a'], 'test'), Float64Array.of(40)), 0.62)
  for (const trees of [[stairs(32)], [stairs(32), stairs(1)], [stairs(127)]]) {
    const scorer = scorerOf(...trees)
    assert.ok(scorerSchema.safeParse(scorer).success)
    assert.throws(() => compileScorer(scorer, ['a'], 'test'), {
      code: 'document_invalid',
      message: /test\.trees: expected at most 31 questions/,
    })
  }
})

test('a question whose answers are equal leaves is not asked', () => {
  const tree = {
    feature: [0, -1, 1, -1, -1],
    threshold: [1, 0, 1, 0, 0],
    left: [1, 0, 3, 0, 0],
    right: [2, 0, 4, 0, 0],
  }
  const scorer = { features: ['a', 'b'], bias: 0, calibration: { x: [0], y: [0] } }
  const askedOf = (value: number[]) => [
    ...compileScorer({ ...scorer, trees: [{ ...tree, value }] }, ['a', 'b'], 'test').asked,
  ]
  assert.deepEqual(askedOf([0, 1, 0, 2, 2]), [0])
  assert.deepEqual(askedOf([0, 2, 0, 2, 2]), [])
  assert.deepEqual(askedOf([0, 1, 0, 2, 3]), [0, 1])
})

test('a feature that the engine lacks is refused with what to do, wherever the bundle comes from', () => {
  const bundle = {
    ...SAMPLE_FLOW_BUNDLE,
    flow: {
      ...SAMPLE_FLOW_BUNDLE.flow,
      session: sampleScorer({ 'state.level': [1, 1], 'state.mood': [1, 1] }),
    },
  } as typeof SAMPLE_FLOW_BUNDLE
  const refusal = {
    code: 'document_invalid',
    message: /flow\.session\.features: `state\.mood` not known.*fit the bundle again/,
  }
  assert.throws(() => compileRules({ bundle, ...rest }), refusal)
  assert.throws(() => parseDocument('bundle', JSON.stringify(bundle), 'x.json'), refusal)
  const rulesCache = createRulesCache({
    defaults: [
      { bundle: SAMPLE_BUNDLE, ...rest },
      { bundle, ...rest },
    ],
  })
  assert.ok(rulesCache.rules(rulesCache.defaults))
  const known = createRulesCache({ defaults: [{ bundle, ...rest }] })
  assert.equal(known.rules(known.defaults), undefined)
})

test('every feature has a name of its own', () => {
  for (const names of [STEP_FEATURES, SESSION_FEATURES]) assert.equal(new Set(names).size, names.length)
  assert.ok(STEP_FEATURES.length <= 256 && SESSION_FEATURES.length <= 256)
})
