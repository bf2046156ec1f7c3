import type { Catalogue } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import type { Recording } from '../traces/recording.js'

/** By the goal of an attack (`About.goal`): the harm that it does, as `capability/reversibility` of the violating tool. */
export type Harms = ReadonlyMap<string, string>

/**
 * What each attack does when it succeeds: capability and reversibility that `catalogue` gives the tool of the violating step, the most
 * frequent of its sessions. Goals that no recorded session reached are not in it.
 */
export function harmsOf(
  recordings: readonly Pick<Recording, 'blind' | 'truth' | 'about'>[],
  catalogue: Catalogue,
): Harms {
  const labelsOf = createLabeller(catalogue)
  const counts = new Map<string, Map<string, number>>()
  for (const { blind, truth, about } of recordings) {
    const tool = truth.violatedAt === undefined ? undefined : blind.steps[truth.violatedAt]?.tool
    if (tool === undefined || about.goal === '') continue
    const labels = labelsOf(tool)
    const harm = labels ? `${labels.capability}/${labels.reversibility}` : 'unlabelled'
    const ofGoal = counts.get(about.goal) ?? new Map<string, number>()
    ofGoal.set(harm, (ofGoal.get(harm) ?? 0) + 1)
    counts.set(about.goal, ofGoal)
  }
  return new Map([...counts].map(([goal, ofGoal]) => [goal, mostFrequent(ofGoal)]))
}

const mostFrequent = (counts: ReadonlyMap<string, number>): string =>
  [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0]
