import type { Policy, Spec, StepPattern } from '@plimsoll/contracts'
import { matchOf } from './ghosts.js'
import type { StepInput } from './inputs.js'
import { ownPattern } from './patterns.js'

/** Whether a spec may keep such a step from running: what lifts or only warns does not. */
export function restricts(spec: Spec, input: StepInput): boolean {
  if (spec.tier === 'allowlist' || spec.tier === 'confirmation') return false
  if (spec.tier === 'mustlist') {
    if (spec.verdict !== undefined && spec.verdict !== 'block') return false
    if (spec.requires) return means(ownPattern(spec), input)
    return spec.followedBy !== undefined && spec.followedBy.within !== 'session'
  }
  return means(ownPattern(spec), input) && (!spec.flow || means(spec.flow.to, input))
}

const means = (pattern: StepPattern, { seen }: StepInput): boolean => matchOf(pattern, seen) !== 'no'

/** Whether a spec remembers nothing: it speaks on every step of its kind, or on none. */
export function isPlain(spec: Spec): boolean {
  if (spec.tier === 'mustlist') return false
  const { after, before, between } = spec
  if (after ?? before ?? between) return false
  return spec.tier === 'allowlist' || !(spec.flow ?? spec.atMost ?? spec.sum ?? spec.distinct ?? spec.fleet)
}

/** Specs that block other steps until something is paid. */
export const obligationsOf = ({ specs }: Policy): Spec[] =>
  specs.filter(
    (spec) =>
      spec.tier === 'mustlist' &&
      spec.followedBy !== undefined &&
      spec.followedBy.within !== 'session' &&
      (spec.verdict ?? 'block') === 'block',
  )

/** Whether such a step may pay what `spec` asks for. */
export const pays = (spec: Spec, input: StepInput): boolean =>
  spec.tier === 'mustlist' && spec.followedBy !== undefined && means(spec.followedBy.step, input)
