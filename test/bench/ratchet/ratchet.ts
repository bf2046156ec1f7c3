import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { benchPipeline } from '../pipeline/pipeline.js'
import { quantile } from '../report.js'
import {
  type Comparison,
  type Costs,
  SPEED_MIN,
  compareCosts,
  readBaseline,
  writeBaseline,
} from './baseline.js'

/** What the ratchet measures: `short` in `.ci/run`, `pipeline` (a monitor on real Kafka and Redis) in `.ci/run --long`. */
export const RATCHETS = { short: shortCosts, pipeline: pipelineCosts } as const

export type RatchetName = keyof typeof RATCHETS

/** Processes that a baseline is made of: code is compiled a little differently in each. */
const BASELINE_RUNS = 5

/**
 * Compares the costs of today with the baseline's and prints them. What is too slow is measured once more, because a busy machine can
 * make it so. Returns whether all are quick enough.
 */
export async function checkRatchet(name: RatchetName): Promise<boolean> {
  const { costs: baseline } = await readBaseline()
  const first = compareCosts(await RATCHETS[name](), baseline)
  print(first)
  const slow = new Set(slowOf(first))
  if (slow.size === 0) return true
  say(`too slow: ${[...slow].join('; ')}; measuring again`)
  const again = compareCosts(await RATCHETS[name](), baseline).filter((one) => slow.has(one.name))
  print(again)
  const still = slowOf(again)
  if (still.length === 0) return true
  say(
    `below ${SPEED_MIN} times the baseline twice: ${still.join('; ')}. Profile it (node --cpu-prof), or, if the cost is meant, ` +
      `write it with \`npm run bench -- --baseline ${name} --reason "…"\``,
  )
  return false
}

/** Writes the costs of today, the medians of a few runs, as the baseline. `reason`: also a line of the changelog, which is not written here. */
export async function writeRatchet(name: RatchetName, reason: string): Promise<void> {
  const runs: Costs[] = []
  for (let run = 0; run < BASELINE_RUNS; run++) runs.push(await RATCHETS[name]())
  const names = Object.keys(runs[0] ?? {})
  const medians = names.map((each) => [
    each,
    quantile(
      runs.map((run) => run[each] ?? Number.NaN),
      0.5,
    ),
  ])
  say(`written to ${await writeBaseline(reason, Object.fromEntries(medians) as Costs)}`)
  say(`put the reason into CHANGELOG.md: ${reason}`)
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
          : `baseline ${baseline}, speed ${speed.toFixed(2)} of it`),
    )
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const run = promisify(execFile)
const PROCESS = fileURLToPath(new URL('process.js', import.meta.url))
/** Megabytes of the young generation: more than a unit of work allocates. */
const YOUNG = 64

/** In a process of its own: what else is loaded changes how code is compiled. */
async function shortCosts(): Promise<Costs> {
  const flags = ['--expose-gc', `--min-semi-space-size=${YOUNG}`, `--max-semi-space-size=${YOUNG}`]
  const { stdout } = await run(process.execPath, [...flags, PROCESS])
  return JSON.parse(stdout) as Costs
}

async function pipelineCosts(): Promise<Costs> {
  const { figures } = await benchPipeline()
  return {
    'monitor: time for the events of the log, times a bare forwarder':
      1 / (figures['monitor to forwarder, ratio'] ?? 0),
  }
}
