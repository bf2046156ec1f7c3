import { randomBytes } from 'node:crypto'
import { createClient } from '@plimsoll/client'
import { PlimsollError, tenantSchema } from '@plimsoll/contracts'
import { createSchedule, runFleet } from '@plimsoll/fleet'
import { monitorSettings } from '@plimsoll/monitor'
import {
  type ConfigOf,
  createLogger,
  fingerprintSettings,
  identitySettings,
  kafkaSettings,
} from '@plimsoll/runtime'
import {
  type Output,
  defineCommand,
  environmentOf,
  duration,
  flag,
  integer,
  json,
  noFlag,
  text,
} from '../../command.js'
import { configOf, openLog, unlessAborted, within } from '../../deployment.js'
import {
  type Endings,
  type FleetFigures,
  type FleetReport,
  LATE_MS,
  createFleetReport,
} from './fleet-report.js'
import { countsTable } from '../../format/tally.js'
import { textTable } from '../../format/text.js'
import { createReviewer } from '../../own-monitor.js'
import { createProgress } from '../../format/progress.js'

/** What `plimsoll fleet` prints at its end. `asked` is the rate that was asked for, steps a second. */
export function fleetText(figures: FleetFigures, asked: number | undefined): string {
  const { byCategory, seconds, stepsPerSecond, latencyMs } = figures
  const { p50, p90, p99, max } = latencyMs
  const rate = asked === undefined ? '' : ` of the ${asked} asked for`
  return [
    countsTable('category', byCategory, figures),
    endingsTable(figures),
    `${figures.steps} steps in ${seconds} s, ${stepsPerSecond}/s${rate}\n`,
    `from due to decided ${p50} ms (p50), ${p90} ms (p90), ${p99} ms (p99), ${max} ms at most\n${troubleText(figures)}`,
    'synthetic: agents, tasks and leaks are made up; nothing about real agents follows from these figures\n',
  ].join('\n')
}

function endingsTable(figures: FleetFigures): string {
  const row = (name: string, { completed, failed, cancelled, violated, leaked }: Endings) => [
    name,
    completed,
    failed,
    cancelled,
    violated,
    leaked,
  ]
  return textTable([
    ['ended', 'completed', 'failed', 'cancelled', 'violated', 'leaked'],
    ...Object.entries(figures.byCategory).map(([name, endings]) => row(name, endings)),
    row('all', figures),
  ])
}

/** What was in the way, each on a line of its own; nothing where nothing was. */
function troubleText({ late, withoutVerdict, full, retried, reviews }: FleetFigures): string {
  const { run, stopped, open } = reviews
  const { timeout, queue_full: queueFull, closed } = withoutVerdict
  const troubles: readonly (readonly [count: number, text: string])[] = [
    [
      run + stopped + open,
      `${run + stopped + open} answers of humans: ${run} run, ${stopped} stopped, ${open} open`,
    ],
    [late.steps, `${late.steps} steps started over ${LATE_MS} ms late, the latest by ${late.maxMs} ms`],
    [timeout, `${timeout} steps had no decision in time; the fail mode answered`],
    [queueFull, `${queueFull} steps found the client's queue full; the fail mode answered`],
    [closed, `${closed} steps were under way when the client closed`],
    [full, `${full} times an event waited for room in the client`],
    [retried, `${retried} times events were sent again`],
  ]
  return troubles.map(([count, text]) => (count > 0 ? `${text}\n` : '')).join('')
}

/** Names of agents that the tasks are divided among. */
const AGENTS = 8

/** How often the line that tells how it stands is made again, milliseconds. */
const NOTE_MS = 500

export interface LoadPlan {
  readonly run: string
  readonly seed: number
  /** Without end where it is undefined. */
  readonly sessions: number | undefined
  /** Steps a second; as fast as the answers come where it is undefined. */
  readonly rate: number | undefined
  readonly concurrency: number
  readonly tenants: readonly string[]
  readonly obeys: boolean
  readonly hasReviews: boolean
  /** How long a step waits for its verdict, milliseconds. */
  readonly timeoutMs: number
}

/** Plays the fleet over Kafka to its end or the abort; gives what came of it so far in either case. */
export function runLoad(
  plan: LoadPlan,
  config: ConfigOf<typeof fleetSettings>,
  stderr: Output,
  signal: AbortSignal,
): Promise<FleetFigures> {
  return within(async (onRelease) => {
    const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
    const { log, topics } = openLog(config, onRelease, logger)
    const report = createFleetReport()
    const { timeoutMs, hasReviews, rate } = plan
    // Where there is no topic yet the client waits for one; where there is no Kafka, that is told at once.
    await log.ping()
    if (!(await log.describe(topics.events)))
      stderr.write(
        `no topic \`${topics.events}\` yet: waiting; a monitor or \`plimsoll doctor --create\` makes it, where PLIMSOLL_TOPIC_PREFIX is right\n`,
      )
    const { signingKey, fingerprintKey, identityKey } = config
    const reported = fingerprintKey === undefined ? {} : { fingerprintKey }
    const connecting = createClient({
      log,
      topics,
      timeoutMs,
      onStepWithoutVerdict: report.withoutVerdict,
      identityKey,
      principal: 'plimsoll fleet',
      ...reported,
    })
    const client = await unlessAborted(connecting, signal, 'interrupted before the fleet was connected')
    onRelease(() => client.close())
    const endProgress = followReport(report, plan.sessions, stderr)
    try {
      await runFleet({
        ...fleetPlan(plan),
        client,
        statesEvidence: fingerprintKey === undefined,
        signal,
        ...(rate !== undefined && { pace: createSchedule(rate) }),
        ...(hasReviews &&
          signingKey !== undefined && { submitReview: createReviewer(log, topics.events, signingKey) }),
        onSession: report.session,
        onDecision: report.decision,
        onEnd: report.ended,
        onFull: report.full,
      })
    } finally {
      endProgress()
    }
    return report.figures(client)
  })
}

