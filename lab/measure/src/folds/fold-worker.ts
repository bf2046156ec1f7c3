import { parentPort, workerData } from 'node:worker_threads'
import { readCorpus } from '@plimsoll/fit'
import { foldsIn } from './folds.js'
import type { FoldMessage, FoldPlan } from './run-folds.js'
import { createStudy } from './study.js'

/** A thread of `runInWorkers`: runs the folds whose numbers it is sent. */
const plan = workerData as FoldPlan
const corpus = await readCorpus(plan.files, undefined, plan.sample)
const study = createStudy({ ...plan, corpus, folds: foldsIn(plan.folds, corpus, plan.documents.catalogue) })
// The rule means windows of browsers: a thread's port has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const report = (news: FoldMessage): void => parentPort?.postMessage(news)

parentPort?.on('message', (f: number) => {
  const result = study(f, (note) => report({ kind: 'note', note }))
  report({ kind: 'result', f, result })
})
