import { PlimsollError } from '@plimsoll/contracts'
import { readRecordings, type Recording } from '../traces/recording.js'
import type { ReadProgress } from '../traces/read-traces.js'
import { createSourceCensus } from './source-census.js'
import { createStepInterner } from '../traces/shared-steps.js'
import { createSuites } from '../traces/suites.js'

/** Recordings in memory: cross-validation reads each several times. */
export interface Corpus {
  readonly recordings: readonly Recording[]
  /** Places of those whose truth is known. */
  readonly judged: readonly number[]
  /** Whether session n may be fitted to: its violating step is known, or that there was none. */
  readonly isFittable: (n: number) => boolean
  /** Whether a source is one of so many small suites that all of it counts as one. */
  readonly isOneSuite: (source: string) => boolean
}

/**
 * @param sample takes one session of so many, by a hash of its id: the same ones each time
 * @throws PlimsollError `traces_invalid`, naming file and line, or where there is nothing in the files
 */
export async function readCorpus(
  files: readonly string[],
  onProgress?: (progress: ReadProgress) => void,
  sample = 1,
): Promise<Corpus> {
  const recordings: Recording[] = []
  const shared = createStepInterner()
  for await (const { blind, truth, about } of readRecordings(files, onProgress))
    if (hashOf(about.traceId) % sample === 0) recordings.push({ blind: shared(blind), truth, about })
  if (recordings.length === 0) throw new PlimsollError('traces_invalid', 'there is no session in the files')
  return corpusOf(recordings)
}

/** FNV-1a, 32 bits, with its bits well mixed. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

export function corpusOf(recordings: readonly Recording[]): Corpus {
  const judged = recordings.flatMap(({ truth }, n) => (truth.excluded === undefined ? [n] : []))
  const census = createSourceCensus()
  for (const { truth, about, blind } of recordings) census.add({ truth, about, steps: blind.steps.length })
  const isFittable = (n: number): boolean => {
    const recording = recordings[n]
    if (!recording || recording.truth.excluded !== undefined) return false
    return recording.truth.hasSteps && !census.isSilent(recording.about.source)
  }
  const isOneSuite = createSuites(recordings.map(({ about }) => about))
  return { recordings, judged, isFittable, isOneSuite }
}
