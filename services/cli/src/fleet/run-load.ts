import { createClient } from '@plimsoll/client'
import { topicsOf } from '@plimsoll/contracts'
import { createSchedule, runFleet, type Scenario } from '@plimsoll/fleet'
import { createLogger, type ConfigOf } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import type { Output } from '../command.js'
import { createReviewer } from '../pipeline/reviewer.js'
import { unlessAborted } from '../pipeline/unless-aborted.js'
import { within } from '../pipeline/within.js'
import { createProgress } from '../progress.js'
import { createFleetReport, type FleetFigures, type FleetReport } from './fleet-report.js'
import type { fleetSettings } from './settings.js'

/** How often the line that tells how it stands is made anew, milliseconds. */
const NOTE_MS = 500

export interface LoadPlan {
  readonly run: string
  readonly seed: number
  /** Without end where it is undefined. */
  readonly sessions: number | undefined
  /** Steps a second; as fast as the answers come where it is undefined. */
  readonly rate: number | undefined
  readonly concurrency: number
  readonly scenarios: readonly Scenario[]
  readonly tenants: readonly string[]
  readonly agents: number
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
    const log = createKafkaLog({ ...kafkaConnectionOf(config), logger })
    onRelease(() => log.close())
    const topics = topicsOf(config.topicPrefix)
    const report = createFleetReport()
    const { timeoutMs, hasReviews, rate } = plan
    // Where there is no topic yet the client waits for one; where there is no Kafka, that is told at once.
    await log.ping()
    if (!(await log.describe(topics.events)))
      stderr.write(
        `no topic \`${topics.events}\` yet: waiting; a monitor or \`plimsoll doctor --create\` makes it, where PLIMSOLL_TOPIC_PREFIX is right\n`,
      )
    const { signingKey, fingerprintKey, identityKey } = config
    const told = fingerprintKey === undefined ? {} : { fingerprintKey }
    const connecting = createClient({
      log,
      topics,
      timeoutMs,
      onStepWithoutVerdict: report.withoutVerdict,
      identityKey,
      principal: 'plimsoll fleet',
      ...told,
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

function fleetPlan({ run, seed, concurrency, scenarios, tenants, agents, obeys, sessions }: LoadPlan) {
  const common = { name: run, seed, concurrency, scenarios, tenants, agents, obeys }
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
