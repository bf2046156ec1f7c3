import type { RuleBook } from '@plimsoll/engine'
import { compileRules, createRuleBook, readDocument, type Documents } from '@plimsoll/policy'

export interface RuleFiles {
  readonly bundles?: readonly string[] | undefined
  readonly policies?: readonly string[] | undefined
  readonly catalogues?: readonly string[] | undefined
}

/**
 * The rules that the files make: the first of each kind together are active, every combination is kept for sessions pinned to it.
 * Throws `document_invalid`.
 */
export async function readRuleBook(files: RuleFiles): Promise<RuleBook> {
  const [bundles, policies, catalogues] = await Promise.all([
    readAll('bundle', files.bundles),
    readAll('policy', files.policies),
    readAll('catalogue', files.catalogues),
  ])
  const combinations = bundles.flatMap((bundle) =>
    policies.flatMap((policy) => catalogues.map((catalogue): Documents => ({ bundle, policy, catalogue }))),
  )
  const [active, ...others] = combinations.map(compileRules)
  if (!active) throw new RangeError('each kind of document has at least its default')
  return createRuleBook(active, others)
}

function readAll<K extends keyof Documents>(
  kind: K,
  names: readonly string[] | undefined,
): Promise<Documents[K][]> {
  return Promise.all(names ? names.map((name) => readDocument(kind, name)) : [readDocument(kind)])
}
