import type { PolicyParts } from '@plimsoll/contracts'
import { nearest } from '../source/nearest.js'
import type { Problem } from '../source/problem.js'

type Path = readonly PropertyKey[]
interface Named {
  readonly id: string
}

/** Ids that are named and not there, and ids that stand twice in a list. Without an analysis, requirements are free text. */
export function referenceProblems({ analysis, declassifiers = [], specs }: PolicyParts): Problem[] {
  const { stakeholders = [], losses = [], hazards = [], requirements = [], goals = [] } = analysis ?? {}
  const actions = analysis?.unsafeControlActions ?? []
  const names = (what: string, list: readonly Named[]) => createNames(what, list)
  const known = {
    stakeholder: names('stakeholder', stakeholders),
    loss: names('loss', losses),
    hazard: names('hazard', hazards),
    action: names('unsafe control action', actions),
    requirement: names('requirement', requirements),
    declassifier: names('declassifier', declassifiers),
  }
  return [
    ...Object.entries({
      stakeholders,
      losses,
      hazards,
      requirements,
      goals,
      unsafeControlActions: actions,
    }).flatMap(([list, entries]) => twice(entries, ['analysis', list])),
    ...twice(declassifiers, ['declassifiers']),
    ...losses.flatMap((loss, i) =>
      known.stakeholder(loss.stakeholders, ['analysis', 'losses', i, 'stakeholders']),
    ),
    ...hazards.flatMap((hazard, i) => known.loss(hazard.losses, ['analysis', 'hazards', i, 'losses'])),
    ...actions.flatMap((action, i) =>
      known.hazard(action.hazards, ['analysis', 'unsafeControlActions', i, 'hazards']),
    ),
    ...requirements.flatMap((requirement, i) => {
      const at = ['analysis', 'requirements', i]
      return [
        ...known.hazard(requirement.hazards, [...at, 'hazards']),
        ...known.action(requirement.unsafeControlActions, [...at, 'unsafeControlActions']),
      ]
    }),
    ...specs.flatMap((spec, i) => [
      ...(analysis ? known.requirement(spec.requirements, ['specs', i, 'requirements']) : []),
      ...('flow' in spec
        ? known.declassifier(spec.flow?.declassifiers, ['specs', i, 'flow', 'declassifiers'])
        : []),
    ]),
  ]
}

function createNames(what: string, list: readonly Named[]) {
  const ids = new Set(list.map(({ id }) => id))
  return (named: readonly string[] = [], path: Path): Problem[] =>
    named.flatMap((id, i) =>
      ids.has(id)
        ? []
        : [{ path: [...path, i], message: `there is no ${what} \`${id}\`${hint(id, [...ids], what)}` }],
    )
}

function hint(id: string, ids: readonly string[], what: string): string {
  const meant = nearest(id, ids)
  if (meant !== undefined) return `: did you mean \`${meant}\`?`
  return ids.length === 0
    ? `; the document lists none`
    : `: list it among the ${PLURALS[what] ?? `${what}s`}, or name another`
}

const PLURALS: Readonly<Record<string, string>> = { loss: 'losses' }

function twice(list: readonly Named[], path: Path): Problem[] {
  const seen = new Set<string>()
  return list.flatMap(({ id }, i) => {
    const isSecond = seen.has(id)
    seen.add(id)
    return isSecond
      ? [{ path: [...path, i, 'id'], message: `\`${id}\` stands twice: give one of them another id` }]
      : []
  })
}
