import type { Act, ClaimedLabels, Confidentiality } from '@plimsoll/contracts'
import { actionOfVerb } from '../../tools/heuristics/actions.js'
import { wordsOf } from '../../tools/words-of.js'

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
put('DELETE', {
  labels: DESTROY,
  reason: 'SQL that deletes rows',
  counts: 'anywhere',
  whole: true,
  act: 'delete',
})
put('DROP TRUNCATE', {
  labels: DESTROY,
  reason: 'SQL that drops what it names',
  counts: 'anywhere',
  act: 'delete',
})
put('ALTER CREATE', { labels: WRITE, reason: 'SQL that changes the schema', counts: 'anywhere' })
put('REVOKE', { labels: WRITE, reason: 'SQL that changes who may do what', counts: 'anywhere' })
put('GRANT', { labels: DESTROY, reason: 'SQL that lets others in', counts: 'anywhere', act: 'grant' })
put(
  'REPLACE MERGE UPSERT RENAME COMMENT REINDEX VACUUM OPTIMIZE ANALYZE SET RESET LOCK UNLOCK CLUSTER REFRESH',
  {
    labels: WRITE,
    reason: 'SQL that changes something',
    counts: 'first',
  },
)
put('PURGE FLUSH', { labels: DESTROY, reason: 'SQL that deletes rows', counts: 'first', act: 'delete' })
put(
  // What a procedure or a block does nobody can tell from the call.
  'EXEC EXECUTE CALL DO KILL SHUTDOWN RESTORE',
  {
    labels: { ...EXECUTE, reversibility: 'irreversible' },
    reason: 'SQL that runs what it does not show',
    counts: 'first',
    act: 'delete',
  },
)
put('DECLARE LOAD COPY ATTACH INSTALL IMPORT EXPORT PREPARE HANDLER BACKUP LISTEN NOTIFY', {
  labels: EXECUTE,
  reason: 'SQL that runs or loads something',
  counts: 'first',
})
put('OUTFILE DUMPFILE', { labels: EXECUTE, reason: 'SQL that writes a file', counts: 'anywhere' })
put('PROGRAM XP_CMDSHELL SP_OACREATE SYS_EXEC SYS_EVAL LOAD_EXTENSION', {
  labels: { ...REACH, confidentiality: 'internal' },
  reason: 'SQL that runs a program',
  act: 'delete',
  counts: 'anywhere',
})
put(
  'PG_READ_FILE PG_READ_BINARY_FILE PG_LS_DIR LOAD_FILE LO_IMPORT READFILE READ_TEXT READ_CSV READ_CSV_AUTO READ_JSON READ_PARQUET',
  {
    labels: { ...EXECUTE, confidentiality: 'sensitive' },
    reason: "SQL that reads the server's files",
    counts: 'call',
  },
)
put('LO_EXPORT WRITEFILE LO_PUT LO_FROM_BYTEA PG_FILE_WRITE', {
  labels: EXECUTE,
  reason: 'SQL that writes a file',
  counts: 'call',
})
put(
  'DBLINK DBLINK_EXEC DBLINK_CONNECT DBLINK_SEND_QUERY HTTP_GET HTTP_POST HTTP_PUT HTTP_DELETE UTL_HTTP UTL_INADDR UTL_SMTP UTL_TCP UTL_MAIL UTL_FILE HTTPURITYPE OPENROWSET OPENDATASOURCE OPENQUERY POSTGRES_QUERY POSTGRES_SCAN MYSQL_QUERY',
  {
    labels: REACH,
    reason: 'SQL that reaches another host',
    counts: 'anywhere',
    act: 'send',
  },
)
put('SETVAL', {
  labels: WRITE,
  reason: 'SQL that changes something',
  counts: 'call',
})

/** Functions that reach another host where they are called; plain words otherwise. */
const REACHING = new Set(
  `URL S3 S3CLUSTER GCS HDFS AZUREBLOBSTORAGE REMOTE REMOTESECURE CLUSTER MYSQL POSTGRESQL MONGODB REDIS JDBC ODBC SQLITE_SCAN HTTP HTTP_HEAD HTTP_PATCH HTTP_REQUEST
   XP_DIRTREE XP_FILEEXIST XP_SUBDIRS REQUEST ICEBERG DELTALAKE HUDI`.split(/\s+/),
)
export const REACHING_CALL: SqlWord = {
  labels: REACH,
  reason: 'SQL that reaches another host',
  counts: 'call',
}
export const UNKNOWN_CALL: SqlWord = {
  labels: EXECUTE,
  reason: 'SQL that calls what is not known',
  counts: 'call',
}
const TAKING_CALL: SqlWord = {
  labels: DESTROY,
  reason: 'SQL that calls what takes away',
  counts: 'call',
  act: 'delete',
}
/** `CREATE USER`, `ALTER ROLE`: who may come in, and with which password. */
export const WHO_MAY: ReadonlySet<string> = new Set(['USER', 'ROLE', 'LOGIN', 'GROUP'])
export const GRANT_WORD: SqlWord = {
  labels: DESTROY,
  reason: 'SQL that says who may come in',
  counts: 'call',
  act: 'grant',
}
export const WRITES_OVER: SqlWord = {
  labels: DESTROY,
  reason: 'SQL that writes over what is there',
  counts: 'call',
  act: 'overwrite',
}
export const RUNS_LATER: SqlWord = {
  labels: EXECUTE,
  reason: 'SQL that creates what runs or reaches out',
  counts: 'call',
}

