import { setImmediate } from 'node:timers/promises'
import type { RetentionLimits } from '../read-store.js'
import { type Database, type Row } from './database.js'

/** Sessions, and rows of long sessions, that are deleted in one transaction. */
const PART = 500

/** Deletes what exceeds the limits, in transactions of bounded size, between which others are served; returns how many sessions. */
export async function prune(database: Database, limits: RetentionLimits, nowMs: number): Promise<number> {
  const old = idsOf(database.all('select id from sessions where last_at < ?', nowMs - limits.ageMaxMs))
  await inParts(old, (ids) => database.transaction(() => deleteSessions(database, ids)))
  const excess = tooMany(database, limits, nowMs)
  await inParts(excess, (ids) => database.transaction(() => deleteSessions(database, ids)))
  for (const { table, where, order, keptMax } of cutsOf(limits))
    for (const id of longSessions(database, table, keptMax)) {
      const rows = database.all(
        `select rowid as place from ${table} where session_id = ? and ${where} order by ${order} desc limit -1 offset ?`,
        id,
        ...(where.includes('?') ? [nowMs] : []),
        keptMax,
      )
      await deleteRows(database, table, rows)
      if (table === 'steps') await deleteRows(database, 'reasons', database.all(REASONS_WITHOUT_STEP, id))
    }
  for (const table of ['notes', 'answers', 'appeals'])
    await deleteRows(database, table, database.all(withoutSession(table)))
  return old.length + excess.length
}

const idsOf = (rows: readonly Row[]): readonly string[] => rows.map((row) => String(row['id']))

async function inParts<T>(all: readonly T[], deletePart: (part: readonly T[]) => void): Promise<void> {
  for (let at = 0; at < all.length; at += PART) {
    deletePart(all.slice(at, at + PART))
    await setImmediate()
  }
}

/**
 * Sessions without an open question go first, then those of the tenant with the most, its oldest first: a flood of one tenant deletes
 * its own sessions.
 */
const tooMany = (database: Database, { sessionsMax }: RetentionLimits, nowMs: number): readonly string[] =>
  idsOf(
    database.all(
      `with
        asking as (select distinct session_id from questions where closed_at is null and expires_at > ?),
        known as (select id, tenant, last_at, id in (select session_id from asking) as asks from sessions),
        ranked as (
          select id, last_at, asks, row_number() over (partition by tenant order by asks desc, last_at desc, id) as rank from known)
      select id from ranked order by asks, rank desc, last_at, id limit max(0, (select count(*) from sessions) - ?)`,
      nowMs,
      sessionsMax,
    ),
  )

function deleteSessions(database: Database, ids: readonly string[]): void {
  const list = JSON.stringify(ids)
  for (const table of ['steps', 'questions', 'answers', 'notes', 'appeals', 'reasons'])
    database.run(`delete from ${table} where session_id in (select value from json_each(?))`, list)
  database.run('delete from sessions where id in (select value from json_each(?))', list)
}

/** What is kept of one session, by table: the latest by `order`. Questions that wait for an answer are not counted. */
const cutsOf = ({ stepsOfSessionMax, notesOfSessionMax, closedOfSessionMax }: RetentionLimits) =>
  [
    { table: 'steps', where: 'true', order: 'at', keptMax: stepsOfSessionMax },
    { table: 'notes', where: 'true', order: 'at', keptMax: notesOfSessionMax },
    { table: 'appeals', where: 'true', order: 'at', keptMax: notesOfSessionMax },
    // Steps show them.
    { table: 'answers', where: 'true', order: 'rowid', keptMax: stepsOfSessionMax },
    {
      table: 'questions',
      where: '(closed_at is not null or expires_at <= ?)',
      order: 'asked_at',
      keptMax: closedOfSessionMax,
    },
  ] as const

/** Sessions with more rows than `keptMax`, by what is stored: a proposal that nothing decided is a row too. */
const longSessions = (database: Database, table: string, keptMax: number): readonly string[] =>
  idsOf(
    database.all(`select session_id as id from ${table} group by session_id having count(*) > ?`, keptMax),
  )

/** Of sessions that are gone, or never were. */
const withoutSession = (table: string): string =>
  `select rowid as place from ${table} where not exists (select 1 from sessions where id = session_id)`

/** Of a session whose steps were cut. */
const REASONS_WITHOUT_STEP = `select rowid as place from reasons r where session_id = ?
  and not exists (select 1 from steps st where st.session_id = r.session_id and st.event_id = r.event_id)`

const deleteRows = (database: Database, table: string, rows: readonly Row[]): Promise<void> =>
  inParts(
    rows.map((row) => Number(row['place'])),
    (part) =>
      database.transaction(() =>
        database.run(
          `delete from ${table} where rowid in (select value from json_each(?))`,
          JSON.stringify(part),
        ),
      ),
  )
