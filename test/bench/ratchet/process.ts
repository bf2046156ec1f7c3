import { quantile } from '../report.js'
import { type Measure, createMeasures } from './measures.js'

/*
 * One process of the ratchet: takes each measure once and prints `{ name: cost }` as JSON. `ratchet.ts` starts it with `--expose-gc` and a
 * young generation that holds all that a unit of work allocates, so that the bytes can be counted before they are collected.
 */
const UNITS = 600
const WARM_UP_UNITS = 900
const BYTES_ROUNDS = 7
/** Enough that the pages of the heap do not show; less than half of the young generation. */
const COUNTED_BYTES_MIN = 12_000_000

/** The share of units that counts: the quickest, because what else runs on the machine only adds. */
const QUICKEST = 0.05

const { measures, records } = await createMeasures()
const costs: Record<string, number> = {}
for (const measure of measures) {
  const { name, neighbour } = measure
  costs[`${name}: CPU time, times ${neighbour}`] = await cpuCost(measure)
  costs[`${name}: bytes allocated, times ${neighbour}`] = await bytesCost(measure)
}
for (const [name, { record, events }] of Object.entries(records))
  costs[`session record, ${name}: bytes, times its events`] = record / events
process.stdout.write(JSON.stringify(costs))
process.exit(0)

/** Units of work and of the neighbour by turns, each of about as long, so that both meet the same machine. */
async function cpuCost({ work, beside }: Measure): Promise<number> {
  const times = await warmUp(work, beside)
  const units: number[] = []
  const unitsBeside: number[] = []
  for (let unit = 0; unit < UNITS; unit++) {
    units.push(await cpuMicros(work, 1))
    unitsBeside.push((await cpuMicros(beside, times)) / times)
  }
  return quantile(units, QUICKEST) / quantile(unitsBeside, QUICKEST)
}

/** Returns how often the neighbour fits into one unit of work. */
async function warmUp(work: () => unknown, beside: () => unknown): Promise<number> {
  const micros = await cpuMicros(work, WARM_UP_UNITS)
  await cpuMicros(beside, WARM_UP_UNITS)
  const microsBeside = await cpuMicros(beside, WARM_UP_UNITS)
  return Math.max(1, Math.round(micros / microsBeside / 3))
}

async function cpuMicros(work: () => unknown, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

async function bytesCost({ work, beside }: Measure): Promise<number> {
  return (await bytesOf(work)) / (await bytesOf(beside))
}

/** The bytes that a unit allocates: the median of rounds, because code is compiled again now and then. */
async function bytesOf(work: () => unknown): Promise<number> {
  let times = 1
  while ((await bytesIn(work, times)) < COUNTED_BYTES_MIN) times *= 2
  const rounds: number[] = []
  for (let round = 0; round < BYTES_ROUNDS; round++) rounds.push((await bytesIn(work, times)) / times)
  return quantile(rounds, 0.5)
}

async function bytesIn(work: () => unknown, times: number): Promise<number> {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < times; i++) await work()
  return process.memoryUsage().heapUsed - before
}
