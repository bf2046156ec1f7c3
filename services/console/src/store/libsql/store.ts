import type { ReadStore } from '../read-store.js'
import { type Database, openDatabase } from './database.js'
import { prune } from './prune.js'
import { readAppealCounts, readAppeals, readDecisionOffset } from './read-appeals.js'
import { readMet, readPolicyUses, readReasonCounts } from './read-reasons.js'
import {
  readDetails,
  readFacets,
  readRelatives,
  readSessions,
  readSessionsById,
  readTotals,
} from './read-sessions.js'
import { readNotes, readOpenQuestions, readQuestion, readSteps, readStepsByEvent } from './read-steps.js'
import { CREATE_TABLES, DROP_TABLES, SCHEMA_VERSION } from './schema.js'
import { writeChanges } from './write-changes.js'

/**
 * The read model in an SQLite database: in `file`, or in memory for `:memory:`. A database of another version is emptied, so that its
 * content is read from the log again. Rejects with `config_invalid` if it cannot be opened.
 */
export async function openReadStore(file: string): Promise<ReadStore> {
  const database = await openDatabase(file)
  if (versionOf(database) !== SCHEMA_VERSION) recreate(database)
  return {
    offsets: async () =>
      database.all('select topic, partition, next from offsets').map((row) => ({
        topic: String(row['topic']),
        partition: Number(row['partition']),
        next: BigInt(String(row['next'])),
      })),
    apply: async (changes, offsets) => database.transaction(() => writeChanges(database, changes, offsets)),
    clear: async () => recreate(database),
    prune: (limits, nowMs) => prune(database, limits, nowMs),
    sessions: async (query, limit, nowMs) => readSessions(database, query, limit, nowMs),
    totals: async (query, nowMs) => readTotals(database, query, nowMs),
    facets: async (tenants, limit) => readFacets(database, tenants, limit),
    sessionsById: async (ids, nowMs) => readSessionsById(database, ids, nowMs),
    details: async (sessionId) => readDetails(database, sessionId),
    relatives: async (session, limit, nowMs) => readRelatives(database, session, limit, nowMs),
    steps: async (sessionId, limit) => readSteps(database, sessionId, limit),
    stepsByEvent: async (sessionId, eventIds) => readStepsByEvent(database, sessionId, eventIds),
    notes: async (sessionId, limit) => readNotes(database, sessionId, limit),
    openQuestions: async (tenants, limit, nowMs, sessionId) =>
      readOpenQuestions(database, tenants, limit, nowMs, sessionId),
    question: async (decisionId) => readQuestion(database, decisionId),
    appeals: async (tenants, limit) => readAppeals(database, tenants, limit),
    appealCounts: async (tenants) => readAppealCounts(database, tenants),
    reasonCounts: async (tenants) => readReasonCounts(database, tenants),
    policyUses: async (tenants) => readPolicyUses(database, tenants),
    met: async (tenants, code, limit) => readMet(database, tenants, code, limit),
    decisionOffset: async (decisionId) => readDecisionOffset(database, decisionId),
    ping: async () => void database.all('select 1'),
    close: async () => database.close(),
  }
}

function versionOf(database: Database): unknown {
  const [row] = database.all('pragma user_version')
  return row?.['user_version']
}

function recreate(database: Database): void {
  database.transaction(() =>
    database.exec(`${DROP_TABLES}${CREATE_TABLES}pragma user_version = ${SCHEMA_VERSION};`),
  )
}
