import type { Analysis, PolicyParts, Tier } from '@plimsoll/contracts'

interface Item {
  readonly id: string
  readonly text: string
}

/** One hazard: the losses that it leads to, and the specs that prevent it. */
export interface HazardRow {
  readonly hazard: Item
  /** Whether it states the steps that reach it, so that verification can look for it. */
  readonly isReached: boolean
  readonly losses: readonly Item[]
  readonly actions: readonly Item[]
  readonly requirements: readonly Item[]
  readonly specs: readonly string[]
}

export interface SpecRow {
  readonly id: string
  readonly tier: Tier
  readonly requirements: readonly string[]
}

export interface Traceability {
  readonly hazards: readonly HazardRow[]
  readonly requirements: readonly Item[]
  readonly specs: readonly SpecRow[]
}

/** The traceability of a policy. Without an analysis, the requirements are the ids that its specs name. */
export function traceabilityOf({ analysis, specs }: PolicyParts): Traceability {
  const rows = specs.map(({ id, tier, requirements = [] }) => ({ id, tier, requirements }))
  const named = [...new Set(rows.flatMap((row) => row.requirements))].map((id) => ({ id, text: '' }))
  return {
    hazards: analysis ? hazardRows(analysis, rows) : [],
    requirements: analysis?.requirements ?? named,
    specs: rows,
  }
}

function hazardRows(analysis: Analysis, specs: readonly SpecRow[]): HazardRow[] {
  const { hazards = [], losses = [], requirements = [], unsafeControlActions = [] } = analysis
  return hazards.map((hazard) => {
    const actions = unsafeControlActions.filter((action) => action.hazards?.includes(hazard.id))
    const isServed = (requirement: (typeof requirements)[number]): boolean =>
      (requirement.hazards?.includes(hazard.id) ?? false) ||
      actions.some(({ id }) => requirement.unsafeControlActions?.includes(id))
    const serving = requirements.filter(isServed)
    return {
      hazard,
      isReached: hazard.reached !== undefined,
      losses: losses.filter(({ id }) => hazard.losses?.includes(id)),
      actions,
      requirements: serving,
      specs: specs
        .filter((spec) =>
          spec.requirements.some((id) => serving.some((requirement) => requirement.id === id)),
        )
        .map(({ id }) => id),
    }
  })
}
