import { writtenPolicySchema } from '@plimsoll/contracts'
import { expandPacks, findPacks, type Expanded } from '../packs/expand.js'
import { packHint, shippedPack } from '../packs/shipped.js'
import { problemsOfIssues } from '../source/issues.js'
import type { Problem } from '../source/problem.js'
import { checkPolicy } from './check-policy.js'

/** A policy with its packs expanded. */
export type Inspected = Expanded & {
  /** Whether its author wrote an analysis; that of packs does not count. */
  readonly hasAnalysis: boolean
  readonly problems?: undefined
}

/**
 * A policy, its packs expanded, or what keeps a document from being one: everything that is wrong in its form, else everything that it
 * cannot mean. Paths of problems are those of the document.
 */
export function inspectPolicy(
  content: unknown,
): Inspected | { readonly policy?: undefined; readonly problems: readonly Problem[] } {
  const { data: written, error } = writtenPolicySchema.safeParse(content)
  if (!written) return { problems: problemsOfIssues(error.issues, 'policy', content) }
  const { found, problems: unknown } = findPacks(written.packs ?? [], shippedPack, packHint)
  if (unknown.length > 0) return { problems: unknown }
  const expanded = expandPacks(written, found)
  const problems = checkPolicy(expanded.policy).map(({ path, message }) => ({
    path: expanded.writtenPath(path),
    message,
  }))
  return problems.length > 0 ? { problems } : { ...expanded, hasAnalysis: written.analysis !== undefined }
}
