import { type Flow, type Scorer, PlimsollError } from '@plimsoll/contracts'
import {
  type CompiledScorer,
  type FlowRules,
  LEAVES_MAX,
  CONDUCT_FEATURES,
  SESSION_FEATURES,
  STEP_FEATURES,
} from '@plimsoll/engine'

type FlatTree = Scorer['trees'][number]

/** A tree by its leaves, from the left, and by what is asked above them. */
export interface SmallTree {
  readonly leaves: readonly number[]
  readonly splits: readonly Split[]
}

/** A question whose leaves, where the answer is no, are numbers `from` … `to` − 1. */
interface Split {
  readonly feature: number
  readonly threshold: number
  readonly from: number
  readonly to: number
}

/** A question of a compiled scorer. `remaining`: the tree's leaves that are left where the feature reaches the threshold. */
export interface ScorerSplit {
  readonly tree: number
  readonly feature: number
  readonly threshold: number
  readonly remaining: number
}

/**
 * `tree` as trees of at most `limit` leaves whose values add up to its own, exactly: of each part all other leaves are 0, so that for any
 * features one part alone adds something. Equal leaves below one question are one. A part has more leaves than that where the way to it asks
 * `limit` questions or more.
 */
export function smallTrees(tree: FlatTree, limit: number): SmallTree[] {
  const pruned = pruneFrom(tree, 0)
  return parted(pruned, limit).map(laidOut)
}

/** The questions of a small tree that is the scorer's number `tree`. */
export const splitsOf = ({ splits }: SmallTree, tree: number): ScorerSplit[] =>
  splits.map(({ feature, threshold, from, to }) => ({
    tree,
    feature,
    threshold,
    remaining: ~bitsOf(from, to),
  }))

/** Bits `from` … `to` − 1, fewer than a word has: at least one leaf lies to the right. */
const bitsOf = (from: number, to: number): number => ((1 << (to - from)) - 1) << from

type Node = { readonly value: number; readonly size: 1 } | Inner
interface Inner {
  readonly feature: number
  readonly threshold: number
  readonly left: Node
  readonly right: Node
  /** Leaves below it. */
  readonly size: number
}

const NOTHING: Node = { value: 0, size: 1 }
const isLeaf = (node: Node): node is Extract<Node, { value: number }> => 'value' in node

/** A question whose answers are equal leaves is none. */
function pruneFrom(tree: FlatTree, at: number): Node {
  const feature = tree.feature[at] ?? -1
  if (feature < 0) return { value: tree.value[at] ?? 0, size: 1 }
  const left = pruneFrom(tree, tree.left[at] ?? 0)
  const right = pruneFrom(tree, tree.right[at] ?? 0)
  if (isLeaf(left) && isLeaf(right) && left.value === right.value) return left
  return inner(feature, tree.threshold[at] ?? 0, left, right)
}

const inner = (feature: number, threshold: number, left: Node, right: Node): Inner => ({
  feature,
  threshold,
  left,
  right,
  size: left.size + right.size,
})

function parted(node: Node, limit: number): Node[] {
  if (isLeaf(node) || node.size <= limit) return [node]
  const { feature, threshold, left, right } = node
  return [
    ...parted(left, limit - 1).map((part) => inner(feature, threshold, part, NOTHING)),
    ...parted(right, limit - 1).map((part) => inner(feature, threshold, NOTHING, part)),
  ]
}

function laidOut(root: Node): SmallTree {
  const leaves: number[] = []
  const splits: Split[] = []
  const visit = (node: Node): void => {
    if (isLeaf(node)) {
      leaves.push(node.value)
      return
    }
    const from = leaves.length
    visit(node.left)
    splits.push({ feature: node.feature, threshold: node.threshold, from, to: leaves.length })
    visit(node.right)
  }
  visit(root)
  return { leaves, splits }
}

/** Compiles the scorers of a bundle. Throws `document_invalid` where one asks for a feature that the engine does not have. */
export function compileFlow({ hazard, session, conduct, edges, centres = [] }: Flow): FlowRules {
  return {
    hazard: compileScorer(hazard, STEP_FEATURES, 'flow.hazard'),
    session: compileScorer(session, SESSION_FEATURES, 'flow.session'),
    ...(conduct && {
      conduct: {
        scorer: compileScorer(conduct.scorer, CONDUCT_FEATURES, 'flow.conduct'),
        steps: conduct.steps,
      },
    }),
    edges: Float64Array.from(edges),
    centres: Float64Array.from(centres),
  }
}

/**
 * Lays `scorer` out by feature for vectors whose features are named by `names`; errors start with `where`. Throws `document_invalid` if the
 * scorer uses a feature that is not in `names`, or has more conditions on the way to a leaf than the layout can hold.
 */
export function compileScorer(scorer: Scorer, names: readonly string[], where: string): CompiledScorer {
  const { features, bias, calibration } = scorer
  const indexOf = new Map(names.map((name, i) => [name, i]))
  const unknown = features.filter((name) => !indexOf.has(name))
  if (unknown.length > 0) throw new PlimsollError('document_invalid', messageOf(unknown, where))
  const places = features.map((name) => indexOf.get(name) ?? -1)
  const trees = scorer.trees.flatMap((tree) => smallTrees(tree, LEAVES_MAX))
  if (trees.some((tree) => tree.leaves.length > LEAVES_MAX))
    throw new PlimsollError('document_invalid', tooDeep(where))
  const questions = trees
    .flatMap((tree, t) => splitsOf(tree, t))
    .map((question) => ({ ...question, feature: places[question.feature] ?? -1 }))
    .sort((a, b) => a.feature - b.feature || a.threshold - b.threshold)
  const asked = [...new Set(questions.map(({ feature }) => feature))]
  const first = asked.map((feature) => questions.findIndex((question) => question.feature === feature))
  const leaves = new Float64Array(LEAVES_MAX * trees.length)
  for (const [t, tree] of trees.entries()) leaves.set(tree.leaves, LEAVES_MAX * t)
  return {
    bias,
    asked: Int32Array.from(asked),
    first: Int32Array.from([...first, questions.length]),
    threshold: Float64Array.from(questions, ({ threshold }) => threshold),
    tree: Uint16Array.from(questions, ({ tree }) => tree),
    remaining: Int32Array.from(questions, ({ remaining }) => remaining),
    leaves,
    scratch: new Int32Array(trees.length),
    x: Float64Array.from(calibration.x),
    y: Float64Array.from(calibration.y),
  }
}

const messageOf = (unknown: readonly string[], where: string): string =>
  `bundle: ${where}.features: ${unknown.map((name) => `\`${name}\``).join(', ')} not known to this engine; ` +
  'fit the bundle again with this version, or upgrade the monitors first'

const tooDeep = (where: string): string =>
  `bundle: ${where}.trees: expected at most ${LEAVES_MAX - 1} questions on the way to a leaf`
