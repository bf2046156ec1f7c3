import { createRandom, shuffled } from './random.js'
import type { Scenario } from './scenario.js'

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
