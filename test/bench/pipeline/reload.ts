import { randomUUID } from 'node:crypto'
import { EVENT_SCHEMA, sign, versionOf, type Bundle, type Control } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { controlKeyOf, pause, registerDocument } from '@plimsoll/runtime'
import { startMonitorProcess } from './monitor-process.js'
import { latencyOf, startLoad } from '../clients/open-loop.js'
import { quantile, roundedMs, type Report } from '../report.js'
import { PARTITIONS, SIGNING_KEY, withBenchDeployment, type BenchDeployment } from '../world.js'

const RATE = 200
const WARM_UP_MS = 10_000
const PHASE_MS = 20_000
const CHANGES = 10

/** The latency of decisions while bundles are changed under running sessions again and again, against that of the time before. */
export function benchReload(): Promise<Report> {
  return withBenchDeployment(async (deployment) => {
    const monitors = [await startMonitorProcess(deployment), await startMonitorProcess(deployment)]
    const bundles = await publishBundles(deployment)
    const seen = new Set<string>()
    const watch = await deployment.log.tail(deployment.topics.decisions, ({ value }) => {
      seen.add((JSON.parse(String(value)) as { versions: { bundle: string } }).versions.bundle)
    })
    const load = await startLoad(deployment, {
      answers: deployment.topics.decisions,
      run: 'reload',
      rate: RATE,
    })
    await pause(WARM_UP_MS)
    const quietAt = performance.now()
    await pause(PHASE_MS)
    const changingAt = performance.now()
    for (let i = 0; i < CHANGES; i++) {
      await activate(deployment, bundles[i % bundles.length] ?? '')
      await pause(PHASE_MS / CHANGES)
    }
    const { samples, withoutVerdict } = await load.end()
    await watch.close()
    for (const monitor of monitors) monitor.signal('SIGTERM')
    await Promise.all(monitors.map(({ ended }) => ended))
    const before = samples.filter(({ dueAt }) => dueAt >= quietAt && dueAt < changingAt).map(latencyOf)
    const during = samples.filter(({ dueAt }) => dueAt >= changingAt).map(latencyOf)
    return {
      name: 'reload',
      figures: {
        'proposals/s': RATE,
        'changes of the bundle for running sessions': CHANGES,
        'bundles that decisions were made by': seen.size,
        'proposals unanswered': withoutVerdict,
        'before, p50, ms': roundedMs(quantile(before, 0.5)),
        'before, p99, ms': roundedMs(quantile(before, 0.99)),
        'during, p50, ms': roundedMs(quantile(during, 0.5)),
        'during, p99, ms': roundedMs(quantile(during, 0.99)),
        'p99 during to before, ratio': roundedMs(quantile(during, 0.99) / quantile(before, 0.99)),
      },
    }
  })
}

/** Two bundles that differ in no more than their names. */
async function publishBundles({ log, topics }: BenchDeployment): Promise<string[]> {
  const { bundle } = await defaultDocuments()
  const bundles: Bundle[] = ['one', 'other'].map((name) => ({ ...bundle, name }))
  for (const each of bundles) await registerDocument(log, topics.registry, each)
  return bundles.map(versionOf)
}

async function activate({ log, topics }: BenchDeployment, bundle: string): Promise<void> {
  const change = {
    schema: EVENT_SCHEMA,
    type: 'versions.activated',
    id: `bench-${randomUUID()}`,
    time: Date.now(),
    by: 'bench',
    versions: { bundle },
    running: true,
  } as const
  const records = Array.from({ length: PARTITIONS }, (_, partition) => ({
    key: controlKeyOf(partition, PARTITIONS),
    value: JSON.stringify(sign<Control>({ ...change, partition }, SIGNING_KEY)),
  }))
  await log.produce(topics.events, records)
}
