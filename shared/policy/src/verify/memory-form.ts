import type { Rules, SessionState } from '@plimsoll/engine'
import type { StepKind } from './step-kinds.js'

/** What of the memory of specs a normal form keeps. */
export interface MemoryForm {
  readonly normal: (state: SessionState) => Partial<SessionState>
  readonly keyOf: (state: SessionState) => string
  /** `state` as it is when a step with the tool is proposed: as it stands, and with any of the windows of time passed that the tool's specs read. */
  readonly passings: (state: SessionState, tool: string) => readonly Passing[]
}

export interface Passing {
  readonly state: SessionState
  readonly specs: readonly string[]
}

export function createMemoryForm(
  _rules: Rules,
  _kinds: readonly StepKind[],
  _options: { readonly isExact: boolean; readonly time: number },
): MemoryForm {
  return {
    normal: () => ({ steps: 0, blocked: 0 }),
    keyOf: () => '',
    passings: (state) => [{ state, specs: [] }],
  }
}
