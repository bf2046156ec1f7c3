const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON in a text or in UTF-8 bytes; undefined if there is none, as JSON itself has no undefined. Never throws. */
export function parseJson(value: string | Uint8Array | null | undefined): unknown {
  try {
    return JSON.parse(typeof value === 'string' ? value : decoder.decode(value ?? undefined))
  } catch {
    return undefined
  }
}

/** What a failed check by a zod schema reports; structural, so that a caller needs no zod. */
interface SchemaError {
  readonly issues: readonly SchemaIssue[]
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code?: string | undefined
  /** What is wrong with the key of a record, where that is the issue. */
  readonly issues?: readonly { readonly message: string }[]
}

/** zod says of a key only that it is invalid; what it should be is inside. */
const reasonOf = ({ code, message, issues = [] }: SchemaIssue): string =>
  code !== 'invalid_key' ? message : `the name: ${issues.map((inner) => inner.message).join(', ')}`

/**
 * The issues of a failed check on one line: `path: message; path: message`.
 *
 * @param root stands for the empty path, that is for the value as a whole
 * @param max how many issues are shown; the rest is counted
 */
export function formatIssues({ issues }: SchemaError, root = 'all', max = Infinity): string {
  const shown = issues.slice(0, max).map((issue) => `${issue.path.join('.') || root}: ${reasonOf(issue)}`)
  if (issues.length > max) shown.push(`and ${issues.length - max} more`)
  return shown.join('; ')
}
