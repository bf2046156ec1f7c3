import type { About, RecordedTruth, Excluded } from '../traces/recording.js'
import type { Corpus } from './corpus.js'

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

/** Keeps the books of the sources, session by session. */
export interface SourceCensus {
  add(session: Counted): void
  lines(): SourceLine[]
  /**
   * Whether a source tells violated sessions and never the step: it is left out of every fit, safe sessions too, for these alone would
   * lower the base rate. Known once all of it was added.
   */
  isSilent(source: string): boolean
}

export function censusOf({ recordings }: Pick<Corpus, 'recordings'>): SourceLine[] {
  const census = createSourceCensus()
  for (const { truth, about, blind } of recordings) census.add({ truth, about, steps: blind.steps.length })
  return census.lines()
}

export function createSourceCensus(): SourceCensus {
  const sources = new Map<string, Books>()
  const booksOf = (source: string): Books => {
    const found = sources.get(source) ?? emptyBooks()
    sources.set(source, found)
    return found
  }
  return {
    add: (session) => enter(booksOf(session.about.source), session),
    lines: () => Array.from(sources, ([source, books]) => lineOf(source, books)),
    isSilent: (source) => isSilentIn(booksOf(source)),
  }
}

interface Books extends Omit<Mutable<SourceLine>, 'source' | 'fittable' | 'excluded'> {
  readonly excluded: Partial<Record<Excluded, number>>
  /** Judged sessions of which it is known at which step, or that there was none; the violated ones of them. */
  told: number
  unsafeTold: number
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const emptyBooks = (): Books => ({
  sessions: 0,
  steps: 0,
  unsafe: 0,
  safe: 0,
  assumed: 0,
  excluded: {},
  told: 0,
  unsafeTold: 0,
})

function enter(books: Books, { truth, steps }: Counted): void {
  const { excluded, unsafe, hasSteps, assumed } = truth
  books.sessions++
  books.steps += steps
  if (excluded !== undefined) {
    books.excluded[excluded] = (books.excluded[excluded] ?? 0) + 1
    return
  }
  books[unsafe ? 'unsafe' : 'safe']++
  if (assumed && !unsafe) books.assumed++
  if (hasSteps) books.told++
  if (hasSteps && unsafe) books.unsafeTold++
}

const isSilentIn = ({ unsafe, unsafeTold }: Books): boolean => unsafe > 0 && unsafeTold === 0

function lineOf(source: string, books: Books): SourceLine {
  const { told, unsafeTold: _unsafeTold, excluded, ...line } = books
  return { source, ...line, fittable: isSilentIn(books) ? 0 : told, excluded }
}
