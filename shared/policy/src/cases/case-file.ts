import { type ChainTables, PlimsollError } from '@plimsoll/contracts'
import { parseText } from '../document/documents.js'
import { nearest } from '../document/issues.js'

type Members = Readonly<Record<string, unknown>>

/**
 * A case as it stands in its file: a session or several in a few words, and what must be answered. `policy` and `catalogue` are a file
 * beside it, or the members that differ from the given ones; `policies` are others, by names that a `versions.activated` among the events can
 * use for their versions; `chain` has those of a chain over the five risk levels that differ from one without any risk. Of an event or a
 * control change only what matters is written; the rest is filled in.
 */
export interface CaseFile {
  readonly name: string
  readonly policy?: string | Members
  readonly catalogue?: string | Members
  readonly policies?: Readonly<Record<string, Members>>
  readonly chain?: Partial<ChainTables>
  readonly events: readonly Members[]
  /** One for each event that gets an answer: a decision, or a fault. Only what is written is compared. */
  readonly expect: readonly Members[]
}

const MEMBERS = ['name', 'policy', 'catalogue', 'policies', 'chain', 'events', 'expect']

/** The cases of a file, YAML or JSON: one, or a list of them. Throws `document_invalid`. */
export function parseCaseFiles(text: string, name: string): readonly CaseFile[] {
  const content = parseText(text, name)
  const list = Array.isArray(content) ? content : [content]
  return list.map((each, i) =>
    checked(each, Array.isArray(content) ? `case ${i} of \`${name}\`` : `case \`${name}\``),
  )
}

function checked(value: unknown, what: string): CaseFile {
  if (!isMembers(value)) throw invalid(what, 'expected name, events and expect')
  for (const key of Object.keys(value))
    if (!MEMBERS.includes(key)) {
      const meant = nearest(key, MEMBERS)
      throw invalid(
        what,
        `${key}: there is no such member${meant === undefined ? '' : `: did you mean \`${meant}\`?`}`,
      )
    }
  const { name, events, expect, policy, catalogue, policies, chain } = value
  const isDocument = (given: unknown): boolean =>
    given === undefined || typeof given === 'string' || isMembers(given)
  if (typeof name !== 'string' || !Array.isArray(events) || !Array.isArray(expect))
    throw invalid(what, 'expected name, events and expect')
  if (![...events, ...expect].every(isMembers))
    throw invalid(what, 'expected members with names in each event and answer')
  if (!isDocument(policy) || !isDocument(catalogue))
    throw invalid(what, 'policy, catalogue: expected a file, or the members that differ')
  for (const given of [policies, chain, ...Object.values(policies ?? {})])
    if (given !== undefined && !isMembers(given))
      throw invalid(what, 'policies, chain: expected members with names')
  return value as unknown as CaseFile
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (what: string, problem: string): PlimsollError =>
  new PlimsollError('document_invalid', `${what}: ${problem}`)
