import type { CategorySample } from '@plimsoll/labels'
import type { Recording } from '../traces/recording.js'

/** A source of more suites than this has one for nearly every task: all of it is one origin. */
const SUITES_MAX = 12

/** The tasks of some recordings, with the categories that they declare; each once an origin and category. */
export function categorySamples(recordings: Iterable<Pick<Recording, 'blind' | 'about'>>): CategorySample[] {
  const all = [...recordings]
  const suites = new Map<string, Set<string>>()
  for (const { about } of all)
    suites.set(about.source, (suites.get(about.source) ?? new Set()).add(about.suite))
  const samples = new Map<string, CategorySample>()
  for (const { blind, about } of all) {
    const isOne = (suites.get(about.source)?.size ?? 0) > SUITES_MAX
    const origin = isOne ? about.source : `${about.source}/${about.suite}`
    const { task, category } = blind
    samples.set(JSON.stringify([origin, category, task]), { task, category, origin })
  }
  // By text: the order in which sessions were recorded is none of the model's business.
  return [...samples].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sample]) => sample)
}
