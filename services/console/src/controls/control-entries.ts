import type { Control } from '@plimsoll/contracts'
import type { ControlChange, ControlStatus } from '@plimsoll/operations'
import type { ControlEntry, ControlRequest, ControlScope, ControlSetting } from '../api.js'

interface Scope {
  readonly tenant?: string | null | undefined
  readonly agent?: string | null | undefined
}

const scopeOf = ({ tenant, agent }: Scope): ControlScope => ({
  ...(typeof tenant === 'string' && { tenant }),
  ...(typeof agent === 'string' && { agent }),
})

const originOf = ({ by, time, reason }: Pick<Control, 'by' | 'time' | 'reason'>) => ({
  by,
  at: time,
  ...(reason !== undefined && { reason }),
})

/** Stops first, then modes. */
export const settingsOf = ({ stops, modes }: Pick<ControlStatus, 'stops' | 'modes'>): ControlSetting[] => [
  ...stops.map((stop) => ({ setting: 'stop' as const, ...scopeOf(stop), ...originOf(stop) })),
  ...modes.map((mode) => ({ setting: mode.mode, ...scopeOf(mode), ...originOf(mode) })),
]

export function entryOf(control: Control): ControlEntry {
  const common = { id: control.id, ...originOf(control) }
  switch (control.type) {
    case 'versions.activated':
      return { ...common, action: 'activate', versions: control.versions, running: control.running }
    case 'shadow.changed':
      return { ...common, action: 'shadow', ...(control.candidate && { versions: control.candidate }) }
    case 'mode.changed':
      return { ...common, action: control.mode, ...scopeOf(control) }
    case 'fleet.stopped':
      return { ...common, action: 'stop', ...scopeOf(control) }
    case 'fleet.resumed':
      return { ...common, action: 'resume', ...scopeOf(control) }
  }
}

/** What the command line sends for the same: `control mode`, `control stop` and `control resume`. */
export function changeOf({ action, tenant, agent, reason }: ControlRequest, by: string): ControlChange {
  const who = { by, reason, ...(tenant !== undefined && { tenant }) }
  if (action === 'stop') return { type: 'fleet.stopped', ...who }
  if (action === 'resume') return { type: 'fleet.resumed', ...who }
  return { type: 'mode.changed', mode: action, ...who, ...(agent !== undefined && { agent }) }
}
