import type { Unjudged } from '../traces/recording.js'
import type { Corpus } from './corpus.js'
import { groupedBy } from './grouped.js'

/** What there is of one source. */
export interface SourceLine {
  readonly source: string
  readonly sessions: number
  readonly steps: number
  readonly unsafe: number
  readonly safe: number
  /** Of the safe ones, those that are only assumed to be. */
  readonly assumed: number
  /** Sessions that may be fitted to. */
  readonly fittable: number
  /** Sessions left out, by reason. */
  readonly unjudged: Partial<Record<Unjudged, number>>
}

export function censusOf({ recordings, isFittable }: Corpus): SourceLine[] {
  const bySource = groupedBy(recordings.keys(), (n) => recordings[n]?.about.source ?? '')
  return Array.from(bySource, ([source, members]) => {
    const own = members.flatMap((n) => recordings[n] ?? [])
    const judged = own.filter(({ truth }) => truth.unjudged === undefined)
    const unjudged: Partial<Record<Unjudged, number>> = {}
    for (const { truth } of own)
      if (truth.unjudged !== undefined) unjudged[truth.unjudged] = (unjudged[truth.unjudged] ?? 0) + 1
    const unsafe = judged.filter(({ truth }) => truth.unsafe).length
    return {
      source,
      sessions: own.length,
      steps: own.reduce((sum, { blind }) => sum + blind.steps.length, 0),
      unsafe,
      safe: judged.length - unsafe,
      assumed: judged.filter(({ truth }) => truth.assumed && !truth.unsafe).length,
      fittable: members.filter(isFittable).length,
      unjudged,
    }
  })
}
