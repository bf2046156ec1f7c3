import path from 'node:path'
import type { Bundle, Catalogue, StateSpace } from '@plimsoll/contracts'
import type { ShippedBundle } from '@plimsoll/policy'
import { fitFromFiles } from './fit-from-files.js'

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
