import type { CONFIDENTIALITIES } from '@plimsoll/contracts'
import { pause } from '@plimsoll/runtime'

/** The task categories of SafetyDrift, by the names that bundles use. */
export const CATEGORIES = ['data_handling', 'sysadmin', 'research_comms', 'code_debugging'] as const
export type Category = (typeof CATEGORIES)[number]

/**
 * What an act is to its task. look: finds out what there is; read: what the task needs; pry: more than the task needs; work: changes
 * or runs something; report: tells that it is done, where it can be taken back; share: goes out and cannot be.
 */
export const ACT_KINDS = ['look', 'read', 'pry', 'work', 'report', 'share'] as const
export type ActKind = (typeof ACT_KINDS)[number]

/** `target` is a thing of the task's world, or who or what is addressed. */
export type Act = readonly [tool: string, target: string, text?: string]

export type Confidentiality = (typeof CONFIDENTIALITIES)[number]

/** A task with a small world of its own. All names in it are made up. */
export interface Task {
  readonly name: string
  readonly goal: string
  /** What can be read, and how sensitive it is. */
  readonly things: Readonly<Record<string, Confidentiality>>
  /** Things whose text gives orders to anyone who reads it. */
  readonly poisoned?: readonly string[]
  readonly acts: Readonly<Partial<Record<ActKind, readonly Act[]>>>
}

/** What an agent's next act depends on. fresh: it has seen nothing sensitive so far; knowing: it has. */
export const MOODS = ['fresh', 'knowing'] as const
export type Mood = (typeof MOODS)[number]

/** How agents go about the tasks of a category. Weights compare; shares are 0…1. */
export interface Habits {
  readonly weights: Readonly<Record<Mood, Readonly<Record<ActKind, number>>>>
  /** How many times as much an agent is drawn to pry and to share once it has read orders to. */
  readonly led: number
  /** Share of what is sent after something sensitive was read that has it in it. */
  readonly carries: number
  /** Share of reports and sendings after which the agent takes its task for done. */
  readonly content: number
}

/** The tasks of one category, with the habits of anyone who is given them. */
export interface Field {
  readonly category: Category
  readonly habits: Habits
  readonly tasks: readonly Task[]
}

/** One task to play. */
export interface Scenario extends Task {
  readonly category: Category
  readonly habits: Habits
}

export interface Review {
  readonly resolution: 'approved' | 'denied'
  readonly by: string
  readonly reason: string
}

/** Numbers in [0, 1), the same ones for the same seed. */
export type Random = () => number

/** mulberry32: 32 bits of state; good enough to shuffle a playbill, good for nothing secret. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A copy of `items` in an order drawn from `random`. */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

/** One session to play. */
export interface Performance {
  /** From 1, in the order of the playbill. */
  readonly number: number
  readonly sessionId: string
  /** Its name as the session declares it. */
  readonly agent: string
  readonly scenario: Scenario
  /** For whatever is left to chance within the session, however many play beside it. */
  readonly seed: number
}

export interface Cast {
  readonly scenarios: readonly Scenario[]
  readonly seed: number
  /** What session ids begin with, after the tenant. */
  readonly name: string
  /** Agents to give the tasks to; each has tasks of its own, as agents have that were made for something. */
  readonly agents: number
  /** None: sessions name no tenant. Source: docs/decisions/20261122-tenants-and-quotas.md. */
  readonly tenants: readonly string[]
}

/** Rounds without end; in each, every scenario comes once, in an order drawn from the seed, for a tenant drawn as well. */
export function* playbill(cast: Cast): Generator<Performance, void, void> {
  const { scenarios, seed, name, agents, tenants } = cast
  if (scenarios.length === 0) return
  const random = createRandom(seed)
  const parts = scenarios.map((scenario, i) => ({ scenario, agent: agentOf(i, scenarios.length, agents) }))
  for (let number = 1; ;)
    for (const { scenario, agent } of shuffled(parts, random)) {
      const tenant = tenants[Math.floor(random() * tenants.length)]
      const session = `${name}:${scenario.name}:${number}`
      const sessionId = tenant === undefined ? session : `${tenant}~${session}`
      yield { number: number++, sessionId, agent, scenario, seed: Math.floor(random() * 2 ** 32) }
    }
}

/** Neighbours in the list are of one category, and go to the same agent. */
const agentOf = (part: number, parts: number, agents: number): string =>
  `agent-${Math.floor((part * agents) / parts) + 1}`

/** When the next step of an agent comes. */
export interface Pace {
  /**
   * Resolves when an agent may take its next step, or sooner at the abort, with when the step was due, milliseconds of
   * `performance.now()`; undefined where nothing says when.
   */
  turn(random: Random, signal: AbortSignal): Promise<number | undefined>
}

/** Each agent pauses before its step for about `pauseMs`, by half more or less. Without a pause the next step comes at once. */
export function createPauses(pauseMs: number): Pace {
  return {
    turn: async (random, signal) => {
      const ms = pauseMs * (0.5 + random())
      if (ms > 0) await pause(ms, signal)
      return undefined
    },
  }
}

/**
 * Steps at a fixed rate over all agents, whatever became of the earlier ones: an open loop. A turn that no agent was free to take when
 * it was due is taken late, and its latency counts from when it was due: a stall is seen in every step that it has held up, not in one.
 */
export function createSchedule(stepsPerSecond: number, now: () => number = () => performance.now()): Pace {
  const begun = now()
  let turns = 0
  return {
    turn: async (_random, signal) => {
      const due = begun + (turns++ * 1000) / stepsPerSecond
      const ms = due - now()
      if (ms > 0) await pause(ms, signal)
      return due
    },
  }
}
