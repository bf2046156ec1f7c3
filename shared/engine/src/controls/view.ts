import type { ControlState, Mode, SomeVersions, Versions } from '@plimsoll/contracts'
import { type Facts, NO_FACTS } from '../rules.js'
import { isPinnedTo } from '../state/session.js'

/** The controls of a single session; every look-up O(1). */
export interface ControlView {
  /** The facts for a session of `tenant`; `agent` is empty if it declared none. */
  readonly factsFor: (tenant: string, agent: string) => Facts
  /** The versions that new sessions pin; `defaults` without any control change. */
  readonly activeOver: (defaults: Versions) => Versions
  /** The versions that a session moves to whose last event was at offset `lastOffset`; `pins` itself if it does not move. */
  readonly upgradedVersions: (pins: Versions, receivedUpTo: bigint) => Versions
  /** The candidate versions in shadow; undefined if there are none. */
  readonly candidate: SomeVersions | undefined
  /** The versions that shadow a session pinned to `pins`; undefined without a candidate, or if it is pinned to it. */
  readonly shadowOf: (pins: Versions) => Versions | undefined
}

/** Prepares `state` for look-ups. The cost grows with the settings: create one per state, not per event. */
export function createControlView(state: ControlState): ControlView {
  const { active, shadow } = state
  return {
    factsFor: createFactsLookUp(state),
    activeOver: ({ bundle, policy, catalogue }) => ({
      bundle: active.bundle ?? bundle,
      policy: active.policy ?? policy,
      catalogue: active.catalogue ?? catalogue,
    }),
    upgradedVersions: createUpgrade(state.running),
    candidate: shadow && candidateOf(shadow),
    shadowOf: (pins) => (shadow ? shadowVersions(pins, shadow) : undefined),
  }
}

type Shadow = NonNullable<ControlState['shadow']>

const candidateOf = ({ bundle, policy, catalogue }: Shadow): SomeVersions => ({
  ...(bundle !== undefined && { bundle }),
  ...(policy !== undefined && { policy }),
  ...(catalogue !== undefined && { catalogue }),
})

function shadowVersions(pins: Versions, shadow: Shadow): Versions | undefined {
  const versions = {
    bundle: shadow.bundle ?? pins.bundle,
    policy: shadow.policy ?? pins.policy,
    catalogue: shadow.catalogue ?? pins.catalogue,
  }
  return isPinnedTo(pins, versions) ? undefined : versions
}

const OBSERVED: Facts = Object.freeze({ mode: 'observe' })

/** Facts are built once, so that a look-up does not allocate. */
function createFactsLookUp({ stops, modes }: ControlState): ControlView['factsFor'] {
  const modeOf = createModeLookUp(modes)
  const stopped = new Map(stops.map((stop) => [stop.tenant, stoppedFacts(stop)]))
  const fleet = stopped.get(null)
  return (tenant, agent) => {
    const mode = modeOf(tenant, agent)
    const stop = fleet ?? stopped.get(tenant)
    if (stop) return stop[mode]
    return mode === 'observe' ? OBSERVED : NO_FACTS
  }
}

function stoppedFacts({ by, reason }: ControlState['stops'][number]): Readonly<Record<Mode, Facts>> {
  const stop = Object.freeze({ by, ...(reason !== undefined && { reason }) })
  return {
    enforce: Object.freeze({ mode: 'enforce', stop }),
    observe: Object.freeze({ mode: 'observe', stop }),
  }
}

/** An agent of a tenant takes precedence over an agent, then a tenant, then the fleet. */
function createModeLookUp(modes: ControlState['modes']): (tenant: string, agent: string) => Mode {
  const byTenant = new Map<string | null, Map<string | null, Mode>>()
  for (const { tenant, agent, mode } of modes) {
    const ofTenant = byTenant.get(tenant) ?? new Map<string | null, Mode>()
    byTenant.set(tenant, ofTenant.set(agent, mode))
  }
  const ofAll = byTenant.get(null)
  const ofFleet = ofAll?.get(null) ?? 'enforce'
  return (tenant, agent) => {
    const ofTenant = byTenant.get(tenant)
    return ofTenant?.get(agent) ?? ofAll?.get(agent) ?? ofTenant?.get(null) ?? ofFleet
  }
}

/** Each document moves separately: a bundle moved at 10 and a policy at 20 both reach a session whose last event was at 5. */
function createUpgrade({
  bundle,
  policy,
  catalogue,
}: ControlState['running']): ControlView['upgradedVersions'] {
  const transitions = {
    bundle: readUpgrade(bundle),
    policy: readUpgrade(policy),
    catalogue: readUpgrade(catalogue),
  }
  const latest = Object.values(transitions).reduce((max, { offset }) => (offset > max ? offset : max), NEVER)
  return (pins, receivedUpTo) => {
    if (latest <= receivedUpTo) return pins
    const pick = ({ offset, version }: Upgrade, pinned: string) => (offset > receivedUpTo ? version : pinned)
    return {
      bundle: pick(transitions.bundle, pins.bundle),
      policy: pick(transitions.policy, pins.policy),
      catalogue: pick(transitions.catalogue, pins.catalogue),
    }
  }
}

interface Upgrade {
  readonly version: string
  readonly offset: bigint
}

const NEVER = -1n

const readUpgrade = (running: { version: string; offset: string } | undefined): Upgrade =>
  running ? { version: running.version, offset: BigInt(running.offset) } : { version: '', offset: NEVER }
