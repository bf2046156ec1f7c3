import type { ReasonSource, Spec, Verdict } from '@plimsoll/contracts'

/** A policy that judges sessions, or may. See api.ts for texts, times and absent members. */
export interface PolicyRow {
  readonly version: string
  /** Absent where neither the registry nor the console has the document. */
  readonly name?: string
  /** Set for new sessions by a control change. Where none is, monitors use the one of their own configuration. */
  readonly isActive: boolean
  /** Judges each step beside the active one, to no effect. */
  readonly isShadow: boolean
  readonly isRegistered: boolean
  /** By which its latest decisions were made, the most sessions first. Tenants that you may see. */
  readonly uses: readonly PolicyUse[]
}

export interface PolicyUse {
  readonly tenant: string
  readonly version: string
  readonly live: number
  readonly sessions: number
  readonly lastAt: number
}

/** How often something mattered over the last 50,000 reasons, whichever reason was the most severe. */
export interface ReasonCount {
  readonly source: ReasonSource
  /** The spec's id, or the code of a check that is built in. */
  readonly code: string
  readonly asked: number
  readonly blocked: number
  readonly warned: number
  /** Of an allowlist spec: reasons that it lifted. */
  readonly lifted: number
  readonly sessions: number
}

export interface SpecRow extends Omit<ReasonCount, 'source' | 'code'> {
  readonly id: string
  readonly tier: Spec['tier']
  readonly message?: string
  readonly requirements?: readonly string[]
}

export interface PolicyDetail {
  readonly version: string
  readonly name: string
  /** Those that mattered most first, then in the policy's order; at most 500. */
  readonly specs: readonly SpecRow[]
  readonly isCut: boolean
}

/** A step in which something mattered. */
export interface MetStep {
  readonly sessionId: string
  readonly tenant: string
  readonly agent?: string
  readonly eventId: string
  readonly step: number
  readonly tool: string
  readonly at: number
  /** The step's first verdict. */
  readonly verdict: Verdict
}
