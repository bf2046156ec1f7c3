import type { Catalogue, Policy } from '@plimsoll/contracts'
import {
  toAlloy,
  verifyPolicy,
  type AlloyCommand,
  type GoalReport,
  type HazardReport,
  type VerificationReport,
} from '@plimsoll/policy'
import { askAlloy, type Answers } from '../../support/alloy/index.js'

/** Whether a session of this depth reaches the hazard or goal, by each tool; undefined if the search gave up. */
export interface Finding {
  readonly kind: 'hazard' | 'goal'
  readonly id: string
  readonly policy: 'off' | 'on'
  /** Whether humans approve requests. */
  readonly approvals: boolean
  readonly analyzer: boolean
  readonly verifier: boolean | undefined
}

export interface Compared {
  readonly policy: Policy
  readonly catalogue: Catalogue
}

/** Runs the real Analyzer and the verifier on each policy, at equal depth and with the catalogue's labels alone. */
export async function compare(
  cases: readonly Compared[],
  depth: number,
  mutate = (text: string): string => text,
): Promise<readonly (readonly Finding[])[]> {
  const modules = cases.map(({ policy, catalogue }) =>
    toAlloy(policy, catalogue, { depth, arguments: false }),
  )
  const answers = await askAlloy(modules.map(({ text }) => mutate(text)))
  return cases.map(({ policy, catalogue }, i) => {
    const report = verifyPolicy({ policy, catalogue, depth, claims: 'none' })
    return (modules[i]?.commands ?? []).flatMap((question): Finding[] => {
      const { command, kind, id, policy: under, approvals } = question
      if (kind === 'goal' && hasExit(policy)) return []
      const verifier = verdictOn(question, report, depth)
      return [{ kind, id, policy: under, approvals, analyzer: answerOf(answers[i], command), verifier }]
    })
  })
}

/** In goal searches the verifier blocks steps by the policy alone, the module for any cause: exits of obligations differ. */
const hasExit = ({ specs }: Policy): boolean =>
  specs.some((spec) => spec.tier === 'mustlist' && spec.followedBy && spec.followedBy.exit !== 'block')

function verdictOn(
  { kind, id, policy, approvals }: AlloyCommand,
  { hazards, goals }: VerificationReport,
  depth: number,
): boolean | undefined {
  const goal = goals.find((each) => each.id === id)
  if (kind === 'goal' && goal) return attainedBy(goal, approvals, depth)
  const hazard = hazards.find((each) => each.id === id)
  if (kind === 'goal' || !hazard) throw new Error(`the verifier tells nothing of \`${id}\``)
  return policy === 'off' ? hazard.withoutPolicy !== undefined : reachedBy(hazard, approvals, depth)
}

function attainedBy(
  { result, bound, trace }: GoalReport,
  approvals: boolean,
  depth: number,
): boolean | undefined {
  if (trace) return approvals || result === 'reachable'
  return bound === undefined || bound >= depth ? false : undefined
}

function answerOf(answers: Answers | undefined, command: string): boolean {
  const answer = answers?.get(command)
  if (answer === undefined) throw new Error(`the Analyzer was asked no \`${command}\``)
  return answer === 'sat'
}

/** Of an end that lacks a step, only whether it is reached without an alert: the bound concerns that. */
function reachedBy(report: HazardReport, approvals: boolean, depth: number): boolean | undefined {
  const { result, bound, trace } = report
  const isBounded = bound !== undefined && bound >= depth
  if (result === 'alerted') return false
  if (!trace) return bound === undefined || isBounded ? false : undefined
  // A property that restates a spec is still reached through an approval, or by an end with an alert.
  if (result === 'restated' && trace.at(-1)?.event === 'ended') return undefined
  if (approvals || !trace.some(({ approved }) => approved)) return true
  return result === 'by_approval' || result === 'restated' || isBounded ? false : undefined
}
