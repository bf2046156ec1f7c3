import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { projectRoot } from '../../support/paths.js'
import { quantile, type Report } from '../report.js'
import {
  type Comparison,
  type Costs,
  SPEED_MIN,
  SPEED_MIN_ELSEWHERE,
  compareCosts,
  readBaseline,
  writeBaseline,
} from './baseline.js'
import { buildOf, hasCommit } from './build.js'
import type { BuildFigures, Pair, ProcessFigures } from './process.js'

/** The costs of today's build and of another, measured by turns. `other`: its folder `test/dist`. */
type Ratchet = (other: string | undefined) => Promise<{ today: Costs; baseline?: Costs }>

/** What the ratchet measures: `short` in `.ci/run`, `pipeline` (a monitor on real Kafka and Redis) in `.ci/run --long`. */
export const RATCHETS = { short: shortCosts, pipeline: pipelineCosts } satisfies Record<string, Ratchet>

export type RatchetName = keyof typeof RATCHETS

/**
 * Compares the costs of today with those of the baseline's commit, built and measured beside it, and prints them. What is too slow is
 * measured once more, because a busy machine can make it so. Returns whether all are quick enough.
 */
export async function checkRatchet(name: RatchetName): Promise<boolean> {
  const { commit, costs } = await readBaseline()
  const other = (await hasCommit(commit)) ? await buildOf(commit) : undefined
  if (other === undefined)
    say(
      `the history of this clone lacks the baseline's commit ${commit} (\`git fetch --unshallow\`): compared with its costs on ` +
        `another machine, and half their speed is enough`,
    )
  const measure = async () => {
    const { today, baseline } = await RATCHETS[name](other)
    return baseline ? compareCosts(today, baseline) : compareCosts(today, costs, SPEED_MIN_ELSEWHERE)
  }
  const first = await measure()
  print(first)
  const slow = new Set(slowOf(first))
  if (slow.size === 0) return true
  say(`too slow: ${[...slow].join('; ')}; measuring again`)
  const again = (await measure()).filter((one) => slow.has(one.name))
  print(again)
  const still = slowOf(again)
  if (still.length === 0) return true
  say(
    `below ${SPEED_MIN} times the baseline twice: ${still.join('; ')}. Profile it (node --cpu-prof), or, if the cost is meant, commit ` +
      `it and write it with \`npm run bench -- --baseline ${name} --reason "…"\``,
  )
  return false
}

/** Writes the costs of today and the commit that is checked out as the baseline. `reason`: also a line of the changelog, which is not written here. */
export async function writeRatchet(name: RatchetName, reason: string): Promise<void> {
  const commit = await commitOfToday()
  const { today } = await RATCHETS[name](undefined)
  say(`written to ${await writeBaseline({ reason, commit, costs: today })}`)
  say(`put the reason into CHANGELOG.md: ${reason}`)
}

/** Throws where files differ from it: its build could not be made again. */
async function commitOfToday(): Promise<string> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: projectRoot })).stdout.trim()
  const changed = await git('status', '--porcelain', '--untracked-files=no')
  if (changed !== '') throw new Error(`commit first: the baseline names a commit. Changed are:\n${changed}`)
  return git('rev-parse', 'HEAD')
}

const slowOf = (comparisons: readonly Comparison[]): string[] =>
  comparisons.filter(({ isTooSlow }) => isTooSlow).map(({ name }) => name)

function print(comparisons: readonly Comparison[]): void {
  say(
    `machine's load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  )
  for (const { name, cost, baseline, speed } of comparisons)
    say(
      `${name}: ${cost.toPrecision(4)}, ` +
        (baseline === undefined
          ? 'not in the baseline'
          : `baseline ${baseline.toPrecision(4)}, speed ${speed.toFixed(2)} of it`),
    )
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const run = promisify(execFile)
const PROCESS = fileURLToPath(new URL('process.js', import.meta.url))
/** Of each figure the least counts: code is compiled a little differently in each process. */
const PROCESSES = 4
/** Megabytes of the young generation: more than a unit of work allocates. */
const YOUNG = 64

/** In processes of their own: what else is loaded changes how code is compiled. */
async function shortCosts(other: string | undefined): Promise<{ today: Costs; baseline?: Costs }> {
  const flags = ['--expose-gc', `--min-semi-space-size=${YOUNG}`, `--max-semi-space-size=${YOUNG}`]
  const measures = other === undefined ? [] : [path.join(other, 'bench/ratchet/measures.js')]
  const all: ProcessFigures[] = []
  for (let i = 0; i < PROCESSES; i++) {
    const { stdout } = await run(process.execPath, [...flags, PROCESS, ...measures])
    all.push(JSON.parse(stdout) as ProcessFigures)
  }
  const baseline = all.flatMap((each) => (each.baseline ? [each.baseline] : []))
  return {
    today: costsOf(all.map(({ today }) => today)),
    ...(baseline.length > 0 && { baseline: costsOf(baseline) }),
  }
}

function costsOf(processes: readonly BuildFigures[]): Costs {
  const costs: Record<string, number> = {}
  for (const name of Object.keys(processes[0] ?? {})) {
    const least = (part: keyof Pair) =>
      Math.min(...processes.map((figures) => figures[name]?.[part] ?? Number.NaN))
    costs[name] = least('work') / least('beside')
  }
  return costs
}

/** Of each build the median of runs, which go first by turns: the brokers share the machine and warm it. */
const PIPELINE_RUNS = 5

async function pipelineCosts(other: string | undefined): Promise<{ today: Costs; baseline?: Costs }> {
  const dists = [fileURLToPath(new URL('../../', import.meta.url)), ...(other === undefined ? [] : [other])]
  const costs = dists.map((): number[] => [])
  for (let i = 0; i < PIPELINE_RUNS; i++)
    for (const [build, dist] of i % 2 === 0 ? [...dists.entries()] : [...dists.entries()].toReversed())
      costs[build]?.push(await pipelineCost(dist))
  const [today, baseline] = costs.map((each) => ({
    'monitor: time for the events of the log, times a bare forwarder': quantile(each, 0.5),
  }))
  return { today: today ?? {}, ...(baseline && { baseline }) }
}

async function pipelineCost(dist: string): Promise<number> {
  const file = pathToFileURL(path.join(dist, 'bench/pipeline/pipeline.js')).href
  const { benchPipeline } = (await import(file)) as { benchPipeline: () => Promise<Report> }
  return 1 / ((await benchPipeline()).figures['monitor to forwarder, ratio'] ?? 0)
}
