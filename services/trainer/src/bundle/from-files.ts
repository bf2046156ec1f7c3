import { rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  type Bundle,
  type Catalogue,
  type StateSpace,
  PlimsollError,
  canonicalJson,
  versionOf,
} from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { type ShippedBundle, defaultDocuments } from '@plimsoll/policy'
import { type FitOptions, fit } from '../fit/chain/fit.js'
import type { FlowPhase } from './flow-bundle.js'
import { fitFlowFromFiles } from './flow-from-files.js'
import { type ReadProgress, readTraces, stoppable } from '../corpus/read-traces.js'

/**
 * Writes a file so that it is there whole or as it was before, whenever the process ends: beside it first, and then in its place. What is
 * no file, as /dev/stdout, is written to as it is.
 *
 * @throws PlimsollError `usage_invalid` where it cannot be written
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`
  try {
    if (!(await isReplaceable(file))) return await writeFile(file, text)
    await writeFile(partial, text)
    await rename(partial, file)
  } catch (cause) {
    await rm(partial, { force: true })
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
  }
}

async function isReplaceable(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found === undefined || found.isFile()
}

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
  // Trees are grown in one go: anyone who wanted to stop meanwhile has not been heard yet.
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

/** The recordings that the bundles that ship are fitted to, in the order in which they are read. */
const RECORDINGS = ['agentdojo', 'intercode', 'openagentsafety', 'tau_bench'] as const

const SPACES: Readonly<Record<ShippedBundle, StateSpace>> = { default: 'flow', paper60: 'paper60' }

/** The files, in the folder of the recordings, that the bundles that ship are fitted to. */
export const shippedRecordings = (folder: string): readonly string[] =>
  RECORDINGS.map((name) => path.join(folder, `${name}.jsonl.gz`))

/**
 * Fits a bundle that ships. The test split and fold 4 are kept out, so that `plimsoll eval --model default --split test` judges it by what
 * it has not seen. The same files give the same bundle.
 *
 * @throws PlimsollError `traces_invalid`, naming file and line
 */
export async function fitShippedBundle(
  name: ShippedBundle,
  files: readonly string[],
  catalogue: Catalogue,
): Promise<Bundle> {
  const settings = { files, catalogue, target: 'observed', space: SPACES[name], name } as const
  const { bundle } = await fitFromFiles(settings)
  return bundle
}
