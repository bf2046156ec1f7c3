import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What `command` prints, on both its outputs; undefined if it cannot be run or fails. */
export async function outputOf(command: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run(command, [...args], { timeout: 20_000 })
    return stdout + stderr
  } catch {
    return undefined
  }
}
