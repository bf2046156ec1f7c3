import { monitorSettings } from '@plimsoll/monitor'
import { type Documents, compileRules, disclosuresOf, readCatalogue, readDocument } from '@plimsoll/policy'
import { type Environment, parseConfig } from '@plimsoll/runtime'
import { type DecisionDiff, whatIfFiles } from '@plimsoll/trainer'
import type { Output } from '../command.js'
import { parseParts } from '../commands/models/transport.js'
import { createProgress } from '../format/progress.js'

/** What a diff reads of the monitors' environment: what they decide by where nothing else was activated. */
export const ruleSettings = {
  bundles: monitorSettings.bundles,
  policies: monitorSettings.policies,
  catalogues: monitorSettings.catalogues,
}

/** The documents that are compared, each a file; what is left out is that of the settings, or the one that ships. */
export interface DocumentFiles {
  readonly policy: string
  readonly against: string | undefined
  readonly model: string | undefined
  /** They add to those that ship. */
  readonly catalogue: readonly string[]
}

export interface Compared {
  readonly old: Documents
  readonly candidate: Documents
}

/** Throws `document_invalid`. */
export async function documentsOf(files: DocumentFiles, env: Environment): Promise<Compared> {
  const config = parseConfig(ruleSettings, env, { prefixes: [] })
  const [bundle, catalogue, oldPolicy, policy] = await Promise.all([
    readDocument('bundle', files.model ?? config.bundles?.[0]),
    readCatalogue(files.catalogue.length > 0 ? files.catalogue : config.catalogues?.slice(0, 1)),
    readDocument('policy', files.against ?? config.policies?.[0]),
    readDocument('policy', files.policy),
  ])
  const common = { bundle, catalogue }
  return { old: { ...common, policy: oldPolicy }, candidate: { ...common, policy } }
}

export interface FilesOrder {
  readonly files: readonly string[]
  readonly documents: Compared
  readonly without: readonly string[]
  readonly fold: number | undefined
  readonly limit: number | undefined
  readonly examples: number
}

/** The diff over recorded sessions, with a bar on `stderr`. */
export async function diffFiles(
  { files, documents, without, fold, limit, examples }: FilesOrder,
  { stderr, signal }: { readonly stderr: Output; readonly signal: AbortSignal },
): Promise<DecisionDiff> {
  const { old, candidate } = documents
  const progress = createProgress(stderr, 'what if')
  try {
    return await whatIfFiles({
      files,
      old: compileRules(old),
      candidate: compileRules(candidate),
      catalogue: old.catalogue,
      disclose: [old, candidate].flatMap(({ policy }) => disclosuresOf(policy)),
      without: parseParts(without),
      fold,
      limit,
      examplesMax: examples,
      onProgress: ({ bytesRead, bytesTotal, traces, steps }) =>
        progress.update(bytesRead / bytesTotal, `${traces} sessions, ${steps} steps`),
      signal,
    })
  } finally {
    progress.end()
  }
}
