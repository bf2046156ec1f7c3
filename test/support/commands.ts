import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The output of `command`, stdout and stderr; undefined if it cannot run or fails. */
export async function outputOf(command: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run(command, [...args], { timeout: 20_000 })
    return stdout + stderr
  } catch {
    return undefined
  }
}
