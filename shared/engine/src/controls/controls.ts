import type { Control, ControlLog, ControlOf, ControlState, Fault } from '@plimsoll/contracts'

/** No control change yet. */
export const NO_CONTROLS: ControlLog = Object.freeze({
  base: { active: {}, running: {}, stops: [], modes: [], time: 0 },
  changes: [],
})

/** Equal to the contracts' CONTROL_LIMITS, as a test checks. */
export const CONTROL_LIMITS = { modesMax: 1000, stopsMax: 1000, changesMax: 16 } as const

/**
 * The controls of a partition after a change at `offset`. Pure. A repeated change has no effect. A change older than the current
 * setting, or beyond a limit, is a fault and has no effect. Source: docs/decisions/20261122-controls.md.
 */
export function applyControl(
  log: ControlLog,
  control: Control,
  offset: bigint,
): { readonly log: ControlLog } | { readonly fault: Fault } {
  if (log.changes.some((change) => change.control.id === control.id)) return { log }
  const state = log.changes.reduce(afterChange, log.base)
  // Changes folded into the base are known by their time only, so an equally old one is refused.
  if (control.time < state.time || control.time <= log.base.time) return { fault: stale(control, state) }
  const change = { offset: String(offset), control }
  const fault = limitFault(afterChange(state, change))
  return fault ? { fault } : { log: appendChange(log, change) }
}

/** The controls in force for an event at `offset`: later changes do not count. */
export function controlsBefore({ base, changes }: ControlLog, offset: bigint): ControlState {
  return changes.filter((change) => BigInt(change.offset) < offset).reduce(afterChange, base)
}

type Change = ControlLog['changes'][number]

/** `log` with `change` appended; the oldest changes beyond the limit are folded into the base. */
function appendChange({ base, changes }: ControlLog, change: Change): ControlLog {
  const [oldest, ...others] = changes
  if (!oldest || changes.length < CONTROL_LIMITS.changesMax) return { base, changes: [...changes, change] }
  return { base: afterChange(base, oldest), changes: [...others, change] }
}

function afterChange(state: ControlState, { control, offset }: Change): ControlState {
  const after = { ...state, time: Math.max(state.time, control.time) }
  if (control.type === 'versions.activated') return { ...after, ...activate(state, control, offset) }
  if (control.type === 'mode.changed') return { ...after, modes: setMode(state.modes, control) }
  if (control.type === 'shadow.changed') return setShadow(after, control)
  return { ...after, stops: setStop(state.stops, control) }
}

function activate(
  { active, running }: ControlState,
  control: ControlOf<'versions.activated'>,
  offset: string,
): Pick<ControlState, 'active' | 'running'> {
  const { bundle, policy, catalogue } = control.versions
  const moved = control.running && {
    ...(bundle !== undefined && { bundle: { version: bundle, offset } }),
    ...(policy !== undefined && { policy: { version: policy, offset } }),
    ...(catalogue !== undefined && { catalogue: { version: catalogue, offset } }),
  }
  return { active: { ...active, ...control.versions }, running: { ...running, ...moved } }
}

function setMode(modes: ControlState['modes'], control: ControlOf<'mode.changed'>): ControlState['modes'] {
  const { tenant = null, agent = null, mode } = control
  const others = modes.filter((each) => each.tenant !== tenant || each.agent !== agent)
  return mode === 'inherit' ? others : [...others, { tenant, agent, mode, ...who(control) }]
}

function setStop(
  stops: ControlState['stops'],
  control: ControlOf<'fleet.stopped' | 'fleet.resumed'>,
): ControlState['stops'] {
  const { tenant = null } = control
  const others = stops.filter((each) => each.tenant !== tenant)
  return control.type === 'fleet.resumed' ? others : [...others, { tenant, ...who(control) }]
}

function setShadow(state: ControlState, control: ControlOf<'shadow.changed'>): ControlState {
  const { shadow: _, ...others } = state
  const { candidate } = control
  return candidate ? { ...others, shadow: { ...candidate, ...who(control) } } : others
}

const who = ({ by, time, reason }: Control) => ({ by, time, ...(reason !== undefined && { reason }) })

function limitFault({ modes, stops }: ControlState): Fault | undefined {
  if (modes.length > CONTROL_LIMITS.modesMax) return full(`${CONTROL_LIMITS.modesMax} settings of modes`)
  if (stops.length > CONTROL_LIMITS.stopsMax) return full(`${CONTROL_LIMITS.stopsMax} stops`)
  return undefined
}

const full = (what: string): Fault => ({
  code: 'controls_full',
  message: `there are ${what} already, as many as there may be`,
})

const stale = ({ id, time }: Control, state: ControlState): Fault => ({
  code: 'control_stale',
  message: `the change \`${id}\` of time ${time} comes after one of time ${state.time}`,
})
