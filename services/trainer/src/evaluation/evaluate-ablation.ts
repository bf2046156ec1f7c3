import { createLabeller } from '@plimsoll/labels'
import { chainMethod } from '../baselines/chain.js'
import type { FlowOptions } from '../flow/fit-flow.js'
import { flowMethod } from '../flow/flow-method.js'
import { ABLATION } from './ablation.js'
import { evaluate, type EvaluateOptions, type MethodResult } from './evaluate.js'
import type { Method } from './method.js'
import { tablesFor, type TablesOptions } from './tables.js'

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
