import type { Control, SomeVersions } from '@plimsoll/contracts'
import { plainText } from '../format/text-table.js'

/** A change on one line: what, for whom, by whom, when and why. */
export function controlText(control: Control): string {
  return `${controlSubject(control)}, ${whoText(control)}`
}

/** What a change changes. */
export function controlSubject(control: Control): string {
  switch (control.type) {
    case 'versions.activated':
      return `activate ${versionsText(control.versions)} for ${control.running ? 'new and running' : 'new'} sessions`
    case 'shadow.changed':
      return control.candidate ? `run ${versionsText(control.candidate)} in shadow` : 'run nothing in shadow'
    case 'mode.changed':
      return `mode ${control.mode} for ${scopeText(control)}`
    case 'fleet.stopped':
      return `stop ${scopeText(control)}`
    case 'fleet.resumed':
      return `resume ${scopeText(control)}`
  }
}

const versionsText = (versions: SomeVersions): string =>
  Object.entries(versions)
    .map(([kind, version]) => `${kind} ${version}`)
    .join(', ')

interface Scope {
  readonly tenant?: string | null | undefined
  readonly agent?: string | null | undefined
}

/** Whom a mode or a stop is for. */
export function scopeText({ tenant, agent }: Scope): string {
  if (agent) return `agent ${agent}${tenant ? ` of tenant ${tenant}` : ''}`
  return tenant ? `tenant ${tenant}` : 'the fleet'
}

interface Who {
  readonly by: string
  readonly time: number
  readonly reason?: string | undefined
}

export function whoText({ by, time, reason }: Who): string {
  const why = reason === undefined ? '' : `: ${plainText(reason)}`
  return `by ${plainText(by)} at ${new Date(time).toISOString()}${why}`
}

/** A change without what is of the registry's record alone. */
export function withoutEnvelope(control: Control) {
  const { signature: _, partition: __, ...reported } = control
  return reported
}
