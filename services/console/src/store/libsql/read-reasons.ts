import type { ReasonSource, Verdict } from '@plimsoll/contracts'
import type { MetStep, PolicyUse, ReasonCount } from '../../api.js'
import type { MetPart, Tenants } from '../read-store.js'
import type { Database } from './database.js'
import { ofTenants } from './read-sessions.js'
import { count, present, text } from './rows.js'

/** The latest reasons that are counted: the work is bounded. */
const REASONS_MAX = 50_000
/** Reasons with counts. */
const ROWS_MAX = 10_000

/** The most frequent first. */
export function readReasonCounts(database: Database, tenants: Tenants): readonly ReasonCount[] {
  const { sql, values } = ofTenants(tenants)
  const of = (verdict: string) => `sum(r.verdict = '${verdict}')`
  return database
    .all(
      `select r.source, r.code, ${of('confirm')} as asked, ${of('block')} as blocked, ${of('warn')} as warned,
          ${of('lift')} as lifted, count(distinct r.session_id) as sessions
        from (select * from reasons order by rowid desc limit ${REASONS_MAX}) r join sessions s on s.id = r.session_id
        where ${sql} group by r.source, r.code order by count(*) desc, r.source, r.code limit ${ROWS_MAX}`,
      ...values,
    )
    .map((row) => ({
      source: String(row['source']) as ReasonSource,
      code: String(row['code']),
      asked: count(row['asked']),
      blocked: count(row['blocked']),
      warned: count(row['warned']),
      lifted: count(row['lifted']),
      sessions: count(row['sessions']),
    }))
}

const USES_MAX = 1_000

/** By the policy of each session's latest decision; the most live sessions first. */
export function readPolicyUses(database: Database, tenants: Tenants): readonly PolicyUse[] {
  const { sql, values } = ofTenants(tenants)
  return database
    .all(
      `select s.tenant, json_extract(s.versions, '$.policy') as version, sum(s.ended = 0) as live, count(*) as sessions,
          max(s.last_at) as last_at
        from sessions s where s.versions is not null and ${sql}
        group by 1, 2 order by live desc, sessions desc, 1, 2 limit ${USES_MAX}`,
      ...values,
    )
    .map((row) => ({
      tenant: String(row['tenant']),
      version: String(row['version']),
      live: count(row['live']),
      sessions: count(row['sessions']),
      lastAt: count(row['last_at']),
    }))
}

export function readMet(database: Database, tenants: Tenants, code: string, limit: number): MetPart {
  const { sql, values } = ofTenants(tenants)
  const from = `from (select distinct session_id, event_id from
      (select * from reasons where code = ? order by rowid desc limit ${REASONS_MAX})) r
    join steps st on st.session_id = r.session_id and st.event_id = r.event_id
    join sessions s on s.id = r.session_id where ${sql}`
  const rows = database.all(
    `select r.session_id, r.event_id, s.tenant, s.agent, st.number, coalesce(st.tool, st.d_tool) as tool, st.at, st.first_verdict
      ${from} order by st.at desc, r.session_id, r.event_id limit ?`,
    code,
    ...values,
    limit,
  )
  const [total] = database.all(`select count(*) as n ${from}`, code, ...values)
  return {
    steps: rows.map((row) => ({
      sessionId: String(row['session_id']),
      tenant: String(row['tenant']),
      eventId: String(row['event_id']),
      step: count(row['number']),
      tool: String(row['tool']),
      at: count(row['at']),
      verdict: String(row['first_verdict']) as Verdict,
      ...(present({ agent: text(row['agent']) }) as Partial<MetStep>),
    })),
    count: count(total?.['n']),
  }
}
