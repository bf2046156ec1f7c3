import { Worker } from 'node:worker_threads'
import type { FoldKind } from './folds.js'
import type { FoldResult, Study, StudyOptions } from './study.js'

/** What a thread needs to know to run folds: it reads the recordings itself. */
export interface FoldPlan extends Omit<StudyOptions, 'corpus' | 'folds' | 'levelAt'> {
  readonly files: readonly string[]
  readonly sample: number
  readonly folds: FoldKind
}

/** A message from a thread. */
export type FoldMessage =
  | { readonly kind: 'note'; readonly note: string }
  | { readonly kind: 'result'; readonly f: number; readonly result: FoldResult }

type Progress = ((share: number, note: string) => void) | undefined

/** Runs all folds in this thread, one after the other. */
export const runHere = (study: Study, folds: number, onProgress: Progress): FoldResult[] =>
  Array.from({ length: folds }, (_, f) => study(f, (note) => onProgress?.(f / folds, note)))

/**
 * Runs all folds in threads; each thread takes the next fold when it is done. The results are in the order of the folds,
 * and equal those of `runHere` except for times.
 *
 * @throws what a thread fails with
 */
export async function runInWorkers(
  plan: FoldPlan,
  folds: number,
  workers: number,
  onProgress: Progress,
): Promise<FoldResult[]> {
  const results = new Map<number, FoldResult>()
  let next = 0
  const threads = Array.from(
    { length: Math.min(workers, folds) },
    () => new Worker(ENTRY, { workerData: plan }),
  )
  const run = (thread: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      // The rule means windows of browsers: a thread has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      const hand = () => (next < folds ? thread.postMessage(next++) : resolve())
      thread.on('message', (news: FoldMessage) => {
        if (news.kind === 'result') results.set(news.f, news.result)
        onProgress?.(
          results.size / folds,
          news.kind === 'note' ? news.note : `fold ${news.f + 1} of ${folds}`,
        )
        if (news.kind === 'result') hand()
      })
      thread.once('error', reject)
      thread.once('exit', (code) => reject(new Error(`a thread ended with code ${code}`)))
      hand()
    })
  try {
    await Promise.all(threads.map(run))
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
  return Array.from({ length: folds }, (_, f) => {
    const result = results.get(f)
    if (!result) throw new RangeError(`fold ${f} was never run`)
    return result
  })
}

const ENTRY = new URL('./fold-worker.js', import.meta.url)
