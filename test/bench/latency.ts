import { digestOf, type Event } from '@plimsoll/contracts'
import { pause } from '@plimsoll/runtime'
import { startForwarder } from './forwarder.js'
import { quantile, type Report } from './report.js'
import { withBenchWorld, type BenchWorld } from './world.js'

const RATE = 200
const SECONDS = 15
const WARM_UP = 2 * RATE
const COUNT = RATE * SECONDS + WARM_UP
/** Enough that no session comes to its cap on open calls. */
const SESSIONS = 150

/**
 * From publishing a proposal to its decision, open-loop: each is published at its scheduled time, whether or not earlier ones were
 * answered, and its latency counts from that time. Against the same records echoed by a bare kafkajs forwarder, in one run.
 */
export function benchLatency(): Promise<Report> {
  return withBenchWorld(async (world) => {
    const echo = `${world.prefix}echo`
    const bare = await startForwarder({
      brokers: world.brokers,
      from: world.topics.events,
      to: echo,
      group: `${world.prefix}bare`,
    })
    const echoed = await measure(world, echo, 'bare')
    await bare.stop()
    await world.startMonitor()
    const decided = await measure(world, world.topics.decisions, 'monitored')
    return {
      name: 'latency',
      figures: {
        'proposals/s': RATE,
        'bare kafkajs echo p50, ms': ms(quantile(echoed, 0.5)),
        'bare kafkajs echo p99, ms': ms(quantile(echoed, 0.99)),
        'publish to decision p50, ms': ms(quantile(decided, 0.5)),
        'publish to decision p99, ms': ms(quantile(decided, 0.99)),
        'p50 to echo, ratio': ms(quantile(decided, 0.5) / quantile(echoed, 0.5)),
        'p99 to echo, ratio': ms(quantile(decided, 0.99) / quantile(echoed, 0.99)),
      },
    }
  })
}

/** Latencies in milliseconds of all but the first proposals, from scheduled publishing to the arrival on `topic`. */
async function measure(world: BenchWorld, topic: string, run: string): Promise<number[]> {
  const due = new Map<string, number>()
  const latencies: number[] = []
  let arrived = 0
  let allArrived = () => {}
  const untilAllArrived = new Promise<void>((resolve) => (allArrived = resolve))
  const consumption = await world.log.tail(topic, ({ value }) => {
    const {
      id,
      eventId = id,
      type,
    } = JSON.parse(String(value)) as { id: string; eventId?: string; type?: string }
    const at = due.get(eventId)
    if (at === undefined || type === 'session.started') return
    if (++arrived > WARM_UP) latencies.push(performance.now() - at)
    if (arrived === COUNT) allArrived()
  })
  await world.publish(Array.from({ length: SESSIONS }, (_, i) => startOf(`${run}-${i}`)))
  const sent: Promise<void>[] = []
  const start = performance.now() + 100
  for (let i = 0; i < COUNT; i++) {
    const at = start + (i * 1000) / RATE
    if (at > performance.now()) await pause(at - performance.now())
    const proposal = proposalOf(`${run}-${i % SESSIONS}`, Math.floor(i / SESSIONS))
    due.set(proposal.id, at)
    sent.push(world.publish([proposal]))
  }
  await Promise.all([...sent, untilAllArrived])
  await consumption.close()
  return latencies
}

const envelope = (sessionId: string, seq: number) =>
  ({ schema: 1, id: `${sessionId}-${seq}`, sessionId, producer: 'bench', seq, time: 0 }) as const

const startOf = (sessionId: string): Event => ({
  ...envelope(sessionId, 0),
  type: 'session.started',
  category: 'sysadmin',
})

function proposalOf(sessionId: string, index: number): Event {
  const call = { callId: `c${index}`, tool: 'list_files', argumentsDigest: digestOf({}) }
  return { ...envelope(sessionId, index + 1), type: 'tool.proposed', ...call }
}

const ms = (value: number): number => Math.round(value * 100) / 100
