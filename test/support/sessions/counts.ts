import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { foldAlone } from './fold-alone.js'
import type { Deployment } from './deployment.js'
import { waitUntil } from '../wait-until.js'

/** Resolves when the store has counted each transition of the log's events once, as the engine alone does; rejects on a timeout. */
export async function untilCountedOnce(deployment: Deployment): Promise<void> {
  const { counts } = foldAlone(deployment)
  assert.ok(counts.size > 0)
  for (const [name, fields] of counts)
    await waitUntil(`the counts of ${name}`, async () =>
      isDeepStrictEqual(sorted(await deployment.store.counted(name)), sorted(fields)),
    )
}

const sorted = (fields: ReadonlyMap<string, number>) => [...fields].sort(([a], [b]) => (a < b ? -1 : 1))
