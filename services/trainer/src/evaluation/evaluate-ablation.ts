import type { Documents } from '@plimsoll/contracts'
import { type ObserverPart, OBSERVER_PARTS, createLabeller } from '@plimsoll/labels'
import { chainMethod } from '../baselines/chain.js'
import type { SessionTable } from '../features/session-table.js'
import { type Detector, foldDetector, createDetector } from '../flow/detector.js'
import type { FlowOptions } from '../flow/fit-flow.js'
import { tabulateCorpus } from '../flow/flow-from-files.js'
import { flowMethod } from '../flow/flow-method.js'
import type { TextModels } from '../scoring/play.js'
import { type EvaluateOptions, type MethodResult, evaluate } from './evaluate.js'
import type { Method } from './method-fold.js'
import type { Corpus } from './source-census.js'

/** What is known of each step, in one row of a table that shows what each part adds. */
export interface AblationRow {
  readonly name: string
  /** What is not used. */
  readonly without: readonly ObserverPart[]
}

/** In the order in which the rows take them in: from what is said of a tool to what is read in a text. */
const ADDED = [
  'arguments',
  'content',
  'provenance',
  'instructions',
] as const satisfies readonly ObserverPart[]

/** Tool names alone, then with one part more in each row; the last has all. */
export const ABLATION: readonly AblationRow[] = [
  { name: 'tool names only', without: OBSERVER_PARTS },
  ...ADDED.map((part, n) => ({ name: `+ ${part}`, without: ADDED.slice(n + 1) })),
]

export interface TablesOptions {
  readonly documents: Documents
  readonly detector: Detector
  /** What clients are taken not to see. */
  readonly without?: readonly ObserverPart[]
  readonly onProgress?: (share: number, note: string) => void
}

/** Features of all sessions: made once, or again in each fold where the detector is fitted in it. */
export function tablesFor(
  { documents, detector, without = [], onProgress }: TablesOptions,
  corpus: Corpus,
): (training: readonly number[]) => SessionTable {
  const tabulate = (models: TextModels): SessionTable =>
    tabulateCorpus(corpus, documents, { ...models, without }, (share) =>
      onProgress?.(0, `features of ${Math.floor(100 * share)}% of the sessions`),
    )
  const isRead = !without.includes('instructions')
  if (isRead && detector === 'fold')
    return (training) => tabulate({ instructions: foldDetector(corpus, training) })
  const table = tabulate(isRead && detector === 'made-up' ? { instructions: createDetector() } : {})
  return () => table
}

export interface AblationResult {
  readonly methods: readonly MethodResult[]
  /** Milliseconds that features took, all rows together. */
  readonly extractMs: number
}

export interface AblationOptions
  extends Omit<EvaluateOptions, 'methods'>, Pick<TablesOptions, 'documents' | 'detector'> {
  /** How scorers are grown; as those that ship are where it is left out. */
  readonly growing?: FlowOptions
}

/**
 * The published method, then the method `flow` told ever more: a row each, over the same folds. Each row's features are made, used and
 * let go: five tables at once are too many.
 */
export function evaluateAblation(options: AblationOptions): AblationResult {
  const { corpus, documents, detector, growing } = options
  const makers: readonly RowMaker[] = [
    () => ({
      ...chainMethod(corpus, createLabeller(documents.catalogue), 'paper60'),
      name: 'paper60: tool names',
    }),
    ...ABLATION.map(({ name, without }): RowMaker => {
      return (onProgress) => {
        const tables = tablesFor({ documents, detector, without, onProgress }, corpus)
        return { ...flowMethod(corpus, tables, growing), name }
      }
    }),
  ]
  const rows = makers.map((make, n) => evaluateRow(options, make, (share) => (n + share) / makers.length))
  return {
    methods: rows.flatMap(({ methods }) => methods),
    extractMs: rows.reduce((sum, row) => sum + row.extractMs, 0),
  }
}

type Progress = (share: number, note: string) => void
type RowMaker = (onProgress: Progress) => Method

function evaluateRow(
  options: AblationOptions,
  make: RowMaker,
  shareOf: (own: number) => number,
): AblationResult {
  const onProgress: Progress = (share, note) => options.onProgress?.(shareOf(share), note)
  const began = performance.now()
  const method = make(onProgress)
  const extractMs = performance.now() - began
  return { methods: evaluate({ ...options, methods: [method], onProgress }), extractMs }
}
