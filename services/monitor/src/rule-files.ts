import { PlimsollError } from '@plimsoll/contracts'
import type { RuleBook } from '@plimsoll/engine'
import { compileRules, createRuleBook, readDocument, type Documents } from '@plimsoll/policy'

export interface RuleFiles {
  readonly bundles?: readonly string[] | undefined
  readonly policies?: readonly string[] | undefined
  readonly catalogues?: readonly string[] | undefined
}

/**
 * The rules that the files make: the first of each kind together are active, every combination is kept for sessions pinned to it.
 * Throws `document_invalid`
 * with every problem of every file.
 */
export async function readRuleBook(files: RuleFiles): Promise<RuleBook> {
  const problems: string[] = []
  const [bundles, policies, catalogues] = await Promise.all([
    readAll('bundle', files.bundles, problems),
    readAll('policy', files.policies, problems),
    readAll('catalogue', files.catalogues, problems),
  ])
  if (problems.length > 0)
    throw new PlimsollError('document_invalid', problems.join('\n  '), { details: { problems } })
  const combinations = bundles.flatMap((bundle) =>
    policies.flatMap((policy) => catalogues.map((catalogue): Documents => ({ bundle, policy, catalogue }))),
  )
  const [active, ...others] = combinations.map(compileRules)
  if (!active) throw new RangeError('each kind of document has at least its default')
  return createRuleBook(active, others)
}

/** The documents that can be read; what is wrong with the others goes to `problems`. */
async function readAll<K extends keyof Documents>(
  kind: K,
  names: readonly string[] | undefined,
  problems: string[],
): Promise<Documents[K][]> {
  const reads = names ? names.map((name) => readDocument(kind, name)) : [readDocument(kind)]
  const settled = await Promise.allSettled(reads)
  return settled.flatMap((result) => {
    if (result.status === 'fulfilled') return [result.value]
    if (!(result.reason instanceof PlimsollError)) throw result.reason
    problems.push(result.reason.message)
    return []
  })
}
