import { LEVELS, PlimsollError, topicsOf } from '@plimsoll/contracts'
import {
  detailsOf,
  findSession,
  listSessions,
  readTimeline,
  standingUnder,
  type PolicyStanding,
  type StoredSession,
  type Timeline,
} from '@plimsoll/operator'
import {
  checkKafkaSettings,
  kafkaSettings,
  parseConfig,
  redisSettings,
  type EventLog,
} from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { defineCommand } from '../command.js'
import { environmentOf } from '../environment.js'
import { within } from '../pipeline/within.js'
import { jsonLine, plainLines } from '../plain-text.js'
import { pinnedRules } from '../sessions/pinned-rules.js'
import { detailsText, sessionsTable } from '../sessions/sessions-text.js'
import { standingText } from '../sessions/standing-text.js'
import { timelineText } from '../sessions/timeline-text.js'

const ANY = 'any'

export const sessionsList = defineCommand({
  name: 'sessions list',
  summary: 'lists the sessions that are remembered, most at risk first',
  description: [
    'Those that run before those that have ended; then by risk level, band and what was blocked. `waiting` counts the calls that wait for a',
    'human, `band` how many forward thresholds the session has passed.',
  ],
  options: {
    tenant: { type: 'text', value: 'NAME', help: 'of this tenant' },
    level: { type: 'choice', choices: [ANY, ...LEVELS], help: 'at this risk level', default: ANY },
    band: { type: 'integer', value: 'N', help: 'in this band', min: 0, max: 3 },
    limit: { type: 'integer', value: 'N', help: 'shows so many at most', min: 1, max: 100_000, default: 50 },
    json: { type: 'flag', help: 'one JSON object on stdout' },
  },
  environment: environmentOf(redisSettings),
  examples: [
    ['', 'the fifty most at risk'],
    ['--tenant acme --level critical', 'of one tenant, at one level'],
    ['--band 3 --json', 'for a script'],
  ],
  async run({ tenant, level, band, limit, json }, _operands, { env, stdout, signal }) {
    const config = parseConfig(redisSettings, env, { prefixes: [] })
    const filter = { tenant, level: level === ANY ? undefined : level, band }
    const listed = await within(async (onRelease) => {
      const store = createRedisStore({ url: config.redisUrl, prefix: config.redisPrefix })
      onRelease(() => store.close())
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
  summary: 'shows one session: its state, what waits for a human, each step with its verdict and why',
  description: [
    'The state comes from the session store, with what the specs of its policy remember: what is owed, what flows have seen come in. The',
    'timeline comes from the log: the events of the session and the decisions on them. A session that',
    'has no record any more is looked for in the log where `--since` tells how far back.',
  ],
  operands: { name: 'SESSION_ID', help: 'the id of the session', min: 1, max: 1 },
  options: {
    since: {
      type: 'duration',
      help: `how far back the log is read, from when the session was heard last; ${SINCE} if left out`,
    },
    json: { type: 'flag', help: 'one JSON object on stdout' },
  },
  environment: environmentOf(settings),
  examples: [
    ['s-1', 'everything about it'],
    ['acme~run-7 --since 7d --json', 'a week back, for a script'],
  ],
  async run({ since, json }, [id = ''], { env, stdout, signal }) {
    const config = parseConfig(settings, env, { prefixes: [], checks: [checkKafkaSettings] })
    const text = await within(async (onRelease) => {
      const store = createRedisStore({ url: config.redisUrl, prefix: config.redisPrefix })
      onRelease(() => store.close())
      const found = await findSession(store, id).catch(unreadable)
      if (!found && since === undefined) throw unknown(id)
      const session = found instanceof PlimsollError ? undefined : found
      const log = createKafkaLog(kafkaConnectionOf(config))
      onRelease(() => log.close())
      const back = since ?? SINCE_MS
      const timeline = await timelineOf(log, config.topicPrefix, id, session, back, signal)
      if (!found && timeline.entries.length === 0) throw unknown(id)
      const rules = session && (await pinnedRules(log, config.topicPrefix, session.state.pins, signal))
      const standing = session && rules && standingUnder(session.state, rules)
      const state = found instanceof PlimsollError ? `${found.message}\n` : stateText(id, found)
      if (json) return jsonOf(session, standing, timeline)
      const policy = session ? standingText(standing, Date.now()) : ''
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
  topicPrefix: string,
  sessionId: string,
  session: StoredSession | undefined,
  backMs: number,
  signal: AbortSignal,
): Promise<Timeline> {
  await log.ping()
  const heardMs = session?.state.time
  const fromMs = (heardMs ?? Date.now()) - backMs
  return readTimeline({ log, topics: topicsOf(topicPrefix), sessionId, fromMs, heardMs, signal })
}

function stateText(id: string, session: StoredSession | undefined): string {
  if (session) return detailsText(detailsOf(session), Date.now())
  return `session \`${id}\` has no record any more; this is what the log has of it\n`
}

/** A record that nobody can be judged by is told with what the log has. */
function unreadable(error: unknown): PlimsollError {
  if (error instanceof PlimsollError && (error.code === 'record_invalid' || error.code === 'record_too_new'))
    return error
  throw error
}

const jsonOf = (
  session: StoredSession | undefined,
  standing: PolicyStanding | undefined,
  timeline: Timeline,
): string => jsonLine({ session: session ? detailsOf(session) : null, policy: standing ?? null, timeline })
