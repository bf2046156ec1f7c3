import { writeFile } from 'node:fs/promises'
import { canonicalJson, PlimsollError, versionOf, type Bundle, type Catalogue } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { fit, type FitOptions } from './fit/fit.js'
import { readTraces, type ReadProgress } from './traces/read-traces.js'

export interface FitFromFilesOptions extends Omit<FitOptions, 'traces' | 'labelOf' | 'catalogueVersion'> {
  /** Recorded sessions, `.jsonl` or `.jsonl.gz`, in the order in which they are read. */
  readonly files: readonly string[]
  readonly catalogue: Catalogue
  /** Where to write the bundle; nowhere if left out. */
  readonly out?: string
  readonly onProgress?: (progress: ReadProgress) => void
}

/**
 * Fits a bundle to files of recorded sessions, and writes it.
 *
 * @returns the bundle and its version, the hash it is pinned by
 * @throws PlimsollError `traces_invalid`, naming file and line; `usage_invalid` where `out` cannot be written
 * @example await fitFromFiles({ files: ['sessions.jsonl.gz'], catalogue, target: 'observed', space: 'paper60' })
 */
export async function fitFromFiles(
  options: FitFromFilesOptions,
): Promise<{ bundle: Bundle; version: string }> {
  const { files, catalogue, out, onProgress, ...settings } = options
  const bundle = await fit({
    ...settings,
    traces: readTraces(files, onProgress),
    labelOf: createLabeller(catalogue),
    catalogueVersion: versionOf(catalogue),
  })
  if (out !== undefined) await writeBundle(out, bundle)
  return { bundle, version: versionOf(bundle) }
}

/** A bundle as its file holds it: canonical JSON on one line. */
export const bundleText = (bundle: Bundle): string => `${canonicalJson(bundle)}\n`

async function writeBundle(out: string, bundle: Bundle): Promise<void> {
  await writeFile(out, bundleText(bundle)).catch((cause: unknown) => {
    throw new PlimsollError('usage_invalid', `\`${out}\` cannot be written`, { cause })
  })
}
