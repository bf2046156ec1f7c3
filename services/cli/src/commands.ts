import type { Command } from './command.js'
import { approve } from './commands/approve.js'
import { fit } from './commands/fit.js'
import { monitor } from './commands/monitor.js'
import { replay } from './commands/replay.js'
import { up } from './commands/up.js'

/** Every command, in the order of the overview. */
export const COMMANDS: readonly Command[] = [up, monitor, replay, approve, fit]
