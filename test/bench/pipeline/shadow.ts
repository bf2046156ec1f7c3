import { randomUUID } from 'node:crypto'
import { EVENT_SCHEMA, sign, versionOf, type Bundle, type Control } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { controlKeyOf, registerDocument } from '@plimsoll/runtime'
import { withHazardAt } from '../../support/sessions/hazard-at.js'
import { EVENTS, fill, PROPOSALS } from './pipeline.js'
import { perSecond, quantile, type Report } from '../report.js'
import { PARTITIONS, SIGNING_KEY, withBenchDeployment, type BenchDeployment } from '../world.js'

const ROUNDS = 3
const VARIANTS = ['none', 'alike', 'stricter'] as const
type Variant = (typeof VARIANTS)[number]

/**
 * What a candidate in shadow costs the monitor, in one run: the same sessions without a candidate, with a candidate that says the same, and with a candidate that
 * differs on every step. Processor time of the whole process counts: a clock would count what other processes do.
 */
export async function benchShadow(): Promise<Report> {
  const spent = new Map<Variant, Spent[]>(VARIANTS.map((variant) => [variant, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const variant of VARIANTS)
      spent.get(variant)?.push(await withBenchDeployment((deployment) => time(deployment, variant)))
  const median = (variant: Variant, of: keyof Spent) =>
    quantile(
      (spent.get(variant) ?? []).map((each) => each[of]),
      0.5,
    )
  const micros = (variant: Variant) => (median(variant, 'cpuSeconds') / EVENTS) * 1e6
  return {
    name: 'shadow',
    figures: {
      'without, events/s': perSecond(EVENTS, median('none', 'seconds')),
      'with a candidate that says the same, events/s': perSecond(EVENTS, median('alike', 'seconds')),
      'without, CPU µs an event': rounded(micros('none')),
      'with a candidate that says the same, CPU µs an event': rounded(micros('alike')),
      'candidate that differs on every step, CPU µs an event': rounded(micros('stricter')),
      'CPU, candidate that says the same to none, ratio': rounded(micros('alike') / micros('none')),
      'CPU, candidate that differs to none, ratio': rounded(micros('stricter') / micros('none')),
    },
  }
}

interface Spent {
  readonly seconds: number
  readonly cpuSeconds: number
}

async function time(deployment: BenchDeployment, variant: Variant): Promise<Spent> {
  if (variant !== 'none') await shadow(deployment, await candidate(variant))
  await fill(deployment)
  let seen = 0
  let startedAt = 0
  let cpu = process.cpuUsage()
  const done = new Promise<Spent>((resolve) => {
    void deployment.log.tail(deployment.topics.decisions, () => {
      if (++seen < PROPOSALS) return
      const { user, system } = process.cpuUsage(cpu)
      resolve({ seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 })
    })
  })
  const onArrow = () => {
    // Joining the group is not what is measured.
    if (startedAt > 0) return
    startedAt = performance.now()
    cpu = process.cpuUsage()
  }
  await deployment.startMonitor(onArrow, { signingKey: SIGNING_KEY })
  return done
}

/** The bundle that ships under another name, or with every step over its hazard thresholds. */
async function candidate(variant: Variant): Promise<Bundle> {
  const { bundle } = await defaultDocuments()
  if (variant === 'alike') return { ...bundle, name: variant }
  return withHazardAt(bundle, variant, 0)
}

/** Before any session: it lies in front of them in each partition. */
async function shadow({ log, topics }: BenchDeployment, bundle: Bundle): Promise<void> {
  await registerDocument(log, topics.registry, bundle)
  const change = {
    schema: EVENT_SCHEMA,
    type: 'shadow.changed',
    id: `bench-${randomUUID()}`,
    time: Date.now(),
    by: 'bench',
    candidate: { bundle: versionOf(bundle) },
  } as const
  const records = Array.from({ length: PARTITIONS }, (_, partition) => ({
    key: controlKeyOf(partition, PARTITIONS),
    value: JSON.stringify(sign<Control>({ ...change, partition }, SIGNING_KEY)),
  }))
  await log.produce(topics.events, records)
}

const rounded = (value: number): number => Math.round(value * 100) / 100
