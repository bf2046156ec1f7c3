import { PlimsollError } from '@plimsoll/contracts'
import { type Documents, readCatalogue, readDocument } from '@plimsoll/policy'

export interface RuleFiles {
  readonly bundles?: readonly string[] | undefined
  readonly policies?: readonly string[] | undefined
  readonly catalogues?: readonly string[] | undefined
}

/** The documents of a monitor besides those of the registry. The first are the defaults of new sessions. */
export type RuleDocuments = readonly [Documents, ...Documents[]]

/**
 * Reads the documents of `files`. The first of each kind together are the defaults of new sessions; every other combination is available to
 * sessions pinned to it. Each catalogue is merged over the shipped ones. Throws `document_invalid` with every problem of every file.
 */
export async function readRuleDocuments(files: RuleFiles): Promise<RuleDocuments> {
  const [bundleReads, policyReads, catalogueReads] = await Promise.all([
    readAll('bundle', files.bundles),
    readAll('policy', files.policies),
    Promise.allSettled(
      (files.catalogues ?? [undefined]).map((file) => readCatalogue(file === undefined ? [] : [file])),
    ),
  ])
  // In the order of the kinds, whatever the order of reading.
  const problems: string[] = []
  const bundles = readable(bundleReads, problems)
  const policies = readable(policyReads, problems)
  const catalogues = readable(catalogueReads, problems)
  if (problems.length > 0)
    throw new PlimsollError('document_invalid', problems.join('\n  '), { details: { problems } })
  const combinations = bundles.flatMap((bundle) =>
    policies.flatMap((policy) => catalogues.map((catalogue): Documents => ({ bundle, policy, catalogue }))),
  )
  const [defaults, ...others] = combinations
  if (!defaults) throw new RangeError('each kind of document has at least its default')
  return [defaults, ...others]
}

function readAll<K extends 'bundle' | 'policy'>(kind: K, names: readonly string[] | undefined) {
  const reads = names ? names.map((name) => readDocument(kind, name)) : [readDocument(kind)]
  return Promise.allSettled(reads)
}

/** The documents that were read. Problems of the others are added to `problems`. */
function readable<T>(settled: readonly PromiseSettledResult<T>[], problems: string[]): T[] {
  return settled.flatMap((result) => {
    if (result.status === 'fulfilled') return [result.value]
    if (!(result.reason instanceof PlimsollError)) throw result.reason
    problems.push(result.reason.message)
    return []
  })
}
