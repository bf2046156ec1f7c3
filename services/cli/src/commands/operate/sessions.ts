import { type Topics, type Versions, LEVELS, PlimsollError } from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import {
  type ListedSessions,
  type PolicyStatus,
  type SessionDetails,
  type SessionSummary,
  type StoredSession,
  type Timeline,
  detailsOf,
  findSession,
  listSessions,
  readTimeline,
  policyStatus,
} from '@plimsoll/operations'
import { createRulesCache, defaultDocuments } from '@plimsoll/policy'
import { type EventLog, type Registry, kafkaSettings, openRegistry, redisSettings } from '@plimsoll/runtime'
import { defineCommand, environmentOf, choice, duration, integer, json, text } from '../../command.js'
import { configOf, openLog, openStore, within } from '../../deployment.js'
import { ageText, jsonLine, leftTable, plainLines, plainText, timeText } from '../../format/text.js'
import { timelineText } from './timeline-text.js'

/** The rules of `pins`, from the registry or those that ship; undefined where they are in neither. */
export async function pinnedRules(
  log: EventLog,
  topic: string,
  pins: Versions,
  signal: AbortSignal,
): Promise<Rules | undefined> {
  const registry = await registryIn(log, topic, signal)
  try {
    const defaults = [await defaultDocuments()] as const
    return createRulesCache({ defaults, ...(registry && { document: registry.document }) }).rules(pins)
  } finally {
    await registry?.close()
  }
}

/** Undefined where the deployment has none. */
async function registryIn(log: EventLog, topic: string, signal: AbortSignal): Promise<Registry | undefined> {
  try {
    return await openRegistry({ log, topic, watch: false, signal })
  } catch (error) {
    if (error instanceof PlimsollError && error.code === 'config_invalid') return undefined
    throw error
  }
}

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
    'last event',
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
  const { id, tenant, agent, category, level, band, steps, blocked, waiting, lastEventMs, ended } = session
  const received = `${ageText(lastEventMs, nowMs)} ago${ended ? ', ended' : ''}`
  return [id, tenant, agent || '-', category || '-', level, band, steps, blocked, waiting, received]
}

const TAINTS = {
  none: 'nothing untrusted was read',
  data: 'untrusted data was read',
  instructions: 'untrusted data that reads like instructions was read',
} as const

