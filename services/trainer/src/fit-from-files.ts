import { setImmediate } from 'node:timers/promises'
import { canonicalJson, PlimsollError, versionOf, type Bundle, type Catalogue } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { defaultDocuments } from '@plimsoll/policy'
import { fit, type FitOptions } from './fit/fit.js'
import type { FlowPhase } from './flow/flow-bundle.js'
import { fitFlowFromFiles } from './flow/flow-from-files.js'
import { readTraces, type ReadProgress } from './traces/read-traces.js'
import { stoppable } from './traces/stoppable.js'
import { writeWhole } from './write-whole.js'

export interface FitFromFilesOptions extends Omit<FitOptions, 'traces' | 'labelOf' | 'catalogueVersion'> {
  /** Recorded sessions, `.jsonl` or `.jsonl.gz`, in the order in which they are read. */
  readonly files: readonly string[]
  readonly catalogue: Catalogue
  /** Where to write the bundle; nowhere if left out. */
  readonly out?: string
  readonly onProgress?: (progress: ReadProgress) => void
  /** In the space `flow`: what is done once all sessions are read. */
  readonly onPhase?: (phase: FlowPhase) => void
  /** Gives up, and rejects with its reason: between two sessions, or before the bundle is written. */
  readonly signal?: AbortSignal
}

/**
 * Fits a bundle to files of recorded sessions, and writes it.
 *
 * @returns the bundle and its version, the hash it is pinned by
 * @throws PlimsollError `traces_invalid`, naming file and line; `usage_invalid` where `out` cannot be written, or the target
 *   is not one of the space
 * @example await fitFromFiles({ files: ['sessions.jsonl.gz'], catalogue, target: 'observed', space: 'paper60' })
 */
export async function fitFromFiles(
  options: FitFromFilesOptions,
): Promise<{ bundle: Bundle; version: string }> {
  const { out, signal } = options
  const bundle = await (options.space === 'flow' ? fitFlow(options) : fitChain(options))
  // Trees are grown in one go: whoever wanted to stop meanwhile has not been heard yet.
  await setImmediate()
  signal?.throwIfAborted()
  if (out !== undefined) await writeWhole(out, bundleText(bundle))
  return { bundle, version: versionOf(bundle) }
}

function fitChain(options: FitFromFilesOptions): Promise<Bundle> {
  const { files, catalogue, out: _out, onProgress, signal, ...settings } = options
  return fit({
    ...settings,
    traces: stoppable(readTraces(files, onProgress), signal),
    labelOf: createLabeller(catalogue),
    catalogueVersion: versionOf(catalogue),
  })
}

async function fitFlow(options: FitFromFilesOptions): Promise<Bundle> {
  const { files, catalogue, name, target, budget, onProgress, onPhase, signal } = options
  if (target !== 'observed')
    throw new PlimsollError('usage_invalid', 'the space `flow` is fitted to the recorded truth: `observed`')
  return fitFlowFromFiles({
    files,
    documents: { ...(await defaultDocuments()), catalogue },
    ...(name !== undefined && { name }),
    ...(budget !== undefined && { budget }),
    ...(onProgress && { onRead: onProgress }),
    ...(onPhase && { onPhase }),
    ...(signal && { signal }),
  })
}

/** A bundle as its file holds it: canonical JSON on one line. */
export const bundleText = (bundle: Bundle): string => `${canonicalJson(bundle)}\n`
