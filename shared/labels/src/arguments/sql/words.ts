import type { Act, ClaimedLabels, Confidentiality } from '@plimsoll/contracts'
import { actionOfVerb } from '../../tools/heuristics/actions.js'
import { wordsOf } from '../../tools/words-of.js'
import { type Words, byWord, readSet, readTable } from '../../text/data.js'

/** What a SQL word makes of its statement, and where it counts. */
export interface SqlWord {
  readonly labels: ClaimedLabels
  readonly reason: string
  /** `anywhere`: a reserved verb, counts everywhere unquoted; `first`: only at the start of a statement; `call`: as a function. */
  readonly counts: 'anywhere' | 'first' | 'call'
  /** Only reads, or begins and ends transactions. */
  readonly reads?: true
  /** Affects all rows if no WHERE follows. */
  readonly whole?: true
  /** Its irreversible act. */
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

/** Functions that reach another host when called; plain words otherwise. */
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
/** Objects of `CREATE USER`, `ALTER ROLE`: accounts and their passwords. */
export const WHO_MAY: ReadonlySet<string> = new Set(['USER', 'ROLE', 'LOGIN', 'GROUP'])
export const GRANT_WORD = onCall('DESTROY', 'SQL that says who may come in', 'grant')
export const NEW_PASSWORD = onCall('DESTROY', 'SQL that changes a password', 'credential')
export const WRITES_OVER = onCall('DESTROY', 'SQL that writes over what is there', 'overwrite')
export const RUNS_LATER = onCall('EXECUTE', 'SQL that creates what runs or reaches out')

/** Functions that only compute a value, and types and clauses that look like calls. */
const PLAIN_CALLS = readSet('sql', 'plainCalls')

const isDeletionWord = (word: string): boolean => word === 'unlink' || actionOfVerb(word) === 'destroy'

/** The effect of calling `name`, in upper case without schema; undefined if it only computes a value. */
export function callOf(name: string, isQualified: boolean): SqlWord | undefined {
  const known = SQL_WORDS.get(name)
  if (known && known.counts !== 'first' && known.labels.capability !== undefined && !PLAIN_CALLS.has(name))
    return known
  if (REACHING.has(name) || /^(?:DBLINK|HTTP_|XP_|UTL_)/.test(name)) return REACHING_CALL
  // `pg_catalog.count` only counts, but a function of that name in another schema may do anything.
  if (PLAIN_CALLS.has(name) && !isQualified) return undefined
  return wordsOf(name).some(isDeletionWord) ? TAKING_CALL : UNKNOWN_CALL
}

/** Objects of CREATE and ALTER that run later or reach another host. */
export const RUNNING_OBJECTS = readSet('sql', 'runningObjects')

/** Words after which a verb is no verb: FOR UPDATE, ON DELETE, NO KEY UPDATE. */
export const NO_VERB_AFTER: ReadonlySet<string> = new Set(['FOR', 'ON', 'KEY'])

/** Words after which a statement begins. */
export const STATEMENT_AFTER = readSet('sql', 'statementAfter')

/** Confidentiality by words in names of tables and columns. */
export const SQL_NAMES: ReadonlyMap<string, Confidentiality> = byWord(
  (['credentials', 'sensitive'] as const).map((kind) => [readTable<Words>('sql', kind), kind] as const),
)
