import type { ClaimedLabels, Confidentiality } from '@plimsoll/contracts'

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
}

const WRITE: ClaimedLabels = { capability: 'write', reversibility: 'partial' }
const DESTROY: ClaimedLabels = { capability: 'write', reversibility: 'irreversible' }
const EXECUTE: ClaimedLabels = { capability: 'execute', reversibility: 'partial' }
const REACH: ClaimedLabels = { capability: 'network', trust: 'untrusted', reversibility: 'irreversible' }

const listed = new Map<string, SqlWord>()
const put = (names: string, word: SqlWord): void => {
  for (const name of names.split(' ')) listed.set(name, word)
}

put('SELECT SHOW DESCRIBE DESC EXPLAIN VALUES TABLE WITH', {
  labels: {},
  reason: 'SQL that reads',
  counts: 'first',
  reads: true,
})
put('USE BEGIN START COMMIT ROLLBACK SAVEPOINT RELEASE END ABORT PRAGMA HELP', {
  labels: {},
  reason: 'SQL about the session',
  counts: 'first',
  reads: true,
})
put('INSERT', { labels: WRITE, reason: 'SQL that adds rows', counts: 'anywhere' })
put('UPDATE', { labels: WRITE, reason: 'SQL that changes rows', counts: 'anywhere', whole: true })
put('DELETE', { labels: DESTROY, reason: 'SQL that deletes rows', counts: 'anywhere', whole: true })
put('DROP TRUNCATE', { labels: DESTROY, reason: 'SQL that drops what it names', counts: 'anywhere' })
put('ALTER CREATE', { labels: WRITE, reason: 'SQL that changes the schema', counts: 'anywhere' })
put('GRANT REVOKE', { labels: WRITE, reason: 'SQL that changes who may do what', counts: 'anywhere' })
put(
  'REPLACE MERGE UPSERT RENAME COMMENT REINDEX VACUUM OPTIMIZE ANALYZE SET RESET LOCK UNLOCK CLUSTER REFRESH',
  {
    labels: WRITE,
    reason: 'SQL that changes something',
    counts: 'first',
  },
)
put('PURGE FLUSH', { labels: DESTROY, reason: 'SQL that deletes rows', counts: 'first' })
put(
  'EXEC EXECUTE CALL DO DECLARE LOAD COPY ATTACH INSTALL IMPORT EXPORT PREPARE HANDLER KILL SHUTDOWN BACKUP RESTORE LISTEN NOTIFY',
  {
    labels: EXECUTE,
    reason: 'SQL that runs or loads something',
    counts: 'first',
  },
)
put('OUTFILE DUMPFILE', { labels: WRITE, reason: 'SQL that writes a file', counts: 'anywhere' })
put('PROGRAM XP_CMDSHELL SP_OACREATE SYS_EXEC SYS_EVAL LOAD_EXTENSION', {
  labels: { ...REACH, confidentiality: 'internal' },
  reason: 'SQL that runs a program',
  counts: 'anywhere',
})
put(
  'PG_READ_FILE PG_READ_BINARY_FILE PG_LS_DIR LOAD_FILE LO_IMPORT READFILE READ_TEXT READ_CSV READ_CSV_AUTO READ_JSON READ_PARQUET',
  {
    labels: { confidentiality: 'sensitive' },
    reason: "SQL that reads the server's files",
    counts: 'call',
  },
)
put('LO_EXPORT WRITEFILE', { labels: WRITE, reason: 'SQL that writes a file', counts: 'call' })
put(
  'DBLINK DBLINK_EXEC DBLINK_CONNECT HTTP_GET HTTP_POST UTL_HTTP UTL_INADDR OPENROWSET OPENDATASOURCE OPENQUERY POSTGRES_QUERY',
  {
    labels: REACH,
    reason: 'SQL that reaches another host',
    counts: 'anywhere',
  },
)
put('PG_TERMINATE_BACKEND PG_CANCEL_BACKEND SETVAL', {
  labels: WRITE,
  reason: 'SQL that changes something',
  counts: 'call',
})

export const SQL_WORDS: ReadonlyMap<string, SqlWord> = listed

/** Words before which a verb is none: FOR UPDATE, ON DELETE, NO KEY UPDATE. */
export const NO_VERB_AFTER: ReadonlySet<string> = new Set(['FOR', 'ON', 'KEY'])

/** Words behind which a statement begins. */
export const STATEMENT_AFTER: ReadonlySet<string> = new Set(
  'EXPLAIN ANALYZE VERBOSE PLAN AS BEGIN THEN ELSE DO GO EXTENDED IMMEDIATE ATOMIC LOOP'.split(' '),
)

const CREDENTIAL_WORDS =
  'PASSWORD PASSWORDS PASSWD PASSWORD_HASH PASSWORDHASH HASHED_PASSWORD ENCRYPTED_PASSWORD PWD SECRET SECRETS SECRET_KEY CLIENT_SECRET API_KEY API_KEYS APIKEY APIKEYS ACCESS_TOKEN ACCESS_TOKENS REFRESH_TOKEN AUTH_TOKEN AUTH_TOKENS CREDENTIAL CREDENTIALS PRIVATE_KEY PG_SHADOW PG_AUTHID AUTHENTICATION_STRING'
const SENSITIVE_WORDS =
  'SSN SOCIAL_SECURITY_NUMBER CREDIT_CARD CREDIT_CARDS CREDIT_CARD_NUMBER CARD_NUMBER CVV IBAN DATE_OF_BIRTH DOB SALARY SALARIES PAYROLL MEDICAL_RECORD MEDICAL_RECORDS DIAGNOSIS PATIENT PATIENTS PASSPORT_NUMBER'

/** Names of tables and columns that say what is in them. */
export const SQL_NAMES: ReadonlyMap<string, Confidentiality> = new Map([
  ...CREDENTIAL_WORDS.split(' ').map((name) => [name, 'credentials'] as const),
  ...SENSITIVE_WORDS.split(' ').map((name) => [name, 'sensitive'] as const),
])
