import type { CategorySample } from '@plimsoll/labels'
import type { Recording } from '../traces/recording.js'
import { createSuites } from '../traces/suites.js'

/** The tasks of some recordings, with the categories that they declare; each once an origin and category. */
export function categorySamples(recordings: Iterable<Pick<Recording, 'blind' | 'about'>>): CategorySample[] {
  const all = [...recordings]
  const isOneSuite = createSuites(all.map(({ about }) => about))
  const samples = new Map<string, CategorySample>()
  for (const { blind, about } of all) {
    const origin = isOneSuite(about.source) ? about.source : `${about.source}/${about.suite}`
    const { task, category } = blind
    samples.set(JSON.stringify([origin, category, task]), { task, category, origin })
  }
  // By text: the order in which sessions were recorded is none of the model's business.
  return [...samples].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sample]) => sample)
}
