import type { Command } from './command.js'
import { activate } from './commands/activate.js'
import { approve } from './commands/approve.js'
import { controls } from './commands/controls.js'
import { fit } from './commands/fit.js'
import { mode } from './commands/mode.js'
import { monitor } from './commands/monitor.js'
import { publish } from './commands/publish.js'
import { replay } from './commands/replay.js'
import { resume } from './commands/resume.js'
import { stop } from './commands/stop.js'
import { up } from './commands/up.js'

/** Every command, in the order of the overview. */
export const COMMANDS: readonly Command[] = [
  up,
  monitor,
  replay,
  approve,
  fit,
  publish,
  activate,
  mode,
  stop,
  resume,
  controls,
]