function fleetPlan({ run, seed, concurrency, tenants, obeys, sessions }: LoadPlan) {
  const common = { name: run, seed, concurrency, tenants, obeys, agents: AGENTS }
  return { ...common, ...(sessions !== undefined && { sessions }) }
}

/** Shows how the fleet stands until the function that it gives is called. */
function followReport(report: FleetReport, sessions: number | undefined, stderr: Output): () => void {
  const progress = createProgress(stderr, 'fleet')
  const show = () =>
    progress.update(sessions === undefined ? undefined : report.endedCount() / sessions, report.note())
  const timer = setInterval(show, NOTE_MS)
  return () => {
    clearInterval(timer)
    show()
    progress.end()
  }
}

/** Where the fleet finds Kafka, the keys of its fingerprints and identities, and the one that its simulated humans sign with. */
export const fleetSettings = {
  ...kafkaSettings,
  ...fingerprintSettings,
  ...identitySettings,
  signingKey: monitorSettings.signingKey,
}

/** The tenants in `a,b`; none where there is no text. Throws `usage_invalid`. */
export function parseTenants(text: string | undefined): readonly string[] {
  const names = text === undefined ? [] : text.split(',').map((name) => name.trim())
  for (const name of names) {
    const parsed = tenantSchema.safeParse(name)
    if (parsed.success) continue
    const problem = parsed.error.issues[0]?.message ?? 'no tenant'
    throw new PlimsollError('usage_invalid', `\`--tenants\`: ${problem}, not \`${name}\``)
  }
  return names
}

export const fleet = defineCommand({
  name: 'fleet',
  summary: 'plays simulated agents over Kafka: a demonstration, and load',
  description:
    'Forty made-up tasks, ten a category, played by seeded agents that propose each step to the monitors on this Kafka and obey the verdicts. Synthetic: made after the description in the SafetyDrift paper, not its data; nothing about real agents follows from it. `--rate` is steps a second over all sessions, each due at a fixed time whatever became of the earlier ones; latency counts from then, so that what is held up shows. Where sessions are too few to keep up, steps start late, which is counted. With PLIMSOLL_SIGNING_KEY simulated humans answer approval requests; now and then nobody answers, and the session goes on without the step. Ends after `--sessions`, or on Ctrl-C, with the summary so far.',
  options: {
    sessions: integer('N', 'ends after so many sessions', { min: 1, max: 100_000_000 }),
    rate: integer('N', 'steps a second; as fast as answers come if left out', { min: 1, max: 1_000_000 }),
    seed: integer('N', 'what is played, and how', { min: 0, max: 2 ** 32 - 1, default: 1 }),
    concurrency: integer('N', 'sessions at a time', { min: 1, max: 5000, default: 64 }),
    tenants: text('A,B', 'tenants that the sessions are of; none if left out'),
    observe: flag('agents wait for their verdicts and go on whatever they are'),
    reviews: noFlag('leaves questions to you: agents go on without those steps'),
    timeout: duration('how long a step waits for its verdict', '2s'),
    run: text('NAME', 'what session ids begin with; another in each run if left out'),
    json,
  },
  environment: environmentOf(fleetSettings),
  examples: [
    ['--rate 20', 'a fleet to watch in Grafana, until Ctrl-C'],
    ['--sessions 1000 --rate 500 --concurrency 500 --json', 'a load test: 500 steps a second'],
    ['--tenants acme,globex --rate 10', 'two tenants'],
    ['--sessions 400 --observe', 'what happens when agents ignore the verdicts'],
  ],
  async run(values, _, { env, stdout, stderr, signal }) {
    const { sessions, rate, seed, concurrency, observe, timeout, json } = values
    const config = configOf(fleetSettings, env)
    const { run = `fleet-${randomBytes(4).toString('hex')}` } = values
    const plan = {
      run,
      seed,
      sessions,
      rate,
      concurrency,
      tenants: parseTenants(values.tenants),
      obeys: !observe,
      hasReviews: values.reviews,
      timeoutMs: timeout,
    }
    const figures = await runLoad(plan, config, stderr, signal)
    stdout.write(json ? `${JSON.stringify({ run, seed, ...figures })}\n` : fleetText(figures, rate))
    // Without a number of sessions being interrupted is how it ends.
    const isCutShort = signal.aborted && sessions !== undefined
    if (isCutShort) stderr.write('interrupted: these are not all sessions\n')
    return isCutShort ? 1 : 0
  },
})
