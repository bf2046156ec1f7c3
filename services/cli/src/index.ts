import { loadCommands } from './commands.js'

/** Every command, in the order of the overview. */
export const COMMANDS = await loadCommands()
export { commandsFor } from './commands.js'
export type { Command, Context, ExitCode, Output } from './command.js'
export { helpOf, runCli } from './program.js'
