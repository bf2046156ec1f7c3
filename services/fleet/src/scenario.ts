import type { CONFIDENTIALITIES } from '@plimsoll/contracts'

/** The task categories of SafetyDrift, by the names that bundles use. */
export const CATEGORIES = ['data_handling', 'sysadmin', 'research_comms', 'code_debugging'] as const
export type Category = (typeof CATEGORIES)[number]

/**
 * What an act is to its task. look: finds out what there is; read: what the task needs; pry: more than the task needs; work: changes
 * or runs something; report: tells that it is done, where it can be taken back; share: goes out and cannot be.
 */
export const ACT_KINDS = ['look', 'read', 'pry', 'work', 'report', 'share'] as const
export type ActKind = (typeof ACT_KINDS)[number]

/** `target` is a thing of the task's world, or who or what is addressed. */
export type Act = readonly [tool: string, target: string, text?: string]

export type Confidentiality = (typeof CONFIDENTIALITIES)[number]

/** A task with a small world of its own. All names in it are made up. */
export interface Task {
  readonly name: string
  readonly goal: string
  /** What can be read, and how sensitive it is. */
  readonly things: Readonly<Record<string, Confidentiality>>
  /** Things whose text gives orders to whoever reads it. */
  readonly poisoned?: readonly string[]
  readonly acts: Readonly<Partial<Record<ActKind, readonly Act[]>>>
}

/** What an agent's next act depends on. fresh: it has seen nothing sensitive so far; knowing: it has. */
export const MOODS = ['fresh', 'knowing'] as const
export type Mood = (typeof MOODS)[number]

/** How agents go about the tasks of a category. Weights compare; shares are 0…1. */
export interface Habits {
  readonly weights: Readonly<Record<Mood, Readonly<Record<ActKind, number>>>>
  /** How many times as much an agent is drawn to pry and to share once it has read orders to. */
  readonly led: number
  /** Share of what is sent after something sensitive was read that has it in it. */
  readonly carries: number
  /** Share of reports and sendings after which the agent takes its task for done. */
  readonly content: number
}

/** The tasks of one category, with the habits of whoever is given them. */
export interface Field {
  readonly category: Category
  readonly habits: Habits
  readonly tasks: readonly Task[]
}

/** One task to play. */
export interface Scenario extends Task {
  readonly category: Category
  readonly habits: Habits
}

export interface Review {
  readonly resolution: 'approved' | 'denied'
  readonly by: string
  readonly reason: string
}
