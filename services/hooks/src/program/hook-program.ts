/** The process that a client starts for each event: `node hook-program.js SETTINGS [EVENT]`. It loads no library, since a client waits for it. */
import { writeSync } from 'node:fs'
import { readInput } from './input.js'
import { readSettings, runHook } from './run.js'

const [, , file = '', event] = process.argv

try {
  const { stdout, stderr, exitCode } = await runHook(readSettings(file), readInput(), event)
  if (stderr !== '') writeSync(2, stderr)
  if (stdout !== '') writeSync(1, stdout)
  process.exitCode = exitCode
} catch (error) {
  // Exit code 2 stops the call in most clients; they need a text with it.
  writeSync(2, `plimsoll: the hook failed: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
