/**
 * A Python with what a test needs, in a folder of its own under `.cache`, which the next run finds again.
 *
 * @example
 * const python = await obtainPython('kafka', ['--requirement', path.join(projectRoot, 'examples/python/requirements.txt')])
 * test('…', { skip: python.missing }, async () => run(python.command, ['agent.py']))
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../paths.js'

export interface Python {
  readonly command: string
  /** Why there is none, for the options of a test; false where there is. */
  readonly missing: string | false
}

/** An installation of a large framework takes minutes. */
const INSTALL_MS_MAX = 900_000

/** Makes the virtual environment `name` and has pip install what `install` says, from where pip is configured to look. */
export async function obtainPython(name: string, install: readonly string[]): Promise<Python> {
  const folder = path.join(projectRoot, '.cache/python', name)
  const command = path.join(folder, 'bin/python')
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  const missing =
    (await failureOf('python3', ['-m', 'venv', folder], 'needs python3 with its venv module')) ??
    (await failureOf(command, [...pip, ...install], `pip could not install \`${install.join(' ')}\``))
  if (missing !== undefined)
    process.stderr.write(`test: *** ${missing}: agents in Python are not tried ***\n`)
  return { command, missing: missing ?? false }
}

async function failureOf(
  command: string,
  args: readonly string[],
  what: string,
): Promise<string | undefined> {
  try {
    await promisify(execFile)(command, [...args], { timeout: INSTALL_MS_MAX })
    return undefined
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error)
      .split('\n')
      .slice(-2)
    return `${what} (${line})`
  }
}
