import type { About } from './recording.js'

/** A source of more suites than this has one for nearly every task: all of it is one, for within a handful of sessions nothing can be told. */
const SUITES_MAX = 12

/** Whether a source is one of so many small suites that all of it counts as one. */
export function createSuites(abouts: Iterable<Pick<About, 'source' | 'suite'>>): (source: string) => boolean {
  const suites = new Map<string, Set<string>>()
  for (const { source, suite } of abouts) suites.set(source, (suites.get(source) ?? new Set()).add(suite))
  return (source) => (suites.get(source)?.size ?? 0) > SUITES_MAX
}
