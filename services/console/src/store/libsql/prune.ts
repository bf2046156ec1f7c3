import { setImmediate } from 'node:timers/promises'
import type { RetentionLimits } from '../read-store.js'
import { type Database, type Row } from './database.js'
import { count } from './rows.js'

/** Sessions deleted in one transaction. */
const PART = 500

/** Deletes what exceeds the limits, in transactions of bounded size, between which others are served; returns how many sessions. */
export async function prune(database: Database, limits: RetentionLimits, nowMs: number): Promise<number> {
  let deleted = 0
  for (;;) {
    const ids = [...tooOld(database, limits, nowMs), ...tooMany(database, limits)]
    if (ids.length === 0) break
    database.transaction(() => deleteSessions(database, ids))
    deleted += ids.length
    await setImmediate()
  }
  database.transaction(() => cutSessions(database, limits))
  return deleted
}

const idsOf = (rows: readonly Row[]): readonly string[] => rows.map((row) => String(row['id']))

const tooOld = (database: Database, { ageMaxMs }: RetentionLimits, nowMs: number): readonly string[] =>
  idsOf(database.all('select id from sessions where last_at < ? limit ?', nowMs - ageMaxMs, PART))

function tooMany(database: Database, { sessionsMax }: RetentionLimits): readonly string[] {
  const [row] = database.all('select count(*) as n from sessions')
  const excess = count(row?.['n']) - sessionsMax
  if (excess <= 0) return []
  return idsOf(database.all('select id from sessions order by last_at, id limit ?', Math.min(excess, PART)))
}

function deleteSessions(database: Database, ids: readonly string[]): void {
  const list = JSON.stringify(ids)
  for (const table of ['steps', 'questions', 'answers', 'notes'])
    database.run(`delete from ${table} where session_id in (select value from json_each(?))`, list)
  database.run('delete from sessions where id in (select value from json_each(?))', list)
}

function cutSessions(database: Database, { stepsOfSessionMax }: RetentionLimits): void {
  const long = idsOf(database.all('select id from sessions where steps > ?', stepsOfSessionMax))
  for (const id of long)
    database.run(
      `delete from steps where session_id = ? and rowid in
        (select rowid from steps where session_id = ? order by at desc limit -1 offset ?)`,
      id,
      id,
      stepsOfSessionMax,
    )
}
