import type { Command } from './command.js'
import { fit } from './commands/fit.js'

/** Every command, in the order of the overview. */
export const COMMANDS: readonly Command[] = [fit]
