import type { Rules } from '../rules.js'
import { type StepLabels, joinLabels } from './safety-state.js'

/** A judge's labels of an unlabelled tool. Source: docs/explanation/labels.md. */
export interface Refined {
  readonly tool: string
  readonly labels: StepLabels
  /** Whether they replace the policy's `unlabelled` labels; else they only raise them. */
  readonly replaces: boolean
}

export const NO_REFINED: readonly Refined[] = Object.freeze([])

export const refinedOf = (refined: readonly Refined[], tool: string): Refined | undefined =>
  refined.find((each) => each.tool === tool)

/**
 * The labels of an unlabelled tool: a read if its name says so, else the policy's `unlabelled` labels, or a judge's labels in this
 * session. A judge cannot make a tool's results trusted.
 */
export function fallbackLabels(tool: string, refined: readonly Refined[], rules: Rules): StepLabels {
  const known = refinedOf(refined, tool)
  const standIn = unrefinedFor(tool, rules)
  if (!known) return standIn
  if (!known.replaces) return joinLabels(standIn, known.labels)
  return standIn.untrusted ? { ...known.labels, untrusted: true } : known.labels
}

/** The labels of an unlabelled tool before any judge has answered: by its name, else the policy's `unlabelled` labels. */
export const unrefinedFor = (tool: string, { tool: ruleOf, unlabelled }: Rules): StepLabels =>
  ruleOf(tool).byName ?? unlabelled.labels

/**
 * `refined` with `next` added. A second answer on a tool only raises the first. Beyond `max` tools, later ones keep the policy's labels,
 * so that invented tools cannot push an answer out.
 */
export function addRefined(refined: readonly Refined[], next: Refined, max: number): readonly Refined[] {
  const { tool, labels, replaces } = next
  if (!refinedOf(refined, tool)) return refined.length < max ? [...refined, next] : refined
  return refined.map((each) =>
    each.tool === tool
      ? { tool, labels: joinLabels(each.labels, labels), replaces: each.replaces && replaces }
      : each,
  )
}
