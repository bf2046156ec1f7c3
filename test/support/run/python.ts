/**
 * A Python with what an example needs, in a folder of its own, for tests of agents that are not ours.
 *
 * @example
 * const python = await obtainPython(path.join(projectRoot, 'examples/python/requirements.txt'))
 * after(() => python.remove())
 * test('…', { skip: python.missing }, async () => run(python.command, ['agent.py']))
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

export interface Python {
  readonly command: string
  /** Why there is none, for the options of a test; false where there is. */
  readonly missing: string | false
  remove(): Promise<void>
}

/** Makes a virtual environment and installs what `requirements` lists, from where pip is configured to look. */
export async function obtainPython(requirements: string): Promise<Python> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-python-'))
  const command = path.join(folder, 'bin/python')
  const missing =
    (await failureOf('python3', ['-m', 'venv', folder], 'needs python3 with its venv module')) ??
    (await failureOf(
      command,
      ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', '--requirement', requirements],
      `pip could not install ${path.basename(requirements)}`,
    ))
  if (missing !== undefined)
    process.stderr.write(`test: *** ${missing}: agents in Python are not tried ***\n`)
  return { command, missing: missing ?? false, remove: () => rm(folder, { recursive: true, force: true }) }
}

async function failureOf(
  command: string,
  args: readonly string[],
  what: string,
): Promise<string | undefined> {
  try {
    await promisify(execFile)(command, [...args], { timeout: 180_000 })
    return undefined
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error)
      .split('\n')
      .slice(-2)
    return `${what} (${line})`
  }
}
