import type { Arrow } from '@plimsoll/monitor'
import { startForwarder } from './forwarder.js'
import { perSecond, type Report } from '../report.js'
import { sessionEvents } from './sessions.js'
import { withBenchDeployment, type BenchDeployment } from '../world.js'

const SESSIONS = 2_000
const CALLS = 6
export const EVENTS = SESSIONS * (2 + 2 * CALLS)
export const PROPOSALS = SESSIONS * CALLS

/** Events through the whole monitor against the same records through a bare kafkajs forwarder, in one run. */
export function benchPipeline(): Promise<Report> {
  return withBenchDeployment(async (deployment) => {
    await fill(deployment)
    const bare = await timeForwarder(deployment)
    const { seconds, shares } = await timeMonitor(deployment)
    return {
      name: 'pipeline',
      figures: {
        'events in the log': EVENTS,
        'bare kafkajs forwarder, events/s': perSecond(EVENTS, bare),
        'monitor, events/s': perSecond(EVENTS, seconds),
        'monitor to forwarder, ratio': round(bare / seconds),
        ...Object.fromEntries(
          Object.entries(shares).map(([arrow, share]) => [`time up to \`${arrow}\`, share`, round(share)]),
        ),
      },
    }
  })
}

/** Sessions in step with each other, so that neighbours in the log are of different sessions, as in a fleet. */
export async function fill(deployment: BenchDeployment): Promise<void> {
  const GROUP = 200
  for (let first = 0; first < SESSIONS; first += GROUP) {
    const sessions = Array.from({ length: GROUP }, (_, i) =>
      sessionEvents(`${deployment.prefix}${first + i}`, CALLS),
    )
    for (const [i] of (sessions[0] ?? []).entries())
      await deployment.publish(sessions.flatMap((events) => events.slice(i, i + 1)))
  }
}

async function timeForwarder({ brokers, topics, prefix }: BenchDeployment): Promise<number> {
  let forwarded = 0
  let startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const onForwarded = (count: number) => {
      // From the end of the first batch on: joining a group is not what is measured.
      if (forwarded === 0) startedAt = performance.now()
      forwarded += count
      if (forwarded < EVENTS) return
      resolve((performance.now() - startedAt) / 1000)
      void started.then((forwarder) => forwarder.stop())
    }
    const started = startForwarder({
      brokers,
      from: topics.events,
      to: `${prefix}echo`,
      group: `${prefix}bare`,
      onForwarded,
    })
    started.catch(reject)
  })
}

/** The seconds, and which share of the chunks' time passed on the way to each arrow. Chunks of all partitions overlap. */
async function timeMonitor(
  deployment: BenchDeployment,
): Promise<{ seconds: number; shares: Record<string, number> }> {
  const spent: Partial<Record<Arrow, number>> = {}
  let last = performance.now()
  let startedAt = 0
  let seen = 0
  const done = new Promise<number>((resolve) => {
    void deployment.log.tail(deployment.topics.decisions, () => {
      if (++seen === PROPOSALS) resolve((performance.now() - startedAt) / 1000)
    })
  })
  await deployment.startMonitor((arrow) => {
    const now = performance.now()
    if (startedAt === 0) startedAt = now
    spent[arrow] = (spent[arrow] ?? 0) + now - last
    last = now
  })
  const seconds = await done
  const total = Object.values(spent).reduce((sum, ms) => sum + ms, 0)
  return {
    seconds,
    shares: Object.fromEntries(Object.entries(spent).map(([arrow, ms]) => [arrow, ms / total])),
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000
