import { PlimsollError, type Flow, type Scorer } from '@plimsoll/contracts'
import { STANDING_FEATURES, STEP_FEATURES, type CompiledScorer, type FlowRules } from '@plimsoll/engine'

/** Compiles the scorers of a bundle. Throws `document_invalid` where one asks for a feature that the engine does not have. */
export function compileFlow({ hazard, standing, edges }: Flow): FlowRules {
  return {
    hazard: compileScorer(hazard, STEP_FEATURES, 'flow.hazard'),
    standing: compileScorer(standing, STANDING_FEATURES, 'flow.standing'),
    edges: Float64Array.from(edges),
  }
}

/**
 * Flattens `scorer` for vectors whose features are named by `names`; `where` is told in errors. Throws `document_invalid` where it asks
 * for a feature that is not among them.
 */
export function compileScorer(scorer: Scorer, names: readonly string[], where: string): CompiledScorer {
  const { features, bias, trees, calibration } = scorer
  const indexOf = new Map(names.map((name, i) => [name, i]))
  const unknown = features.filter((name) => !indexOf.has(name))
  if (unknown.length > 0) throw new PlimsollError('document_invalid', messageOf(unknown, where))
  const places = features.map((name) => indexOf.get(name) ?? -1)
  const sizes = trees.map(({ feature }) => feature.length)
  const roots = sizes.map((_, i) => sizes.slice(0, i).reduce((sum, size) => sum + size, 0))
  const behind = (children: (tree: Scorer['trees'][number]) => readonly number[]) =>
    Int32Array.from(trees.flatMap((tree, i) => children(tree).map((child) => (roots[i] ?? 0) + child)))
  return {
    bias,
    roots: Int32Array.from(roots),
    feature: Int32Array.from(trees.flatMap(({ feature }) => feature.map((at) => places[at] ?? -1))),
    threshold: Float64Array.from(
      trees.flatMap(({ feature, threshold, value }) =>
        feature.map((at, node) => (at < 0 ? value[node] : threshold[node]) ?? 0),
      ),
    ),
    left: behind(({ left }) => left),
    right: behind(({ right }) => right),
    x: Float64Array.from(calibration.x),
    y: Float64Array.from(calibration.y),
  }
}

const messageOf = (unknown: readonly string[], where: string): string =>
  `bundle: ${where}.features: ${unknown.map((name) => `\`${name}\``).join(', ')} not known to this engine; ` +
  'fit the bundle again with this version, or upgrade the monitors first'
