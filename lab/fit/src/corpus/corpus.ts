import { createRecentSteps } from './blind.js'
import { type ReadProgress, noSessionError } from './read-traces.js'
import {
  type About,
  type Excluded,
  type RecordedTruth,
  type Recording,
  createSuites,
  hashOf,
  readRecordings,
} from './recording.js'

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
  readonly excluded: Partial<Record<Excluded, number>>
}

/** What is counted of a session. */
export interface Counted {
  readonly truth: Pick<RecordedTruth, 'excluded' | 'unsafe' | 'hasSteps' | 'assumed'>
  readonly about: Pick<About, 'source'>
  readonly steps: number
}

/** Counts sessions by source. */
export interface SourceCensus {
  add(session: Counted): void
  lines(): SourceLine[]
  /**
   * Whether a source has violated sessions and never names the step. Scorers of steps and of what was read are not fitted to it, because
   * its safe sessions alone would lower the base rate. Valid once all its sessions were added.
   */
  isSilent(source: string): boolean
}

export function censusOf({ recordings }: Pick<Corpus, 'recordings'>): SourceLine[] {
  const census = createSourceCensus()
  for (const { truth, about, blind } of recordings) census.add({ truth, about, steps: blind.steps.length })
  return census.lines()
}

export function createSourceCensus(): SourceCensus {
  const sources = new Map<string, SourceCounts>()
  const countsOf = (source: string): SourceCounts => {
    const found = sources.get(source) ?? emptyCounts()
    sources.set(source, found)
    return found
  }
  return {
    add: (session) => enter(countsOf(session.about.source), session),
    lines: () => Array.from(sources, ([source, counts]) => lineOf(source, counts)),
    isSilent: (source) => isSilentIn(countsOf(source)),
  }
}

interface SourceCounts extends Omit<Mutable<SourceLine>, 'source' | 'fittable' | 'excluded'> {
  readonly excluded: Partial<Record<Excluded, number>>
  /** Judged sessions that are safe or whose violating step is known; the violated ones among them. */
  labelled: number
  unsafeLabelled: number
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const emptyCounts = (): SourceCounts => ({
  sessions: 0,
  steps: 0,
  unsafe: 0,
  safe: 0,
  assumed: 0,
  excluded: {},
  labelled: 0,
  unsafeLabelled: 0,
})

function enter(counts: SourceCounts, { truth, steps }: Counted): void {
  const { excluded, unsafe, hasSteps, assumed } = truth
  counts.sessions++
  counts.steps += steps
  if (excluded !== undefined) {
    counts.excluded[excluded] = (counts.excluded[excluded] ?? 0) + 1
    return
  }
  counts[unsafe ? 'unsafe' : 'safe']++
  if (assumed && !unsafe) counts.assumed++
  if (hasSteps) counts.labelled++
  if (hasSteps && unsafe) counts.unsafeLabelled++
}

const isSilentIn = ({ unsafe, unsafeLabelled }: SourceCounts): boolean => unsafe > 0 && unsafeLabelled === 0

function lineOf(source: string, counts: SourceCounts): SourceLine {
  const { labelled: reported, unsafeLabelled: _unsafeLabelled, excluded, ...line } = counts
  return { source, ...line, fittable: isSilentIn(counts) ? 0 : reported, excluded }
}

/** Recordings in memory: cross-validation reads each several times. */
export interface Corpus {
  readonly recordings: readonly Recording[]
  /** Places of those whose truth is known. */
  readonly judged: readonly number[]
  /** Whether session n may be fitted to: its violating step is known, or that there was none, or no step of its source is. */
  readonly isFittable: (n: number) => boolean
  /** Whether a source labels sessions as a whole; see `SourceCensus`. */
  readonly isSilent: (source: string) => boolean
  /** Whether a source is one of so many small suites that all of it counts as one. */
  readonly isOneSuite: (source: string) => boolean
  /** The task of a session, as a name: its suite where that is a task of its own, else suite and text. Sessions of other sources have others. */
  readonly taskOf: (about: Pick<About, 'source' | 'suite' | 'task'>) => string
}

/** Equal steps of a corpus are one object, up to half a million of them. */
const SHARED = { steps: 1_000_000, chars: Infinity }

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
  const shared = createRecentSteps(SHARED)
  for await (const { blind, truth, about } of readRecordings(files, onProgress))
    if (hashOf(about.traceId) % sample === 0) recordings.push({ blind: shared(blind), truth, about })
  if (recordings.length === 0) throw noSessionError(files)
  return corpusOf(recordings)
}

export function corpusOf(recordings: readonly Recording[]): Corpus {
  const judged = recordings.flatMap(({ truth }, n) => (truth.excluded === undefined ? [n] : []))
  const census = createSourceCensus()
  for (const { truth, about, blind } of recordings) census.add({ truth, about, steps: blind.steps.length })
  const isFittable = (n: number): boolean => {
    const recording = recordings[n]
    if (!recording || recording.truth.excluded !== undefined) return false
    return recording.truth.hasSteps || census.isSilent(recording.about.source)
  }
  const isOneSuite = createSuites(recordings.map(({ about }) => about))
  const taskOf: Corpus['taskOf'] = ({ source, suite, task }) =>
    isOneSuite(source) ? `${source}\n${suite}` : `${source}\n${suite}\n${task}`
  return { recordings, judged, isFittable, isSilent: census.isSilent, isOneSuite, taskOf }
}

/** Items by key, in the order in which the keys first come. (Node 20 has no Map.groupBy.) */
export function groupedBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
