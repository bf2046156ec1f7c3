import type { ListedSessions, SessionDetails, SessionSummary } from '@plimsoll/operator'
import { plainText } from '../plain-text.js'
import { leftTable } from '../text-table.js'
import { ageText, timeText } from '../time-text.js'

/** Sessions as a table, most at risk first. */
export function sessionsTable({ sessions, count, unreadable }: ListedSessions, nowMs: number): string {
  const rows = sessions.map((session) => rowOf(session, nowMs))
  const heading = [
    'session',
    'tenant',
    'agent',
    'category',
    'level',
    'band',
    'steps',
    'blocked',
    'waiting',
    'heard',
  ]
  const table = rows.length === 0 ? 'no sessions\n' : leftTable([heading, ...rows])
  const more = count > sessions.length ? `${count - sessions.length} more; \`--limit\` shows them\n` : ''
  const bad =
    unreadable > 0
      ? `${unreadable} more cannot be read or were given up: their events are answered \`session_state_lost\`\n`
      : ''
  return `${table}${more}${bad}`
}

function rowOf(session: SessionSummary, nowMs: number): (string | number)[] {
  const { id, tenant, agent, category, level, band, steps, blocked, waiting, heardMs, ended } = session
  const heard = `${ageText(heardMs, nowMs)} ago${ended ? ', ended' : ''}`
  return [id, tenant, agent || '-', category || '-', level, band, steps, blocked, waiting, heard]
}

const TAINTS = {
  none: 'nothing untrusted was read',
  data: 'untrusted data was read',
  instructions: 'untrusted data that reads like instructions was read',
} as const

const EXPOSURES = {
  none: 'no data of note was seen',
  public: 'public data was seen',
  internal: 'internal data was seen',
  sensitive: 'sensitive data was seen',
  credentials: 'credentials were seen',
} as const

const ESCALATIONS = {
  read_only: 'it only read',
  file_write: 'it wrote',
  code_exec: 'it ran code',
  network: 'it reached the network',
} as const

const HELD =
  'a step was blocked with sensitive data in it, so each step that may send is asked about; `plimsoll declassify SESSION --spec line` ends it'

/** The state of one session in words, with what can be done about it. */
export function detailsText(session: SessionDetails, nowMs: number): string {
  const { safety, pins, open, pending } = session
  const counts = `${session.steps} ran, ${session.blocked} blocked, ${session.violations} ran although blocked, ${session.withoutVerdict} ran unjudged`
  const facts = leftTable([
    ['session', session.id],
    ['tenant', session.tenant],
    ['agent', session.agent || '-'],
    ['category', session.category || '-'],
    [
      'heard',
      `${timeText(session.heardMs)}, ${ageText(session.heardMs, nowMs)} ago${session.ended ? '; it has ended' : ''}`,
    ],
    ['level', `${session.level}, band ${session.band} of 3`],
    ['seen', `${EXPOSURES[safety.exposure]}; ${ESCALATIONS[safety.escalation]}; ${TAINTS[safety.taint]}`],
    ['latest step', safety.reversibility],
    ...(session.held ? [['held', HELD] as const] : []),
    ['steps', counts],
    ['bundle', pins.bundle],
    ['policy', pins.policy],
    ['catalogue', pins.catalogue],
    ['open calls', open.length > 0 ? open.join(', ') : 'none'],
    ['waiting', pending.length > 0 ? `${pending.length} for a human:` : 'none'],
  ])
  return `${facts}${pending.map((each) => pendingText(each, nowMs)).join('')}`
}

function pendingText(
  { decisionId, tool, callId, evidence, reasons, expiresMs }: SessionDetails['pending'][number],
  nowMs: number,
): string {
  const facts = leftTable(
    [
      ['call', `${callId}: ${tool}`],
      ['why', reasons.join(', ')],
      ['sensitive data in it', evidence],
      ['until', timeText(expiresMs)],
    ],
    '    ',
  )
  const how =
    expiresMs > nowMs
      ? `plimsoll approve '${plainText(decisionId)}' --by NAME`
      : 'too late: the agent may propose it again'
  return `\n  ${plainText(decisionId)}\n${facts}    ${how}\n`
}
