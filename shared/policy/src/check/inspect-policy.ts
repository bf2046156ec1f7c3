import { policySchema, type Policy } from '@plimsoll/contracts'
import { problemsOfIssues } from '../source/issues.js'
import type { Problem } from '../source/problem.js'
import { checkPolicy } from './check-policy.js'

/** A policy, or what keeps a document from being one: everything that is wrong in its form, else everything that it cannot mean. */
export function inspectPolicy(
  content: unknown,
):
  | { readonly policy: Policy; readonly problems?: undefined }
  | { readonly policy?: undefined; readonly problems: readonly Problem[] } {
  const result = policySchema.safeParse(content)
  if (!result.success) return { problems: problemsOfIssues(result.error.issues, 'policy', content) }
  const problems = checkPolicy(result.data)
  return problems.length > 0 ? { problems } : { policy: result.data }
}
