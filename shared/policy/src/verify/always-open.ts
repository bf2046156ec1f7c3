import type { LiftableSource, Policy, Spec, Verdict } from '@plimsoll/contracts'
import { obligationsOf, pays, restricts } from './concern.js'
import { matchOf } from './ghosts.js'
import type { StepInput } from './inputs.js'
import { isPlain } from './concern.js'
import { maySend } from './step-kinds.js'
import { ownPattern } from './patterns.js'
import type { Prediction } from './mild.js'

/**
 * Steps that can be run at last whatever the state, told without a search: no spec restricts them but obligations, and those ease once what
 * would pay was blocked. An agent that proposes what pays either sees it run, waits for it, or is let go on.
 */
export function alwaysOpen(
  policy: Policy,
  inputs: readonly StepInput[],
  prediction: Prediction,
): StepInput[] {
  const owing = obligationsOf(policy)
  const isEasing = (spec: Spec) =>
    spec.tier === 'mustlist' && spec.followedBy?.exit !== 'block' && inputs.some((input) => pays(spec, input))
  if (!owing.every(isEasing)) return []
  const others = policy.specs.filter((spec) => !owing.includes(spec))
  return inputs.filter(
    (input) =>
      !others.some((spec) => restricts(spec, input)) &&
      verdictsOn(policy, input, prediction).every(
        ([source, verdict]) => verdict !== 'block' || isLifted(policy, input, source),
      ),
  )
}

/** What sources other than specs may say of the step. */
function verdictsOn(policy: Policy, input: StepInput, prediction: Prediction): [LiftableSource, Verdict][] {
  const { line, integrity, irreversible = 'allow', unlabelled, hazard, forward } = policy
  const predicted: [LiftableSource, Verdict][] = [
    ...hazard.map((verdict): [LiftableSource, Verdict] => ['hazard', verdict]),
    ...forward.verdicts.map((verdict): [LiftableSource, Verdict] => ['forward', verdict]),
    ...(integrity ? Object.values(integrity) : []).map((verdict): [LiftableSource, Verdict] => [
      'integrity',
      verdict,
    ]),
    ['irreversible', irreversible],
  ]
  return [
    ['line', maySend(input.kind) ? line[input.evidence] : 'allow'],
    ['unlabelled', input.kind.isLabelled ? 'allow' : unlabelled.verdict],
    ...(prediction === 'harshest' ? predicted : []),
  ]
}

const isLifted = ({ specs }: Policy, { seen }: StepInput, source: LiftableSource): boolean =>
  specs.some(
    (spec) =>
      spec.tier === 'allowlist' &&
      isPlain(spec) &&
      spec.lifts.includes(source) &&
      matchOf(ownPattern(spec), seen) === 'yes',
  )
