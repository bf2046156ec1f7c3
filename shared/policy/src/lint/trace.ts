import type { Analysis, PolicyParts } from '@plimsoll/contracts'
import { valueAt } from '../specs/walk.js'
import { traceabilityOf } from '../verify/traceability.js'
import { type Finding, type LintCode, finding } from './findings.js'

/** Entries of one list of the analysis that no entry of another list names. */
const UNNAMED: readonly {
  readonly list: keyof Analysis
  readonly by: keyof Analysis
  readonly code: LintCode
  readonly message: (id: string) => string
}[] = [
  {
    list: 'stakeholders',
    by: 'losses',
    code: 'stakeholder-without-loss',
    message: (id) => `no loss names \`${id}\`: what must it not suffer?`,
  },
  {
    list: 'losses',
    by: 'hazards',
    code: 'loss-without-hazard',
    message: (id) => `no hazard leads to \`${id}\`: name it under \`losses\` of those that do`,
  },
  {
    list: 'unsafeControlActions',
    by: 'requirements',
    code: 'action-without-requirement',
    message: (id) => `no requirement names \`${id}\`: name it under \`unsafeControlActions\` of one`,
  },
]

/** Gaps in the trace from losses to specs. */
export function traceFindings({ analysis, specs }: PolicyParts): Finding[] {
  if (!analysis)
    return [
      finding(
        'no-analysis',
        [],
        'does not say why its specs are there: add an `analysis` that leads from losses and hazards to requirements',
      ),
    ]
  const served = new Set(specs.flatMap(({ requirements = [] }) => requirements))
  return [
    ...UNNAMED.flatMap(({ list, by, code, message }) => {
      const named = new Set((analysis[by] ?? []).flatMap((entry) => valueAt(entry, [list]) ?? []))
      return (analysis[list] ?? []).flatMap(({ id }, i) =>
        named.has(id) ? [] : [finding(code, ['analysis', list, i], message(id))],
      )
    }),
    ...hazardFindings({ analysis, specs }),
    ...(analysis.requirements ?? []).flatMap(({ id }, i) => {
      const message = `no spec serves \`${id}\`: name it under \`requirements\` of a spec that serves it, or write such a spec`
      return served.has(id)
        ? []
        : [finding('requirement-without-spec', ['analysis', 'requirements', i], message)]
    }),
    ...specs.flatMap(({ id, requirements = [] }, i) => {
      const message = `\`${id}\` serves no requirement: name one under \`requirements\`, or take the spec out`
      return requirements.length > 0 ? [] : [finding('spec-without-requirement', ['specs', i], message)]
    }),
  ]
}

const hazardFindings = (policy: PolicyParts): Finding[] =>
  traceabilityOf(policy).hazards.flatMap(({ hazard: { id }, requirements, isReached }, i) => {
    const path = ['analysis', 'hazards', i]
    const unmitigated = `no requirement prevents \`${id}\`: name it, or an unsafe control action that leads to it, under a requirement that prevents it`
    const unseen = `\`${id}\` does not say by which steps it is \`reached\`: verification cannot look for it`
    return [
      ...(requirements.length > 0 ? [] : [finding('hazard-without-requirement', path, unmitigated)]),
      ...(isReached ? [] : [finding('hazard-not-reached', path, unseen)]),
    ]
  })
