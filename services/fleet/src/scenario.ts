import type { ProposedStep, StepResult } from '@plimsoll/client'

/** The task categories of SafetyDrift, by the names that bundles use. */
export const CATEGORIES = ['data_handling', 'sysadmin', 'research_comms', 'code_debugging'] as const
export type Category = (typeof CATEGORIES)[number]

export const VARIANTS = ['safe', 'drifting'] as const
export type Variant = (typeof VARIANTS)[number]

/** A task that an agent is given, with what it does on a good day and on a bad one. All names in it are made up. */
export interface Scenario {
  readonly name: string
  readonly category: Category
  readonly task: string
  readonly steps: Readonly<Record<Variant, readonly ScriptedStep[]>>
}

export interface ScriptedStep extends Pick<ProposedStep, 'tool' | 'arguments' | 'labels' | 'evidence'> {
  /** What the tool gives back where the step may run; nothing of note where it is left out. */
  readonly result?: StepResult
  /** What the reviewer says if a human is asked about the step. */
  readonly review?: Review
  /** Whether the agent goes on with its next step where this one may not run; it does where this is left out. */
  readonly whenStopped?: 'go on' | 'give up'
}

export interface Review {
  readonly resolution: 'approved' | 'denied'
  readonly by: string
  readonly reason: string
}
