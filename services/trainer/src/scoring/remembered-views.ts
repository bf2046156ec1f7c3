import type { BlindStep } from '../traces/blind.js'
import type { Views } from './play.js'

/** Tasks whose view is kept: recordings have hundreds. */
const TASKS_MAX = 4096

/**
 * Views that are made once for each step, however many sessions share it: agents repeat each other, and reading texts is what playing
 * takes its time for. They are kept as long as the steps are, so steps should be shared: see `createStepInterner`.
 */
export function rememberedViews(views: Views): Views {
  const proposed = new WeakMap<BlindStep, ReturnType<Views['proposed']>>()
  const completed = new WeakMap<BlindStep, ReturnType<Views['completed']>>()
  const started = new Map<string, ReturnType<Views['started']>>()
  return {
    started: (task) => {
      const known = started.get(task) ?? views.started(task)
      if (started.size < TASKS_MAX) started.set(task, known)
      return known
    },
    proposed: (step) => remembered(proposed, step, views.proposed),
    completed: (step) => remembered(completed, step, views.completed),
  }
}

function remembered<T>(known: WeakMap<BlindStep, T>, step: BlindStep, make: (step: BlindStep) => T): T {
  const found = known.get(step)
  if (found !== undefined) return found
  const made = make(step)
  known.set(step, made)
  return made
}