const EXPOSURES = {
  none: 'no sensitive data was seen',
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
  'a step with sensitive data in it was blocked, so each step that may send needs approval; `plimsoll declassify SESSION --spec line` ends it'

/** The state of one session in words, with what can be done about it. */
export function detailsText(session: SessionDetails, nowMs: number): string {
  const { safety, pins, open, pending, approvals } = session
  const counts = `${session.steps} ran, ${session.blocked} blocked, ${session.violations} ran although blocked, ${session.withoutVerdict} ran without a verdict`
  const facts = leftTable([
    ['session', session.id],
    ['tenant', session.tenant],
    ['agent', session.agent || '-'],
    ['category', session.category || '-'],
    [
      'last event',
      `${timeText(session.lastEventMs)}, ${ageText(session.lastEventMs, nowMs)} ago${session.ended ? '; it has ended' : ''}`,
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
    ...approvals
      .filter(({ expiresMs }) => expiresMs > nowMs)
      .map((given) => ['approved', approvalText(given)] as const),
    ['waiting', pending.length > 0 ? `${pending.length} for a human:` : 'none'],
  ])
  return `${facts}${pending.map((each) => pendingText(each, nowMs)).join('')}`
}

const approvalText = ({ id, tool, reasons, expiresMs }: SessionDetails['approvals'][number]): string =>
  `${id}: ${tool}, ${reasons.join(', ')}, until ${timeText(expiresMs)}`

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

/** What the specs of its policy remember of a session; undefined where its documents are not to be had. */
export function policyStatusText(status: PolicyStatus | undefined, nowMs: number): string {
  if (!status)
    return '\nwhat its policy remembers of it is not shown: its documents are neither registered nor those that ship\n'
  const { memory: knows, owed, flows } = status
  const rows = [
    ...owed.map((each) => ['owed', `${each.spec}, ${dueText(each, nowMs)}`]),
    ...flows.map(({ spec, labels }) => ['has come in', `${labels.join(', ') || 'data'}, for ${spec}`]),
    ...(knows === 'whole' ? [] : [['known', MEMORY_TEXT[knows]]]),
  ]
  return rows.length === 0 ? '' : `\n${leftTable(rows)}`
}

const MEMORY_TEXT = {
  seeded: 'moved from another policy: earlier steps are known from its record only',
  cold: 'moved from another policy, without an event since',
} as const

function dueText({ overdueMs, withinSteps }: PolicyStatus['owed'][number], nowMs: number): string {
  if (overdueMs !== undefined)
    return `${overdueMs <= nowMs ? 'overdue since' : 'until'} ${timeText(overdueMs)}`
  return withinSteps === undefined ? 'until the session ends' : `within ${withinSteps} steps`
}

const ANY = 'any'

export const sessionsList = defineCommand({
  name: 'sessions list',
  summary: 'lists the sessions in the store, most at risk first',
  description:
    'Running sessions come first; then by risk level, band and blocked steps. `waiting` counts the calls that wait for a human, `band` the thresholds of the risk that the session has passed.',
  options: {
    tenant: text('NAME', 'only sessions of this tenant'),
    level: choice([ANY, ...LEVELS], 'only sessions at this risk level', ANY),
    limit: integer('N', 'shows at most so many', { min: 1, max: 100_000, default: 50 }),
    json,
  },
  environment: environmentOf(redisSettings),
  examples: [
    ['', 'the fifty most at risk'],
    ['--tenant acme --level critical', 'of one tenant, at one level'],
    ['--level violated --json', 'for a script'],
  ],
  async run({ tenant, level, limit, json }, _operands, { env, stdout, signal }) {
    const config = configOf(redisSettings, env)
    const filter = { tenant, level: level === ANY ? undefined : level }
    const listed = await within(async (onRelease) => {
      const store = openStore(config, onRelease)
      return listSessions(store, filter, limit, signal)
    })
    stdout.write(json ? jsonLine(listed) : sessionsTable(listed, Date.now()))
    return 0
  },
})

const settings = { ...kafkaSettings, ...redisSettings }
const SINCE = '24h'
const SINCE_MS = 86_400_000

export const sessionsShow = defineCommand({
  name: 'sessions show',
  summary: 'shows one session: its state, what waits for a human, each step with its verdict and reasons',
  description:
    'The state comes from the session store, with open obligations and flows of its policy. The timeline comes from the log: events of the session, and the decisions on them. With `--since` it also finds sessions without a record in the store.',
  operands: [['<SESSION_ID>', 'the id of the session']],
  options: {
    since: duration(`how far back the log is read, from the session's last event; default ${SINCE}`),
    json,
  },
  environment: environmentOf(settings),
  examples: [
    ['s-1', 'everything about it'],
    ['acme~run-7 --since 7d --json', 'a week back, for a script'],
  ],
  async run({ since, json }, [id = ''], { env, stdout, signal }) {
    const config = configOf(settings, env)
    const text = await within(async (onRelease) => {
      const store = openStore(config, onRelease)
      const found = await findSession(store, id).catch(unreadable)
      if (!found && since === undefined) throw unknown(id)
      const session = found instanceof PlimsollError ? undefined : found
      const { log, topics } = openLog(config, onRelease)
      const back = since ?? SINCE_MS
      const timeline = await timelineOf(log, topics, id, session, back, signal)
      if (!found && timeline.entries.length === 0) throw unknown(id)
      const rules = session && (await pinnedRules(log, topics.registry, session.state.pins, signal))
      const status = session && rules && policyStatus(session.state, rules)
      const state = found instanceof PlimsollError ? `${found.message}\n` : stateText(id, found)
      if (json) return jsonOf(session, status, timeline)
      const policy = session ? policyStatusText(status, Date.now()) : ''
      return `${plainLines(`${state}${policy}`)}\n${timelineText(timeline)}`
    })
    stdout.write(text)
    return 0
  },
})

const unknown = (id: string): PlimsollError =>
  new PlimsollError(
    'session_state_lost',
    `session \`${id}\` has no record: it never was, has expired, or was lost; \`--since 7d\` looks for its events in the log`,
  )

async function timelineOf(
  log: EventLog,
  topics: Topics,
  sessionId: string,
  session: StoredSession | undefined,
  backMs: number,
  signal: AbortSignal,
): Promise<Timeline> {
  await log.ping()
  const lastEventMs = session?.state.time
  const fromMs = (lastEventMs ?? Date.now()) - backMs
  return readTimeline({ log, topics, sessionId, fromMs, lastEventMs, signal })
}

function stateText(id: string, session: StoredSession | undefined): string {
  if (session) return detailsText(detailsOf(session), Date.now())
  return `session \`${id}\` has no record any more; this is what the log has of it\n`
}

/** An unreadable record is reported beside the events in the log. */
function unreadable(error: unknown): PlimsollError {
  if (error instanceof PlimsollError && (error.code === 'record_invalid' || error.code === 'record_too_new'))
    return error
  throw error
}

const jsonOf = (
  session: StoredSession | undefined,
  status: PolicyStatus | undefined,
  timeline: Timeline,
): string => jsonLine({ session: session ? detailsOf(session) : null, policy: status ?? null, timeline })
