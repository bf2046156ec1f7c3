import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { projectRoot } from '../../support/paths.js'

/** Costs by name, each a multiple of its neighbour's: less is better. */
export type Costs = Readonly<Record<string, number>>

/** What `.ci/run` compares with. */
export interface Baseline {
  /** Why it was written last; a line of the changelog says the same. */
  readonly reason: string
  /** Its build is measured beside today's: the same ratio differs by half between machines. */
  readonly commit: string
  /** As measured where it was written: for the reader, and for a clone whose history lacks the commit. */
  readonly costs: Costs
}

const FILE = path.join(projectRoot, 'test/bench/ratchet/baseline.json')

/** A speed below this share of the baseline's fails. */
export const SPEED_MIN = 0.9

/** The same for costs that were measured on another machine. */
export const SPEED_MIN_ELSEWHERE = 0.5

export const readBaseline = async (): Promise<Baseline> =>
  JSON.parse(await readFile(FILE, 'utf8')) as Baseline

/** Writes the file; costs of other measures stay. Returns its path. */
export async function writeBaseline({ reason, commit, costs }: Baseline): Promise<string> {
  const known = await readBaseline()
  const rounded = Object.entries(costs).map(([name, cost]) => [name, Number(cost.toPrecision(4))])
  const baseline: Baseline = {
    reason,
    commit,
    costs: { ...known.costs, ...(Object.fromEntries(rounded) as Costs) },
  }
  await writeFile(FILE, `${JSON.stringify(baseline, null, 2)}\n`)
  return FILE
}

export interface Comparison {
  readonly name: string
  readonly cost: number
  /** Undefined: the baseline lacks it. */
  readonly baseline: number | undefined
  /** Times that of the baseline; more is better. */
  readonly speed: number
  readonly isTooSlow: boolean
}

/** Each cost beside that of the baseline. A cost that the baseline lacks is too slow: a new measure is written down first. */
export function compareCosts(costs: Costs, baseline: Costs, speedMin = SPEED_MIN): Comparison[] {
  return Object.entries(costs).map(([name, cost]) => {
    const known = baseline[name]
    const speed = known === undefined ? 0 : known / cost
    return { name, cost, baseline: known, speed, isTooSlow: !(speed >= speedMin) }
  })
}
