import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { withoutSettings } from '../../e2e/cli-process.js'
import { projectRoot } from '../paths.js'

/** Long, since it only bounds a failure: a slow machine must not fail. */
const MS_MAX = 480_000

/** Runs the commands of a page in the project's root; ends every process that they leave behind. */
export async function runShell(script: string, env: Readonly<Record<string, string>>) {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: projectRoot,
    env: { ...withoutSettings(process.env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group: processes left running end with it.
    detached: true,
  })
  const end = () => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
    } catch {
      // Nothing is left of it.
    }
  }
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, MS_MAX)
  try {
    const [out, err, code] = await Promise.all([
      text(shell.stdout),
      text(shell.stderr),
      new Promise<number | null>((resolve) => shell.once('exit', resolve)),
    ])
    assert.ok(!isLate, `not over after ${MS_MAX} ms, or something still runs\n${out}\n${err}`)
    return { out, err, code }
  } finally {
    clearTimeout(timer)
    end()
  }
}
