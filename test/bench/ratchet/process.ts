import { pathToFileURL } from 'node:url'
import { quantile } from '../report.js'
import { type Measure, createMeasures } from './measures.js'

/*
 * One process of the ratchet: measures today's build, and beside it the build whose measures are the argument, and prints both as JSON.
 * `ratchet.ts` starts it with `--expose-gc` and a young generation that holds all that a unit of work allocates, so that the bytes can be
 * counted before they are collected.
 */
const UNITS = 150
const WARM_UP_UNITS = 400
const BYTES_ROUNDS = 3
/** Enough that the pages of the heap do not show; less than half of the young generation. */
const COUNTED_BYTES_MIN = 12_000_000

/** The share of units that counts: the quickest, because what else runs on the machine only adds. */
const QUICKEST = 0.05

/** A figure of the work and of its neighbour: microseconds or bytes of a unit, bytes of a record and of its events. */
export interface Pair {
  readonly work: number
  readonly beside: number
}

/** By what is measured. */
export type BuildFigures = Readonly<Record<string, Pair>>

export interface ProcessFigures {
  readonly today: BuildFigures
  /** Without an argument none. */
  readonly baseline?: BuildFigures
}

type Measures = Awaited<ReturnType<typeof createMeasures>>

const other = process.argv[2]
const builds: Measures[] = [await createMeasures()]
if (other !== undefined) builds.push(await measuresAt(other))
const figures = builds.map(({ records }) => {
  const pairs: Record<string, Pair> = {}
  for (const [name, { record, events }] of Object.entries(records))
    pairs[`session record, ${name}: bytes, times its events`] = { work: record, beside: events }
  return pairs
})
for (const { name, neighbour, beside } of builds[0]?.measures ?? []) {
  const works = builds.map(({ measures }) => measures.find((each) => each.name === name)?.work)
  const micros = await cpuMicrosOf(works, beside)
  const bytesBeside = await bytesOf(beside)
  for (const [i, pairs] of figures.entries()) {
    const work = works[i]
    if (!work) continue
    pairs[`${name}: CPU time, times ${neighbour}`] = {
      work: micros.works[i] ?? Number.NaN,
      beside: micros.beside,
    }
    pairs[`${name}: bytes allocated, times ${neighbour}`] = {
      work: await bytesOf(work),
      beside: bytesBeside,
    }
  }
}
const [today, baseline] = figures
process.stdout.write(JSON.stringify({ today, baseline }))
process.exit(0)

async function measuresAt(file: string): Promise<Measures> {
  const module = (await import(pathToFileURL(file).href)) as { createMeasures: typeof createMeasures }
  return module.createMeasures()
}

type Work = Measure['work']

/** Units of each build's work and of the neighbour by turns, each of about as long, so that all meet the same machine. */
async function cpuMicrosOf(
  works: readonly (Work | undefined)[],
  beside: Work,
): Promise<{ works: number[]; beside: number }> {
  const present = works.map((work) => work ?? (() => undefined))
  const times = await warmUp(present, beside)
  const units = present.map((): number[] => [])
  const unitsBeside: number[] = []
  for (let unit = 0; unit < UNITS; unit++) {
    // The build that goes first finds colder caches: each does by turns.
    for (let turn = 0; turn < present.length; turn++) {
      const i = (turn + unit) % present.length
      const work = present[i]
      if (work) units[i]?.push(await cpuMicros(work, 1))
    }
    unitsBeside.push((await cpuMicros(beside, times)) / times)
  }
  return {
    works: units.map((each) => quantile(each, QUICKEST)),
    beside: quantile(unitsBeside, QUICKEST),
  }
}

/** Returns how often the neighbour fits into one unit of work. */
async function warmUp(works: readonly Work[], beside: Work): Promise<number> {
  let micros = 0
  for (const work of works) micros = Math.max(micros, await cpuMicros(work, WARM_UP_UNITS))
  await cpuMicros(beside, WARM_UP_UNITS)
  const microsBeside = await cpuMicros(beside, WARM_UP_UNITS)
  return Math.max(1, Math.round(micros / microsBeside / 3))
}

async function cpuMicros(work: Work, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** The bytes that a unit allocates: the median of rounds, because code is compiled again now and then. */
async function bytesOf(work: Work): Promise<number> {
  let times = 1
  while ((await bytesIn(work, times)) < COUNTED_BYTES_MIN) times *= 2
  const rounds: number[] = []
  for (let round = 0; round < BYTES_ROUNDS; round++) rounds.push((await bytesIn(work, times)) / times)
  return quantile(rounds, 0.5)
}

async function bytesIn(work: Work, times: number): Promise<number> {
  // The young generation alone: it holds all that is counted.
  globalThis.gc?.({ type: 'minor', execution: 'sync' })
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < times; i++) await work()
  return process.memoryUsage().heapUsed - before
}
