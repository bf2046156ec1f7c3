import type { Act, ClaimedLabels, Confidentiality } from '@plimsoll/contracts'
import { actionOfVerb } from '../../tools/heuristics/actions.js'
import { wordsOf } from '../../tools/words-of.js'
import { type Words, byWord, readSet, readTable } from '../../text/data.js'

/** What a word of SQL makes of the statement it stands in, and where it counts. */
export interface SqlWord {
  readonly labels: ClaimedLabels
  readonly reason: string
  /** `anywhere`: reserved, so it is a verb wherever it stands bare; `first`: only where a statement begins; `call`: as a function. */
  readonly counts: 'anywhere' | 'first' | 'call'
  /** Only reads, or opens and closes transactions. */
  readonly reads?: true
  /** Rows are gone where no WHERE follows. */
  readonly whole?: true
  /** What it does for good. */
  readonly act?: Act
}

const LABELS = {
  WRITE: { capability: 'write', reversibility: 'partial' },
  DESTROY: { capability: 'write', reversibility: 'irreversible' },
  EXECUTE: { capability: 'execute', reversibility: 'partial' },
  REACH: { capability: 'network', trust: 'untrusted', reversibility: 'irreversible' },
} as const satisfies Record<string, ClaimedLabels>

type Row = Omit<SqlWord, 'labels'> & { names: Words; labels: ClaimedLabels | keyof typeof LABELS }

export const SQL_WORDS: ReadonlyMap<string, SqlWord> = byWord(
  readTable<readonly Row[]>('sql', 'words').map(({ names, labels, ...row }) => [
    names,
    { ...row, labels: typeof labels === 'string' ? LABELS[labels] : labels },
  ]),
)

/** Functions that reach another host where they are called; plain words otherwise. */
const REACHING = readSet('sql', 'reaching')
const onCall = (labels: keyof typeof LABELS, reason: string, act?: Act): SqlWord => ({
  labels: LABELS[labels],
  reason,
  counts: 'call',
  ...(act && { act }),
})
export const REACHING_CALL = onCall('REACH', 'SQL that reaches another host')
export const UNKNOWN_CALL = onCall('EXECUTE', 'SQL that calls what is not known')
const TAKING_CALL = onCall('DESTROY', 'SQL that calls what takes away', 'delete')
/** `CREATE USER`, `ALTER ROLE`: who may come in, and with which password. */
export const WHO_MAY: ReadonlySet<string> = new Set(['USER', 'ROLE', 'LOGIN', 'GROUP'])
export const GRANT_WORD = onCall('DESTROY', 'SQL that says who may come in', 'grant')
export const WRITES_OVER = onCall('DESTROY', 'SQL that writes over what is there', 'overwrite')
export const RUNS_LATER = onCall('EXECUTE', 'SQL that creates what runs or reaches out')

/** Functions that compute a value and do nothing else, and types and clauses that look like them. */
const PLAIN_CALLS = readSet('sql', 'plainCalls')

const takesAway = (word: string): boolean => word === 'unlink' || actionOfVerb(word) === 'destroy'

/** What a call of \`name\`, in upper case and without its schema, does; undefined where it only computes a value. */
export function callOf(name: string, isQualified: boolean): SqlWord | undefined {
  const known = SQL_WORDS.get(name)
  if (known && known.counts !== 'first' && known.labels.capability !== undefined && !PLAIN_CALLS.has(name))
    return known
  if (REACHING.has(name) || /^(?:DBLINK|HTTP_|XP_|UTL_)/.test(name)) return REACHING_CALL
  // `pg_catalog.count` counts; a function of that name in a schema of somebody's own may do anything.
  if (PLAIN_CALLS.has(name) && !isQualified) return undefined
  return wordsOf(name).some(takesAway) ? TAKING_CALL : UNKNOWN_CALL
}

/** What CREATE or ALTER makes that runs later, or reaches another host. */
export const RUNNING_OBJECTS = readSet('sql', 'runningObjects')

/** Words before which a verb is none: FOR UPDATE, ON DELETE, NO KEY UPDATE. */
export const NO_VERB_AFTER: ReadonlySet<string> = new Set(['FOR', 'ON', 'KEY'])

/** Words behind which a statement begins. */
export const STATEMENT_AFTER = readSet('sql', 'statementAfter')

/** Names of tables and columns that say what is in them. */
export const SQL_NAMES: ReadonlyMap<string, Confidentiality> = byWord(
  (['credentials', 'sensitive'] as const).map((kind) => [readTable<Words>('sql', kind), kind] as const),
)
