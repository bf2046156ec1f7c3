import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { withoutSettings } from '../../e2e/cli-process.js'
import { projectRoot } from '../paths.js'

/** Long: it bounds a failure, and a starved machine is none. */
const MS_MAX = 480_000

/** Runs what a page has its reader type, in the project's root; nothing that it leaves behind outlives it. */
export async function runShell(script: string, env: Readonly<Record<string, string>>) {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: projectRoot,
    env: { ...withoutSettings(process.env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what it leaves running ends with it.
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
