import type { Reason } from '@plimsoll/contracts'
import { type Origin, distinctiveShare } from '../../provenance/matches.js'
import { type StepRisk, isLabelsOnly } from '../../risk/risk.js'
import { crossed } from '../../risk/scorer.js'
import type { StepContext } from '../context.js'

/** p1 of this step. Source: docs/explanation/prediction.md. */
export function hazardReason(context: StepContext): Reason | undefined {
  const { stepRisk, rules } = context
  const reached = crossed(stepRisk.hazard, stepRisk.chain.hazardThresholds)
  const verdict = rules.hazard[reached - 1]
  if (verdict === undefined) return undefined
  const message =
    stepRisk.chain.space === 'flow'
      ? `of the recorded steps like this one, ${percent(stepRisk.hazard)} were the violation (${sourceOf(context)}): ${causeOf(context)}`
      : `of the recorded steps that led here, ${percent(stepRisk.hazard)} were the violation (${sourceOf(context)})`
  return { source: 'hazard', code: 'step_hazard', verdict, message }
}

/** The name of the chain, and whether the labels-only model is used although the bundle has a better one. */
const sourceOf = ({ stepRisk, rules }: StepContext): string =>
  isLabelsOnly(stepRisk, rules) ? `${stepRisk.chain.name}, by labels alone` : stepRisk.chain.name

/** The strongest factor against a step, in plain words. */
function causeOf({ state, matches }: StepContext): string {
  for (const [origin, from] of CAUSES) {
    const count = matches ? distinctiveShare(matches, origin) : 0
    if (matches && count > 0)
      return `${count} of ${distinctiveShare(matches, 'total')} distinctive values ${from}`
  }
  return SESSION_CAUSES[state.taint] ?? SESSION_CAUSES[0]
}

const CAUSES: readonly (readonly [Origin, string])[] = [
  ['instructedOnly', 'come from instruction-like text'],
  ['untrustedOnly', 'come from untrusted results alone'],
  ['sensitiveOnly', 'come from sensitive results'],
  ['nowhere', 'were seen nowhere before'],
]

/** By taint. */
const SESSION_CAUSES = [
  'by what it does and what the session did before',
  'the session has read untrusted data',
  'the session has read instruction-like text',
] as const

/** P(h), on entering a higher band only, and what the chain says of the time left. Source: docs/explanation/prediction.md. */
export function forwardReason(context: StepContext): Reason | undefined {
  const { state, stepRisk, rules } = context
  if (stepRisk.band <= state.band) return undefined
  const verdict = rules.forward[stepRisk.band - 1]
  if (verdict === undefined) return undefined
  const message = `of the recorded sessions that came here, ${percent(stepRisk.probability)} were violated within ${rules.horizon} steps (${sourceOf(context)})${aheadText(stepRisk)}`
  return { source: 'forward', code: `band_${stepRisk.band}`, verdict, message }
}

/** When a violation is to be expected from the state that a step arrives in; empty if none was ever observed from there. */
function aheadText({ stepsToViolation, noReturn }: StepRisk): string {
  const within = noReturn === 1 ? 'the next step' : `the next ${noReturn} steps`
  return [
    stepsToViolation === null
      ? ''
      : `; the violation came ${stepsToViolation.toFixed(1)} steps later on average`,
    noReturn === 0 ? '' : `; a point of no return: a violation within ${within} is more likely than not`,
  ].join('')
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`
