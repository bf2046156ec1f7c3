import type { Catalogue, Policy } from '@plimsoll/contracts'
import { toAlloy, verifyPolicy, type HazardReport } from '@plimsoll/policy'
import { askAlloy, type Answers } from '../../support/alloy/index.js'

/** Whether some session of so many moves is the hazard, by whom one asks; undefined where the search gave up. */
export interface Finding {
  readonly hazard: string
  readonly policy: 'off' | 'on'
  /** Whether humans approve what they are asked about. */
  readonly approvals: boolean
  readonly analyzer: boolean
  readonly verifier: boolean | undefined
}

export interface Compared {
  readonly policy: Policy
  readonly catalogue: Catalogue
}

/** Asks the real Analyzer and the verifier the same of each policy, at equal depth and with what the catalogue says alone. */
export async function compare(
  cases: readonly Compared[],
  depth: number,
): Promise<readonly (readonly Finding[])[]> {
  const modules = cases.map(({ policy, catalogue }) =>
    toAlloy(policy, catalogue, { depth, arguments: false }),
  )
  const answers = await askAlloy(modules.map(({ text }) => text))
  return cases.map(({ policy, catalogue }, i) => {
    const { hazards } = verifyPolicy({ policy, catalogue, depth, claims: 'none' })
    return (modules[i]?.questions ?? []).flatMap(({ command, kind, id, policy: under, approvals }) => {
      const report = hazards.find((hazard) => hazard.id === id)
      if (kind !== 'hazard' || !report) return []
      const analyzer = answerOf(answers[i], command)
      const verifier =
        under === 'off' ? report.withoutPolicy !== undefined : reachedBy(report, approvals, depth)
      return [{ hazard: id, policy: under, approvals, analyzer, verifier }]
    })
  })
}

function answerOf(answers: Answers | undefined, command: string): boolean {
  const answer = answers?.get(command)
  if (answer === undefined) throw new Error(`the Analyzer was asked no \`${command}\``)
  return answer === 'sat'
}

/** Of an end without something only whether it comes about with nobody told: that is what a bound speaks of. */
function reachedBy(report: HazardReport, approvals: boolean, depth: number): boolean | undefined {
  const { result, bound, trace } = report
  const isBounded = bound !== undefined && bound >= depth
  if (result === 'alerted') return false
  if (!trace) return bound === undefined || isBounded ? false : undefined
  if (approvals || !trace.some(({ approved }) => approved)) return true
  return result === 'by_approval' || isBounded ? false : undefined
}
