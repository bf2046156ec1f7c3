import { LEVELS, type Level } from '@plimsoll/contracts'
import type { AskingRow, FleetTotals } from '../../api.js'
import type { SessionRow } from '../../shapes.js'
import type { Facets, SessionDetails, SessionPart, SessionQuery, Tenants } from '../read-store.js'
import type { Database, Row, Value } from './database.js'
import { SESSION_COLUMNS, count, json, sessionOf, text } from './rows.js'

interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

/** Of rows with the column `tenant`. */
export const ofTenants = (tenants: Tenants, column = 's.tenant'): Condition =>
  tenants === undefined
    ? { sql: '1', values: [] }
    : { sql: `${column} in (select value from json_each(?))`, values: [JSON.stringify(tenants)] }

function conditionOf({ tenants, category, agent, level }: SessionQuery): Condition {
  const conditions: readonly Condition[] = [
    ofTenants(tenants),
    ...(category === undefined ? [] : [{ sql: 's.category = ?', values: [category] }]),
    ...(agent === undefined ? [] : [{ sql: 's.agent = ?', values: [agent] }]),
    ...(level === undefined ? [] : [{ sql: 's.level = ?', values: [LEVELS.indexOf(level)] }]),
  ]
  return {
    sql: conditions.map(({ sql }) => sql).join(' and '),
    values: conditions.flatMap(({ values }) => values),
  }
}

export function readSessions(
  database: Database,
  query: SessionQuery,
  limit: number,
  nowMs: number,
): SessionPart {
  const { sql, values } = conditionOf(query)
  const rows = database.all(
    `select ${SESSION_COLUMNS} from sessions s where ${sql}
      order by s.ended, open_questions > 0 desc, s.violations > 0 desc, s.level desc, s.band desc, s.probability desc,
        s.last_at desc, s.id limit ?`,
    nowMs,
    ...values,
    limit,
  )
  const [total] = database.all(`select count(*) as n from sessions s where ${sql}`, ...values)
  return { sessions: rows.map(sessionOf), count: count(total?.['n']) }
}

/** Rows of the tables of tools and of effects. */
const ASKING_MAX = 20
/** The latest steps that they are counted over: the work is bounded. */
const ASKING_STEPS_MAX = 50_000

export function readTotals(database: Database, query: SessionQuery, nowMs: number): FleetTotals {
  const { sql, values } = conditionOf(query)
  const [row = {}] = database.all(
    `select count(*) as sessions, sum(s.ended = 0) as live, sum(s.steps) as steps, sum(s.allowed) as allowed,
      sum(s.warned) as warned, sum(s.asked) as asked, sum(s.blocked) as blocked from sessions s where ${sql}`,
    ...values,
  )
  const [open = {}] = database.all(
    `select count(*) as n from questions q join sessions s on s.id = q.session_id
      where q.closed_at is null and q.expires_at > ? and s.ended = 0 and ${sql}`,
    nowMs,
    ...values,
  )
  const levels = database.all(
    `select s.level as level, count(*) as n from sessions s where s.level is not null and ${sql} group by s.level`,
    ...values,
  )
  const sessions = count(row['sessions'])
  const asked = count(row['asked'])
  return {
    sessions,
    live: count(row['live']),
    steps: count(row['steps']),
    verdicts: {
      allow: count(row['allowed']),
      warn: count(row['warned']),
      confirm: asked,
      block: count(row['blocked']),
    },
    openQuestions: count(open['n']),
    questionsPer100Sessions: sessions === 0 ? 0 : (100 * asked) / sessions,
    byLevel: Object.fromEntries(
      levels.map((each) => [LEVELS[count(each['level'])], count(each['n'])]),
    ) as Partial<Record<Level, number>>,
    byTool: askingRows(database, 'coalesce(st.tool, st.d_tool)', '', { sql, values }),
    byEffect: askingRows(
      database,
      "json_extract(e.value, '$.act') || coalesce(' ' || json_extract(e.value, '$.object'), '')",
      ', json_each(st.effects) e',
      { sql, values },
    ),
  }
}

/** @param name an expression of the statement, no value of anybody */
function askingRows(
  database: Database,
  name: string,
  more: string,
  condition: Condition,
): readonly AskingRow[] {
  const rows = database.all(
    `select ${name} as name, count(*) as steps, sum(st.first_verdict = 'confirm') as asked,
        sum(st.first_verdict = 'block') as blocked
      from (select * from steps order by rowid desc limit ${ASKING_STEPS_MAX}) st
        join sessions s on s.id = st.session_id${more}
      where st.kind = 'step' and ${condition.sql}
      group by 1 order by sum(st.first_verdict in ('confirm', 'block')) desc, count(*) desc, name limit ?`,
    ...condition.values,
    ASKING_MAX,
  )
  return rows.map((row) => ({
    name: String(row['name']),
    steps: count(row['steps']),
    asked: count(row['asked']),
    blocked: count(row['blocked']),
  }))
}

export function readFacets(database: Database, tenants: Tenants, limit: number): Facets {
  const { sql, values } = ofTenants(tenants)
  const of = (column: string): readonly string[] =>
    database
      .all(
        `select distinct s.${column} as value from sessions s where s.${column} is not null and ${sql} order by 1 limit ?`,
        ...values,
        limit,
      )
      .map((row) => String(row['value']))
  return { tenants: of('tenant'), categories: of('category'), agents: of('agent') }
}

export const readSessionsById = (
  database: Database,
  ids: readonly string[],
  nowMs: number,
): readonly SessionRow[] =>
  database
    .all(
      `select ${SESSION_COLUMNS} from sessions s where s.id in (select value from json_each(?))`,
      nowMs,
      JSON.stringify(ids),
    )
    .map(sessionOf)

export function readDetails(database: Database, sessionId: string): SessionDetails | undefined {
  const [row] = database.all('select task, versions, chain from sessions where id = ?', sessionId)
  return row && detailsOf(row)
}

const detailsOf = (row: Row): SessionDetails => ({
  task: text(row['task']),
  versions: json(row['versions']) as SessionDetails['versions'],
  chain: text(row['chain']),
})

/** Those with the same root, and the root. */
export function readRelatives(
  database: Database,
  { id, tenant, root = id }: SessionRow,
  limit: number,
  nowMs: number,
): readonly SessionRow[] {
  // A tree is of one tenant; a client could name a root of another.
  return database
    .all(
      `select ${SESSION_COLUMNS} from sessions s where (s.root = ? or s.id = ?) and s.id <> ? and s.tenant = ?
        order by s.started_at, s.id limit ?`,
      nowMs,
      root,
      root,
      id,
      tenant,
      limit,
    )
    .map(sessionOf)
}