/** Functions that compute a value and do nothing else, and types and clauses that look like them. */
const PLAIN_CALLS: ReadonlySet<string> = new Set(
  `COUNT SUM AVG MIN MAX TOTAL STDDEV STDDEV_POP STDDEV_SAMP STD VARIANCE VAR_POP VAR_SAMP MEDIAN MODE CORR REGR_SLOPE REGR_INTERCEPT REGR_R2 APPROX_COUNT_DISTINCT
   GROUP_CONCAT STRING_AGG LISTAGG ARRAY_AGG JSON_AGG JSONB_AGG JSON_OBJECT_AGG JSONB_OBJECT_AGG JSON_ARRAYAGG JSON_OBJECTAGG JSON_GROUP_ARRAY JSON_GROUP_OBJECT BOOL_AND BOOL_OR
   EVERY BIT_AND BIT_OR ANY_VALUE FIRST LAST PERCENTILE_CONT PERCENTILE_DISC GROUPING CHECKSUM
   LOWER UPPER LCASE UCASE INITCAP LENGTH LEN CHAR_LENGTH CHARACTER_LENGTH OCTET_LENGTH BIT_LENGTH TRIM LTRIM RTRIM BTRIM LPAD RPAD LEFT RIGHT SUBSTR SUBSTRING SUBSTRING_INDEX MID
   REPLACE REVERSE REPEAT SPACE CONCAT CONCAT_WS INSTR LOCATE POSITION STRPOS CHARINDEX PATINDEX SPLIT_PART STRING_TO_ARRAY STRING_SPLIT ARRAY_TO_STRING REGEXP_REPLACE
   REGEXP_MATCHES REGEXP_MATCH REGEXP_LIKE REGEXP_SUBSTR REGEXP_INSTR REGEXP_SPLIT_TO_TABLE REGEXP_SPLIT_TO_ARRAY TRANSLATE ASCII CHR CHAR NCHAR UNICODE FORMAT PRINTF QUOTE
   QUOTE_IDENT QUOTE_LITERAL HEX UNHEX TO_HEX MD5 SHA1 SHA2 SHA256 CRC32 SOUNDEX DIFFERENCE ELT FIELD FIND_IN_SET STRCMP INSERT OVERLAY STARTS_WITH ENDS_WITH CONTAINS LIKE GLOB
   ABS CEIL CEILING FLOOR ROUND TRUNC TRUNCATE MOD POWER POW SQRT EXP LN LOG LOG2 LOG10 SIGN PI RAND RANDOM GREATEST LEAST DIV SIN COS TAN ASIN ACOS ATAN ATAN2 DEGREES RADIANS
   WIDTH_BUCKET CONV BIN OCT
   COALESCE NULLIF IFNULL NVL NVL2 ISNULL IF IIF DECODE CASE CAST TRY_CAST CONVERT TYPEOF NUM_NULLS ZEROIFNULL
   NOW CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP GETDATE SYSDATE CURDATE CURTIME UTC_DATE UTC_TIMESTAMP DATE TIME TIMESTAMP DATETIME YEAR MONTH DAY HOUR MINUTE
   SECOND QUARTER WEEK WEEKDAY DAYOFWEEK DAYOFMONTH DAYOFYEAR DAYNAME MONTHNAME LAST_DAY DATE_TRUNC DATE_PART DATE_FORMAT DATE_ADD DATE_SUB ADDDATE SUBDATE DATEADD DATEDIFF DATE_DIFF DATEPART
   TIMESTAMPDIFF TIMESTAMPADD TIMEDIFF EXTRACT AGE TO_DATE TO_CHAR TO_NUMBER TO_TIMESTAMP STR_TO_DATE STRFTIME JULIANDAY UNIXEPOCH UNIX_TIMESTAMP FROM_UNIXTIME MAKE_DATE MAKE_INTERVAL
   PERIOD_DIFF TIME_FORMAT SEC_TO_TIME TIME_TO_SEC TO_DAYS YEARWEEK MAKEDATE MAKETIME INTERVAL ADD_MONTHS MONTHS_BETWEEN
   ROW_NUMBER RANK DENSE_RANK PERCENT_RANK CUME_DIST NTILE LAG LEAD FIRST_VALUE LAST_VALUE NTH_VALUE
   JSON_EXTRACT JSON_VALUE JSON_QUERY JSON_OBJECT JSON_ARRAY JSON_BUILD_OBJECT JSONB_BUILD_OBJECT JSON_BUILD_ARRAY JSON_EACH JSON_TREE JSON_ARRAY_LENGTH JSONB_ARRAY_LENGTH JSONB_ARRAY_ELEMENTS
   JSON_ARRAY_ELEMENTS JSONB_EACH JSONB_EACH_TEXT JSONB_OBJECT_KEYS JSON_UNQUOTE JSON_CONTAINS JSON_LENGTH JSON_KEYS JSON_TYPE JSON_VALID TO_JSON TO_JSONB ROW_TO_JSON JSONB_SET JSON_SET
   UNNEST GENERATE_SERIES ARRAY ARRAY_LENGTH CARDINALITY ARRAY_POSITION ANY ALL SOME EXISTS ROW STRUCT LIST MAP
   DATABASE SCHEMA USER CURRENT_USER SESSION_USER VERSION CONNECTION_ID FOUND_ROWS ROW_COUNT LAST_INSERT_ID LAST_INSERT_ROWID CHANGES TOTAL_CHANGES CURRENT_SCHEMA CURRENT_DATABASE
   PG_SIZE_PRETTY PG_TOTAL_RELATION_SIZE PG_RELATION_SIZE PG_DATABASE_SIZE PG_GET_VIEWDEF PG_GET_INDEXDEF PG_GET_CONSTRAINTDEF OBJ_DESCRIPTION COL_DESCRIPTION FORMAT_TYPE TO_REGCLASS PG_TYPEOF
   UUID GEN_RANDOM_UUID NEWID LOWERCASE ISDATE ISNUMERIC TO_TSVECTOR TO_TSQUERY PLAINTO_TSQUERY TS_RANK MATCH AGAINST SIMILARITY LEVENSHTEIN
   TABLE_INFO TABLE_XINFO INDEX_LIST INDEX_INFO FOREIGN_KEY_LIST DATABASE_LIST TABLE_LIST
   VARCHAR CHARACTER NVARCHAR DECIMAL NUMERIC INT INTEGER BIGINT SMALLINT TINYINT MEDIUMINT FLOAT DOUBLE REAL BINARY VARBINARY BIT ENUM BLOB TEXT VARYING
   IN NOT AND OR ON USING AS SELECT FROM WHERE BY JOIN UNION EXCEPT INTERSECT DISTINCT OVER PARTITION THEN ELSE WHEN END BETWEEN IS HAVING LIMIT OFFSET VALUES VALUE FILTER WITHIN GROUP ORDER KEY UNIQUE CHECK PRIMARY
   FOREIGN INDEX DEFAULT SET RETURNING LATERAL WITH RECURSIVE MATERIALIZED TABLE REFERENCES CONSTRAINT INTO CUBE ROLLUP SETS GENERATED ALWAYS IDENTITY WINDOW RANGE ROWS EXPLAIN ANALYZE ASC DESC DO UPDATE CONFLICT
   COLUMNS INCLUDE LIKE RLIKE REGEXP XOR OVERLAPS BEGIN IMMEDIATE`.split(/\s+/),
)

