export { COMMANDS } from './commands.js'
export type { Command, Context, ExitCode, Output } from './command.js'
export { helpOf, overview } from './format/help.js'
export { runCli } from './run.js'
