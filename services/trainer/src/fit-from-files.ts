import { writeFile } from 'node:fs/promises'
import { canonicalJson, PlimsollError, versionOf, type Bundle, type Catalogue } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { defaultDocuments } from '@plimsoll/policy'
import { fit, type FitOptions } from './fit/fit.js'
import { fitFlowFromFiles } from './flow/flow-from-files.js'
import { readTraces, type ReadProgress } from './traces/read-traces.js'

export interface FitFromFilesOptions extends Omit<FitOptions, 'traces' | 'labelOf' | 'catalogueVersion'> {
  /** Recorded sessions, `.jsonl` or `.jsonl.gz`, in the order in which they are read. */
  readonly files: readonly string[]
  readonly catalogue: Catalogue
  /** Where to write the bundle; nowhere if left out. */
  readonly out?: string
  readonly onProgress?: (progress: ReadProgress) => void
  /** In the space `flow`: what share of the sessions has been played for their features. */
  readonly onFeatures?: (share: number) => void
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
  const { out } = options
  const bundle = await (options.space === 'flow' ? fitFlow(options) : fitChain(options))
  if (out !== undefined) await writeBundle(out, bundle)
  return { bundle, version: versionOf(bundle) }
}

function fitChain(options: FitFromFilesOptions): Promise<Bundle> {
  const { files, catalogue, out: _out, onProgress, ...settings } = options
  return fit({
    ...settings,
    traces: readTraces(files, onProgress),
    labelOf: createLabeller(catalogue),
    catalogueVersion: versionOf(catalogue),
  })
}

async function fitFlow(options: FitFromFilesOptions): Promise<Bundle> {
  const { files, catalogue, name, target, onProgress, onFeatures } = options
  if (target !== 'observed')
    throw new PlimsollError('usage_invalid', 'the space `flow` is fitted to the recorded truth: `observed`')
  return fitFlowFromFiles({
    files,
    documents: { ...(await defaultDocuments()), catalogue },
    ...(name !== undefined && { name }),
    ...(onProgress && { onRead: onProgress }),
    ...(onFeatures && { onFeatures }),
  })
}

/** A bundle as its file holds it: canonical JSON on one line. */
export const bundleText = (bundle: Bundle): string => `${canonicalJson(bundle)}\n`

async function writeBundle(out: string, bundle: Bundle): Promise<void> {
  await writeFile(out, bundleText(bundle)).catch((cause: unknown) => {
    throw new PlimsollError('usage_invalid', `\`${out}\` cannot be written`, { cause })
  })
}
