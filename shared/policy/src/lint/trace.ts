import type { Analysis, PolicyParts } from '@plimsoll/contracts'
import type { Finding } from './flows.js'

/** Where the line from losses to specs is broken. */
export function traceFindings({ analysis, specs }: PolicyParts): Finding[] {
  if (!analysis)
    return [
      {
        code: 'no-analysis',
        path: [],
        message:
          'says not why its specs are there: `analysis` would lead from losses and hazards to requirements',
      },
    ]
  const served = new Set(specs.flatMap(({ requirements = [] }) => requirements))
  return [
    ...stakeholderFindings(analysis),
    ...lossFindings(analysis),
    ...hazardFindings(analysis),
    ...actionFindings(analysis),
    ...(analysis.requirements ?? []).flatMap(({ id }, i): Finding[] =>
      served.has(id)
        ? []
        : [
            {
              code: 'requirement-without-spec',
              path: ['analysis', 'requirements', i],
              message: `no spec serves \`${id}\`: name it under \`requirements\` of one that does, or write one`,
            },
          ],
    ),
    ...specs.flatMap(({ id, requirements = [] }, i): Finding[] =>
      requirements.length > 0
        ? []
        : [
            {
              code: 'spec-without-requirement',
              path: ['specs', i],
              message: `\`${id}\` serves no requirement: name one under \`requirements\`, or take the spec out`,
            },
          ],
    ),
  ]
}

function stakeholderFindings({ stakeholders = [], losses = [] }: Analysis): Finding[] {
  const named = new Set(losses.flatMap((loss) => loss.stakeholders ?? []))
  return stakeholders.flatMap(({ id }, i) =>
    named.has(id)
      ? []
      : [
          {
            code: 'stakeholder-without-loss',
            path: ['analysis', 'stakeholders', i],
            message: `no loss names \`${id}\`: what must it not suffer?`,
          },
        ],
  )
}

function lossFindings({ losses = [], hazards = [] }: Analysis): Finding[] {
  const named = new Set(hazards.flatMap((hazard) => hazard.losses ?? []))
  return losses.flatMap(({ id }, i) =>
    named.has(id)
      ? []
      : [
          {
            code: 'loss-without-hazard',
            path: ['analysis', 'losses', i],
            message: `no hazard leads to \`${id}\`: name it under \`losses\` of those that do`,
          },
        ],
  )
}

/** A requirement serves the hazards that it names, and those of the unsafe control actions that it names. */
export function hazardsServed({
  requirements = [],
  unsafeControlActions = [],
}: Analysis): ReadonlySet<string> {
  const ofAction = new Map(unsafeControlActions.map(({ id, hazards = [] }) => [id, hazards]))
  return new Set(
    requirements.flatMap(({ hazards = [], unsafeControlActions: actions = [] }) => [
      ...hazards,
      ...actions.flatMap((id) => ofAction.get(id) ?? []),
    ]),
  )
}

function hazardFindings(analysis: Analysis): Finding[] {
  const served = hazardsServed(analysis)
  return (analysis.hazards ?? []).flatMap(({ id, reached }, i): Finding[] => {
    const path = ['analysis', 'hazards', i]
    const unmitigated: Finding = {
      code: 'hazard-without-requirement',
      path,
      message: `no requirement prevents \`${id}\`: name it, or an unsafe control action that leads to it, under one that does`,
    }
    const unseen: Finding = {
      code: 'hazard-not-reached',
      path,
      message: `\`${id}\` says not by which steps it is \`reached\`: verification cannot look for it`,
    }
    return [...(served.has(id) ? [] : [unmitigated]), ...(reached ? [] : [unseen])]
  })
}

function actionFindings({ unsafeControlActions = [], requirements = [] }: Analysis): Finding[] {
  const named = new Set(requirements.flatMap((requirement) => requirement.unsafeControlActions ?? []))
  return unsafeControlActions.flatMap(({ id }, i) =>
    named.has(id)
      ? []
      : [
          {
            code: 'action-without-requirement',
            path: ['analysis', 'unsafeControlActions', i],
            message: `no requirement names \`${id}\`: name it under \`unsafeControlActions\` of one`,
          },
        ],
  )
}