const takesAway = (word: string): boolean => word === 'unlink' || actionOfVerb(word) === 'destroy'

/** What a call of \`name\`, in upper case and without its schema, does; undefined where it only computes a value. */
export function callOf(name: string, isQualified: boolean): SqlWord | undefined {
  const known = listed.get(name)
  if (known && known.counts !== 'first' && known.labels.capability !== undefined && !PLAIN_CALLS.has(name))
    return known
  if (REACHING.has(name) || /^(?:DBLINK|HTTP_|XP_|UTL_)/.test(name)) return REACHING_CALL
  // `pg_catalog.count` counts; a function of that name in a schema of somebody's own may do anything.
  if (PLAIN_CALLS.has(name) && !isQualified) return undefined
  return wordsOf(name).some(takesAway) ? TAKING_CALL : UNKNOWN_CALL
}

/** What CREATE or ALTER makes that runs later, or reaches another host. */
export const RUNNING_OBJECTS: ReadonlySet<string> = new Set(
  `FUNCTION EXTENSION SERVER SUBSCRIPTION TRIGGER PROCEDURE PROC EVENT FOREIGN LANGUAGE PUBLICATION ALIAS STAGE INTEGRATION SECRET CAST AGGREGATE ASSEMBLY ENDPOINT MODEL PIPE
   TASK SYSTEM DICTIONARY LINK CREDENTIAL EXTERNAL VIRTUAL JAVA LIBRARY RULE OPERATOR GLOBAL PERSIST`.split(
    /\s+/,
  ),
)

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
