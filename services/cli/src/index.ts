export { COMMANDS } from './commands.js'
export type { Command, Context, ExitCode, Output } from './command.js'
export { helpOf, runCli } from './program.js'
