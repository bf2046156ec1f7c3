/**
 * A monitor in a separate process that ends itself at one point of its delivery order. Its one argument is JSON, see MonitorProcess.
 * Prints `running` when it runs, and `at <arrow>` when it reaches the given arrow.
 */
import { topicsOf, type Policy } from '@plimsoll/contracts'
import { startMonitor, type Arrow, type DeadlineArrow, type MonitorLimits } from '@plimsoll/monitor'
import { defaultDocuments } from '@plimsoll/policy'
import { createLogger, noMetrics } from '@plimsoll/runtime'
import { createKafkaLog } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { writeSync } from 'node:fs'
import { SIGNING_KEY } from '../support/sessions/deployment.js'

export interface MonitorProcess {
  readonly brokers: readonly string[]
  readonly redisUrl: string
  readonly prefix: string
  /** Changes to the default policy. */
  readonly policy?: Partial<Policy>
  readonly limits?: Partial<MonitorLimits>
  /** The point at which the process sends itself `signal`, on the `nth` pass. */
  readonly fate?: {
    readonly arrow: Arrow | DeadlineArrow
    readonly nth: number
    readonly signal: 'SIGKILL' | 'SIGSTOP'
  }
}

const STDOUT = 1
const given = JSON.parse(process.argv[2] ?? '{}') as MonitorProcess
const logger = createLogger({ level: 'warn', write: (line) => process.stderr.write(line) })
const documents = await defaultDocuments()
let visits = 0

function meetFate(arrow: Arrow | DeadlineArrow): void {
  if (arrow !== given.fate?.arrow || ++visits !== given.fate.nth) return
  // Written synchronously: nothing runs after the signal.
  writeSync(STDOUT, `at ${arrow}\n`)
  process.kill(process.pid, given.fate.signal)
}

const monitor = startMonitor({
  log: createKafkaLog({ brokers: given.brokers, logger }),
  store: createRedisStore({ url: given.redisUrl, prefix: `${given.prefix}plimsoll`, logger }),
  documents: [{ ...documents, policy: { ...documents.policy, ...given.policy } }],
  topics: topicsOf(`${given.prefix}plimsoll`),
  group: `${given.prefix}plimsoll-monitor`,
  signingKey: SIGNING_KEY,
  limits: { chunkEventsMax: 16, sessionTimeoutMs: 6_000, ...given.limits },
  metrics: noMetrics,
  logger,
  onFatal: () => process.exit(1),
  onArrow: meetFate,
  onDeadlineArrow: meetFate,
})
await monitor.started
writeSync(STDOUT, 'running\n')
