import { pause } from '@plimsoll/runtime'
import type { Random } from './random.js'

/** When the next step of an agent comes. */
export interface Pace {
  /**
   * Resolves when an agent may take its next step, or sooner at the abort, with when the step was due, milliseconds of
   * `performance.now()`; undefined where nothing says when.
   */
  turn(random: Random, signal: AbortSignal): Promise<number | undefined>
}

/** Each agent pauses before its step for about `pauseMs`, by half more or less. Without a pause the next step comes at once. */
export function createPauses(pauseMs: number): Pace {
  return {
    turn: async (random, signal) => {
      const ms = pauseMs * (0.5 + random())
      if (ms > 0) await pause(ms, signal)
      return undefined
    },
  }
}

/**
 * Steps at a fixed rate over all agents, whatever became of the earlier ones: an open loop. A turn that no agent was free to take when
 * it was due is taken late, and its latency counts from when it was due: a stall is seen in every step that it has held up, not in one.
 */
export function createSchedule(stepsPerSecond: number, now: () => number = () => performance.now()): Pace {
  const begun = now()
  let turns = 0
  return {
    turn: async (_random, signal) => {
      const due = begun + (turns++ * 1000) / stepsPerSecond
      const ms = due - now()
      if (ms > 0) await pause(ms, signal)
      return due
    },
  }
}
