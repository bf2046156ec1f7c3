import type { ExpectedVerdict, Verdict } from '@plimsoll/contracts'
import { parseDecisionId } from '@plimsoll/contracts'
import type { AppealCounts, AppealRow, AppealedCount } from '../../api.js'
import type { AppealPart, Tenants } from '../read-store.js'
import type { Database, Row } from './database.js'
import { ofTenants } from './read-sessions.js'
import { count, json, present, text } from './rows.js'

/** Whether no later appeal is of the same decision: of each the last counts. */
const COUNTS = `not exists (select 1 from appeals later
  where later.session_id = a.session_id and later.decision_id = a.decision_id and later.p_offset > a.p_offset)`

export function readAppeals(database: Database, tenants: Tenants, limit: number): AppealPart {
  const { sql, values } = ofTenants(tenants)
  const from = `from appeals a join sessions s on s.id = a.session_id where ${sql}`
  const rows = database.all(
    `select a.*, s.tenant, s.agent, ${COUNTS} as counts ${from} order by a.at desc, a.id desc, a.session_id limit ?`,
    ...values,
    limit,
  )
  const [total] = database.all(`select count(*) as n ${from}`, ...values)
  return { appeals: rows.map(appealOf), count: count(total?.['n']) }
}

const appealOf = (row: Row): AppealRow => ({
  id: String(row['id']),
  sessionId: String(row['session_id']),
  tenant: String(row['tenant']),
  decisionId: String(row['decision_id']),
  tool: String(row['tool']),
  verdict: String(row['verdict']) as Verdict,
  expected: String(row['expected']) as ExpectedVerdict,
  reasons: json(row['reasons']) as readonly string[],
  by: String(row['by_name']),
  at: count(row['at']),
  counts: row['counts'] === 1,
  ...(present({ agent: text(row['agent']), reason: text(row['reason']) }) as Partial<AppealRow>),
})

/** Steps, and their reasons, that are counted: the work is bounded. */
const STEPS_MAX = 50_000
const ROWS_MAX = 50
/** Names that are merged at most. */
const NAMES_MAX = 10_000

export function readAppealCounts(database: Database, tenants: Tenants): AppealCounts {
  const { sql, values } = ofTenants(tenants)
  const all = (statement: string) => database.all(`${statement} limit ${NAMES_MAX}`, ...values)
  const appealed = (name: string, more: string) =>
    all(`select ${name} as name, sum(a.expected = 'allow') as needless, sum(a.expected = 'block') as harmful
      from appeals a join sessions s on s.id = a.session_id${more} where ${sql} and ${COUNTS} group by 1`)
  const stopping = (name: string, verdict: string, from: string) =>
    all(`select ${name} as name, sum(${verdict} = 'confirm') as asked, sum(${verdict} = 'block') as blocked,
        count(distinct st.session_id) as sessions
      from ${from} join sessions s on s.id = st.session_id
      where ${verdict} in ('confirm', 'block') and ${sql} group by 1`)
  const latest = (table: string) => `(select * from ${table} order by rowid desc limit ${STEPS_MAX}) st`
  return {
    byReason: merged(
      stopping("st.source || ':' || st.code", 'st.verdict', latest('reasons')),
      appealed('e.value', ', json_each(a.reasons) e'),
    ),
    byTool: merged(
      stopping('coalesce(st.tool, st.d_tool)', 'st.first_verdict', latest('steps')),
      appealed('a.tool', ''),
    ),
  }
}

function merged(stopping: readonly Row[], appealed: readonly Row[]): readonly AppealedCount[] {
  const rows = new Map<string, AppealedCount>()
  for (const row of stopping) rows.set(String(row['name']), countOf(row))
  for (const row of appealed) {
    const { name, needless, harmful } = countOf(row)
    rows.set(name, { ...(rows.get(name) ?? countOf(row)), needless, harmful })
  }
  const appealsOf = ({ needless, harmful }: AppealedCount) => needless + harmful
  const stopsOf = ({ asked, blocked }: AppealedCount) => asked + blocked
  return [...rows.values()]
    .toSorted((a, b) => appealsOf(b) - appealsOf(a) || stopsOf(b) - stopsOf(a) || (a.name < b.name ? -1 : 1))
    .slice(0, ROWS_MAX)
}

const countOf = (row: Row): AppealedCount => ({
  name: String(row['name']),
  asked: count(row['asked']),
  blocked: count(row['blocked']),
  sessions: count(row['sessions']),
  needless: count(row['needless']),
  harmful: count(row['harmful']),
})

/** Of the decision on a step; undefined where it is not known. */
export function readDecisionOffset(database: Database, decisionId: string): number | undefined {
  const named = parseDecisionId(decisionId)
  if (!named) return undefined
  const [row] = database.all(
    'select d_offset from steps where session_id = ? and event_id = ? and decision_id = ?',
    named.sessionId,
    named.eventId,
    decisionId,
  )
  const offset = row?.['d_offset']
  return typeof offset === 'number' ? offset : undefined
}
