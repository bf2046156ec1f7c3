import { type Bundle, type Catalogue, type StateSpace, versionOf } from '@plimsoll/contracts'
import type { ShippedBundle } from '@plimsoll/policy'
import path from 'node:path'
import { labelUnlistedIn } from '../corpus/unlisted.js'
import { fitFromFiles } from './from-files.js'

/** The recordings that the bundles that ship are fitted to, in the order in which they are read. */
const RECORDINGS = [
  'agentdojo',
  'agentdyn',
  'intercode',
  'livemcp',
  'miniswe',
  'odcv_bench',
  'openagentsafety',
  'tau_bench',
  'toolemu',
] as const

const SPACES: Readonly<Record<ShippedBundle, StateSpace>> = { default: 'flow', paper60: 'paper60' }

/** The files, in the folder of the recordings, that the bundles that ship are fitted to. */
export const shippedRecordings = (folder: string): readonly string[] =>
  RECORDINGS.map((name) => path.join(folder, `${name}.jsonl.gz`))

/**
 * Fits a bundle that ships, on labels as a user has them: of tools that `catalogue` does not list, those that `plimsoll label` proposes.
 * The test split and fold 4 are kept out, so that `plimsoll eval --model default --split test` judges it by what it has not seen. The same
 * files give the same bundle.
 *
 * @throws PlimsollError `traces_invalid`, naming file and line
 */
export async function fitShippedBundle(
  name: ShippedBundle,
  files: readonly string[],
  catalogue: Catalogue,
): Promise<Bundle> {
  const labelled = await labelUnlistedIn(catalogue, files)
  const { bundle } = await fitFromFiles({
    files,
    catalogue: labelled.catalogue,
    catalogueVersion: versionOf(catalogue),
    target: 'observed',
    space: SPACES[name],
    name,
    isOfShippedText: true,
  })
  return bundle
}
