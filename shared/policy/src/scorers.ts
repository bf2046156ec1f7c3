import { PlimsollError, type Flow, type Scorer } from '@plimsoll/contracts'
import {
  LEAVES_MAX,
  SESSION_FEATURES,
  STEP_FEATURES,
  type CompiledScorer,
  type FlowRules,
} from '@plimsoll/engine'
import { questionsOf, smallTrees } from './scorer-trees.js'

/** Compiles the scorers of a bundle. Throws `document_invalid` where one asks for a feature that the engine does not have. */
export function compileFlow({ hazard, session, edges, centres = [] }: Flow): FlowRules {
  return {
    hazard: compileScorer(hazard, STEP_FEATURES, 'flow.hazard'),
    session: compileScorer(session, SESSION_FEATURES, 'flow.session'),
    edges: Float64Array.from(edges),
    centres: Float64Array.from(centres),
  }
}

/**
 * Lays `scorer` out by feature for vectors whose features are named by `names`; `where` is told in errors. Throws `document_invalid` where
 * it asks for a feature that is not among them, or asks more on the way to a leaf than can be laid out.
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
    .flatMap((tree, t) => questionsOf(tree, t))
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
