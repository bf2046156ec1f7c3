import { pause } from '@plimsoll/runtime'
import { startForwarder } from './pipeline/forwarder.js'
import { latencyOf, startLoad } from './clients/open-loop.js'
import { quantile, roundedMs, type Report } from './report.js'
import { withBenchDeployment, type BenchDeployment } from './world.js'

const RATE = 200
const SECONDS = 15
const WARM_UP_SECONDS = 2

/**
 * From publishing a proposal to its decision, open-loop, against the same records echoed by a bare kafkajs forwarder, in one run.
 */
export function benchLatency(): Promise<Report> {
  return withBenchDeployment(async (deployment) => {
    const echo = `${deployment.prefix}echo`
    const bare = await startForwarder({
      brokers: deployment.brokers,
      from: deployment.topics.events,
      to: echo,
      group: `${deployment.prefix}bare`,
    })
    const echoed = await measure(deployment, echo, 'bare')
    await bare.stop()
    await deployment.startMonitor()
    const decided = await measure(deployment, deployment.topics.decisions, 'monitored')
    return {
      name: 'latency',
      figures: {
        'proposals/s': RATE,
        'bare kafkajs echo p50, ms': roundedMs(quantile(echoed, 0.5)),
        'bare kafkajs echo p99, ms': roundedMs(quantile(echoed, 0.99)),
        'publish to decision p50, ms': roundedMs(quantile(decided, 0.5)),
        'publish to decision p99, ms': roundedMs(quantile(decided, 0.99)),
        'p50 to echo, ratio': roundedMs(quantile(decided, 0.5) / quantile(echoed, 0.5)),
        'p99 to echo, ratio': roundedMs(quantile(decided, 0.99) / quantile(echoed, 0.99)),
      },
    }
  })
}

/** Latencies in milliseconds of the proposals behind the first few seconds'. */
async function measure(deployment: BenchDeployment, answers: string, run: string): Promise<number[]> {
  const load = await startLoad(deployment, { answers, run, rate: RATE })
  await pause((WARM_UP_SECONDS + SECONDS) * 1000)
  const { samples } = await load.end()
  return samples.slice(WARM_UP_SECONDS * RATE).map(latencyOf)
}
