import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hashOfToken, parseUsers, startConsole } from '@plimsoll/console'
import { noMetrics, silentLogger } from '@plimsoll/runtime'
import { perSecond, type Report } from '../report.js'
import { type BenchDeployment, withBenchDeployment } from '../world.js'
import { EVENTS, PROPOSALS, fill } from './pipeline.js'

const RECORDS = EVENTS + PROPOSALS

/** How fast a console with a new database takes in the events and decisions that lie in the log; and how fast they are read and no more, in one run. */
export function benchConsole(): Promise<Report> {
  return withBenchDeployment(async (deployment) => {
    await fill(deployment)
    await decide(deployment)
    const bare = await timeReading(deployment)
    const { seconds, cpuSeconds } = await timeConsole(deployment)
    return {
      name: 'console',
      figures: {
        'events and decisions in the log': RECORDS,
        'read and no more, records/s': perSecond(RECORDS, bare),
        'console with a new database, records/s': perSecond(RECORDS, seconds),
        'console, CPU µs a record': Math.round((cpuSeconds / RECORDS) * 1e7) / 10,
      },
    }
  })
}

/** Resolves once every proposal in the log has its decision. */
async function decide(deployment: BenchDeployment): Promise<void> {
  let decided = 0
  const done = new Promise<void>((resolve) => {
    void deployment.log.tail(deployment.topics.decisions, () => {
      if (++decided === PROPOSALS) resolve()
    })
  })
  const monitor = await deployment.startMonitor()
  await done
  await monitor.close()
}

async function timeReading({ log, topics }: BenchDeployment): Promise<number> {
  const startedAt = performance.now()
  let records = 0
  await new Promise<void>((resolve) => {
    const count = () => {
      if (++records === RECORDS) resolve()
    }
    for (const topic of [topics.events, topics.decisions]) void log.tail(topic, count, { from: 'beginning' })
  })
  return (performance.now() - startedAt) / 1000
}

async function timeConsole({
  log,
  topics,
}: BenchDeployment): Promise<{ readonly seconds: number; readonly cpuSeconds: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-bench-'))
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const console = await startConsole({
    log,
    topics,
    users: parseUsers({
      users: [{ name: 'bench', tokens: [hashOfToken('bench')], roles: { '*': 'viewer' } }],
    }),
    database: path.join(folder, 'console.sqlite'),
    port: 0,
    metrics: noMetrics,
    logger: silentLogger,
  })
  try {
    await console.caughtUp
    const { user, system } = process.cpuUsage(before)
    return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 }
  } finally {
    await console.close()
    await rm(folder, { recursive: true })
  }
}
