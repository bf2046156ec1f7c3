import { randomBytes } from 'node:crypto'
import { createClient } from '@plimsoll/client'
import { PlimsollError, tenantSchema } from '@plimsoll/contracts'
import { createSchedule, runFleet } from '@plimsoll/fleet'
import { monitorSettings } from '@plimsoll/monitor'
import { createLogger, fingerprintSettings, identitySettings, kafkaSettings } from '@plimsoll/runtime'
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
import { jsonLine, textTable } from '../../format/text.js'
import { createReviewer } from '../../own-monitor.js'
import { createProgress } from '../../format/progress.js'

/** The summary of a fleet. `asked`: the requested rate, steps a second. */
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

/** A line for each obstacle that occurred. */
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

/** How often the progress line is updated, milliseconds. */
const NOTE_MS = 500

/** Shows the progress of the fleet until the returned function is called. */
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

const fleetSettings = {
  ...kafkaSettings,
  ...fingerprintSettings,
  ...identitySettings,
  signingKey: monitorSettings.signingKey,
}

/** The tenants in `a,b`. Throws `usage_invalid`. */
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
    'Forty made-up tasks, ten in each category. Seeded agents propose each step to the monitors on this Kafka, and obey the verdicts. Synthetic: it follows the description in the SafetyDrift paper, not its data, and says nothing about real agents. With `--rate` each step is due at a fixed time, and latency counts from then; late starts are counted. With PLIMSOLL_SIGNING_KEY simulated humans answer approval requests, except for some. Ends after `--sessions`, or on Ctrl-C, with a summary.',
  options: {
    sessions: integer('N', 'ends after so many sessions', { min: 1, max: 100_000_000 }),
    rate: integer('N', 'steps a second; default: as fast as answers come', { min: 1, max: 1_000_000 }),
    seed: integer('N', 'seed of the tasks and of what agents do', { min: 0, max: 2 ** 32 - 1, default: 1 }),
    concurrency: integer('N', 'sessions at a time', { min: 1, max: 5000, default: 64 }),
    tenants: text('A,B', 'tenants of the sessions; default: none'),
    observe: flag('agents wait for their verdicts and ignore them'),
    reviews: noFlag('leaves approval requests to you: agents continue without those steps'),
    timeout: duration('how long a step waits for its verdict', '2s'),
    run: text('NAME', 'prefix of the session ids; default: random'),
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
    const { sessions, rate, seed, concurrency, observe, timeout, reviews, json } = values
    const { run = `fleet-${randomBytes(4).toString('hex')}` } = values
    const tenants = parseTenants(values.tenants)
    const { signingKey, fingerprintKey, identityKey, ...config } = configOf(fleetSettings, env)
    const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
    const figures = await within(async (onRelease) => {
      const { log, topics } = openLog(config, onRelease, logger)
      const report = createFleetReport()
      // The client waits for a missing topic; a missing Kafka is reported at once.
      await log.ping()
      if (!(await log.describe(topics.events)))
        stderr.write(
          `no topic \`${topics.events}\` yet: waiting; a monitor or \`plimsoll doctor --create\` creates it, if PLIMSOLL_TOPIC_PREFIX is right\n`,
        )
      const connecting = createClient({
        log,
        topics,
        timeoutMs: timeout,
        onStepWithoutVerdict: report.withoutVerdict,
        identityKey,
        principal: 'plimsoll fleet',
        ...(fingerprintKey !== undefined && { fingerprintKey }),
      })
      const client = await unlessAborted(connecting, signal, 'interrupted before the fleet was connected')
      onRelease(() => client.close())
      const endProgress = followReport(report, sessions, stderr)
      const fleet = runFleet({
        client,
        name: run,
        seed,
        concurrency,
        tenants,
        obeys: !observe,
        statesEvidence: fingerprintKey === undefined,
        signal,
        ...(sessions !== undefined && { sessions }),
        ...(rate !== undefined && { pace: createSchedule(rate) }),
        ...(reviews &&
          signingKey !== undefined && { submitReview: createReviewer(log, topics.events, signingKey) }),
        onSession: report.session,
        onDecision: report.decision,
        onEnd: report.ended,
        onFull: report.full,
      })
      await fleet.finally(endProgress)
      return report.figures(client)
    })
    stdout.write(json ? jsonLine({ run, seed, ...figures }) : fleetText(figures, rate))
    // Without `--sessions` an interruption is the normal end.
    const isCutShort = signal.aborted && sessions !== undefined
    if (isCutShort) stderr.write('interrupted: these are not all sessions\n')
    return isCutShort ? 1 : 0
  },
})
