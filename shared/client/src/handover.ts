import {
  handoverSchema,
  PlimsollError,
  type Handover,
  type Inherits,
  type Signals,
  type Taint,
} from '@plimsoll/contracts'
import { raiseTaint } from './claims.js'
import type { Session } from './session.js'

/** A session, or what its `handover` gave. */
export type Relative = Pick<Session, 'handover'> | Handover

/** Throws `schema_invalid` for what no session has handed over. */
export function handoverOf(relative: Relative): Handover {
  if ('handover' in relative) return relative.handover()
  const { data, error } = handoverSchema.safeParse(relative)
  if (data) return data
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'all'}: ${message}`)
  throw new PlimsollError('schema_invalid', `\`handover\`: ${problems.join('; ')}`)
}

/** What `handover` says to a client whose key of the root session is `key`: fingerprints under another would match nothing. */
export function readable({ inherits, key: itsKey }: Handover, key: string | undefined): Inherits {
  if (itsKey === key) return inherits
  const { confidentiality, unseen, fingerprints = {} } = inherits
  const { untrusted, instructed, sensitive } = fingerprints
  const read: Taint = hasAny(instructed) ? 'instructions' : hasAny(untrusted) ? 'data' : 'none'
  return {
    taint: raiseTaint(inherits.taint, read),
    confidentiality,
    unseen: unseen === true || hasAny(sensitive),
    held: inherits.held === true,
    codeWritten: inherits.codeWritten === true,
  }
}

const hasAny = (list: readonly string[] | undefined): boolean => list !== undefined && list.length > 0

/** `inherits` without the fingerprints that the user's task has: his naming them counts for everybody who works for him. */
export function withoutNamed(inherits: Inherits, task: readonly string[]): Inherits {
  const { fingerprints } = inherits
  if (!fingerprints || task.length === 0) return inherits
  const named = new Set(task.map(bitsOf))
  const unnamed = (list: readonly string[] | undefined) => list?.filter((each) => !named.has(bitsOf(each)))
  const { untrusted, instructed, sensitive } = fingerprints
  const isAllNamed = hasAny(sensitive) && !hasAny(unnamed(sensitive))
  return {
    ...inherits,
    // Of a list that is left empty nobody could tell that all of it is known.
    fingerprints: {
      untrusted: unnamed(untrusted),
      instructed: unnamed(instructed),
      sensitive: isAllNamed ? sensitive : unnamed(sensitive),
    },
  }
}

/** Equal values have equal bits whatever the letter of their kind. */
export const bitsOf = (fingerprint: string): string => fingerprint.slice(1)

/** Of each signal the most. */
export function mostOf(a: Signals | undefined, b: Signals | undefined): Signals | undefined {
  if (!a || !b) return a ?? b
  const most: Record<string, number> = { ...a }
  for (const [name, value] of Object.entries(b)) most[name] = Math.max(most[name] ?? 0, value)
  return most
}
