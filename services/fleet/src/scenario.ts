import { readFileSync } from 'node:fs'
import { CONFIDENTIALITIES } from '@plimsoll/contracts'
import { parse } from 'yaml'
import { z } from 'zod'

/** The task categories of SafetyDrift, by the names that bundles use. */
export const CATEGORIES = ['data_handling', 'sysadmin', 'research_comms', 'code_debugging'] as const
export type Category = (typeof CATEGORIES)[number]

/**
 * What an act does for its task. look: finds out what there is; read: what the task needs; pry: more than the task needs; work: changes
 * or runs something; report: says that it is done, where that can be undone; share: leaves the organisation for good.
 */
export const ACT_KINDS = ['look', 'read', 'pry', 'work', 'report', 'share'] as const
export type ActKind = (typeof ACT_KINDS)[number]

/** `target` is a thing of the task's world, or a recipient. */
const actSchema = z.tuple([z.string(), z.string(), z.string().optional()]).readonly()
export type Act = readonly [tool: string, target: string, text?: string | undefined]

/** What the next act depends on. fresh: the agent has read nothing sensitive so far; knowing: it has. */
export type Mood = 'fresh' | 'knowing'

const weightsSchema = z.record(z.enum(ACT_KINDS), z.number().min(0))
const share = z.number().min(0).max(1)

/** How agents go about the tasks of a category. Weights are relative; shares are 0…1. */
const habitsSchema = z.strictObject({
  weights: z.strictObject({ fresh: weightsSchema, knowing: weightsSchema }),
  /** Factor on the weights of pry and share once the agent has read instructions that ask for it. */
  led: z.number().positive(),
  /** Share of acts of kind `share`, after something sensitive was read, that contain it. */
  carries: share,
  /** Share of reports and shares after which the agent ends its task. */
  content: share,
})
export type Habits = z.infer<typeof habitsSchema>

/** A task with a small world of its own. All names in it are made up. */
const taskSchema = z.strictObject({
  name: z.string(),
  goal: z.string(),
  /** What can be read, and how sensitive it is. */
  things: z.record(z.string(), z.enum(CONFIDENTIALITIES)),
  /** Things whose text contains injected instructions. */
  poisoned: z.array(z.string()).default([]),
  acts: z.partialRecord(z.enum(ACT_KINDS), z.array(actSchema)),
})

const fileSchema = z.strictObject({
  category: z.enum(CATEGORIES),
  habits: habitsSchema,
  tasks: z.array(taskSchema),
})

/** One task to play. */
export interface Scenario {
  readonly name: string
  readonly goal: string
  readonly category: Category
  readonly habits: Habits
  readonly things: Readonly<z.infer<typeof taskSchema>['things']>
  readonly poisoned: readonly string[]
  readonly acts: Readonly<Partial<Record<ActKind, readonly Act[]>>>
}

function readScenarios(category: Category): Scenario[] {
  const file = new URL(`../scenarios/${category.replace('_', '-')}.yaml`, import.meta.url)
  const { habits, tasks } = fileSchema.parse(parse(readFileSync(file, 'utf8')))
  return tasks.map((task) => ({ ...task, category, habits }))
}

/** The scenarios that ship with Plimsoll (`services/fleet/scenarios`): ten a category, category by category. */
export const SCENARIOS: readonly Scenario[] = CATEGORIES.flatMap(readScenarios)

/** Numbers in [0, 1), the same ones for the same seed. */
export type Random = () => number

/** mulberry32: 32 bits of state. Good enough to draw sessions, unfit for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One session to play. */
export interface Performance {
  /** From 1, in the order of the playbill. */
  readonly number: number
  readonly sessionId: string
  /** The agent's name, as the session declares it. */
  readonly agent: string
  readonly scenario: Scenario
  /** Seeds all that is random within the session, independently of sessions that run beside it. */
  readonly seed: number
}

export interface Cast {
  readonly scenarios: readonly Scenario[]
  readonly seed: number
  /** Prefix of session ids, after the tenant. */
  readonly name: string
  /** How many agents share the tasks; each task always goes to the same agent. */
  readonly agents: number
  /** None: sessions name no tenant. Source: docs/decisions/20261122-tenants-and-quotas.md. */
  readonly tenants: readonly string[]
}

/** Endless rounds. Each round has every scenario once, in an order and for a tenant drawn from the seed. */
export function* playbill(cast: Cast): Generator<Performance, void, void> {
  const { scenarios, seed, name, agents, tenants } = cast
  if (scenarios.length === 0) return
  const random = createRandom(seed)
  // Neighbours in the list are of one category, and go to the same agent.
  const parts = scenarios.map((scenario, i) => ({
    scenario,
    agent: `agent-${Math.floor((i * agents) / scenarios.length) + 1}`,
  }))
  for (let number = 1; ;) {
    const keyed = parts.map((part) => ({ ...part, key: random() }))
    for (const { scenario, agent } of keyed.toSorted((a, b) => a.key - b.key)) {
      const tenant = tenants[Math.floor(random() * tenants.length)]
      const session = `${name}:${scenario.name}:${number}`
      const sessionId = tenant === undefined ? session : `${tenant}~${session}`
      yield { number: number++, sessionId, agent, scenario, seed: Math.floor(random() * 2 ** 32) }
    }
  }
}
