import type { Mode, SomeVersions } from '@plimsoll/contracts'

/** What a setting is for: an agent of a tenant, an agent of any tenant, a tenant, or the fleet. See api.ts for absent members. */
export interface ControlScope {
  readonly tenant?: string
  /** Never of a stop. */
  readonly agent?: string
}

interface ControlOrigin {
  readonly by: string
  readonly at: number
  readonly reason?: string
}

/** What an operator has set, and nobody has taken back. Of modes the most specific counts; a stop counts beside every mode. */
export interface ControlSetting extends ControlScope, ControlOrigin {
  readonly setting: 'stop' | Mode
}

/** A change of the audit. */
export interface ControlEntry extends ControlScope, ControlOrigin {
  readonly id: string
  readonly action: 'observe' | 'enforce' | 'inherit' | 'stop' | 'resume' | 'activate' | 'shadow'
  /** Of `activate`, and of `shadow` unless it ends. */
  readonly versions?: SomeVersions
  /** Of `activate`: whether running sessions move too. */
  readonly running?: boolean
}
