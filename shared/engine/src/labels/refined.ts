import type { Rules } from '../rules.js'
import { type StepLabels, joinLabels } from './safety-state.js'

/** What a judge made of a tool that nothing labels. Source: docs/explanation/labels.md. */
export interface Refined {
  readonly tool: string
  readonly labels: StepLabels
  /** Whether they take the place of the policy's stand-in; else they can only raise it. */
  readonly replaces: boolean
}

export const NO_REFINED: readonly Refined[] = Object.freeze([])

export const refinedOf = (refined: readonly Refined[], tool: string): Refined | undefined =>
  refined.find((each) => each.tool === tool)

/**
 * What a tool that nothing labels is taken for: a read where its name plainly says so, else the policy's stand-in, or what a judge made of the tool in this session. No judge can
 * vouch for what a tool returns.
 */
export function fallbackLabels(tool: string, refined: readonly Refined[], rules: Rules): StepLabels {
  const known = refinedOf(refined, tool)
  const standIn = unrefinedFor(tool, rules)
  if (!known) return standIn
  if (!known.replaces) return joinLabels(standIn, known.labels)
  return standIn.untrusted ? { ...known.labels, untrusted: true } : known.labels
}

/** What a tool that nothing labels is taken for before any judge has answered: by its name, else by the policy's stand-in. */
export const unrefinedFor = (tool: string, { tool: ruleOf, unlabelled }: Rules): StepLabels =>
  ruleOf(tool).readAs ?? unlabelled.labels

/**
 * `refined` with `next` in it. A second answer on a tool can only raise the first; and of more tools than `max` the later ones keep the
 * policy's stand-in, so that nobody can push an answer out by inventing tools.
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
