import type { Event } from '@plimsoll/contracts'
import type { Rules } from '../rules.js'
import type { FleetLimit, SpecRule } from '../spec-rule.js'
import { pendingOf } from '../state/calls.js'
import type { SessionState } from '../state/session.js'

/** A spec with a fleet-wide limit. */
export interface FleetSpec {
  readonly spec: SpecRule
  readonly limit: FleetLimit
}

/**
 * The specs whose readings matter for `event`: a proposal, or the answer to an approval request. Empty for nearly every event.
 *
 * @param tools tools proposed just before, whose approval requests are not in `state` yet
 */
export function findFleetSpecs(
  event: Event,
  state: SessionState | undefined,
  rules: Rules,
  tools: Iterable<string> = [],
): readonly FleetSpec[] {
  if (rules.memory.fleets.length === 0) return NOTHING
  if (event.type === 'step.proposed') return limitsOf([event.tool], rules)
  if (event.type !== 'approval.resolved') return NOTHING
  const pending = state && pendingOf(state, event.decisionId)
  return limitsOf(pending ? [pending.tool] : tools, rules)
}

function limitsOf(tools: Iterable<string>, rules: Rules): readonly FleetSpec[] {
  const asked = new Map<string, FleetSpec>()
  for (const tool of tools) {
    const { blocklist, confirmation } = rules.tool(tool)
    for (const spec of [...blocklist, ...confirmation])
      if (spec.fleet) asked.set(spec.id, { spec, limit: spec.fleet })
  }
  return asked.size === 0 ? NOTHING : [...asked.values()]
}

const NOTHING: readonly FleetSpec[] = Object.freeze([])

/** A session that ran a step which a limit counts. */
export interface FleetRun extends FleetSpec {
  /** Milliseconds since 1970. */
  readonly atMs: number
}

/** The steps between `before` and `after` that count towards the policy's fleet-wide limits. */
export function fleetRuns(
  before: Pick<SessionState, 'memory'> | undefined,
  after: Pick<SessionState, 'memory'> | undefined,
  { memory: { fleets } }: Pick<Rules, 'memory'>,
): readonly FleetRun[] {
  if (fleets.length === 0 || !after || before?.memory === after.memory) return NO_RUNS
  return fleets.flatMap((spec) => {
    const limit = spec.fleet
    const atMs = (limit && after.memory[limit.cell]) ?? 0
    return limit && atMs > 0 && atMs !== before?.memory[limit.cell] ? [{ spec, limit, atMs }] : []
  })
}

const NO_RUNS: readonly FleetRun[] = Object.freeze([])
