import type { Signals } from '@plimsoll/contracts'
import { patternOf, readTable } from '../text/data.js'

const TEXT_MAX = 4096
const MORE = patternOf(readTable<string>('acts', 'meansMore'))

/**
 * Whether a task may mean more things than it names: *every channel but general*. What it names then tells nothing of the others. A task
 * too long to be read may.
 */
export const meansMore = (task: string): Signals =>
  task.length > TEXT_MAX || MORE.test(task) ? { meansMore: 1 } : {}
