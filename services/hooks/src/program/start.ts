import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { HookSettings } from '../settings.js'

/** A service that this hook has started. */
export interface Started {
  /** Whether it has ended. */
  hasFailed: boolean
  /** Lets other hooks start one. */
  readonly release: () => void
}

/**
 * Starts the service, unless another hook is doing so: of hooks that come at once only one starts it. What the service writes when it cannot
 * start is kept in the log.
 *
 * @param limitMs how long a hook waits at most, milliseconds: an older claim was left by a killed hook
 * @returns undefined while another hook starts it
 */
export async function startService(
  { node, script, options, log }: HookSettings,
  limitMs: number,
): Promise<Started | undefined> {
  mkdirSync(path.dirname(log), { recursive: true, mode: 0o700 })
  const claim = `${log}.starting`
  if (!isClaimed(claim, limitMs)) return undefined
  // Most hooks need none: a client waits for each.
  const { spawn } = await import('node:child_process')
  const started: Started = { hasFailed: false, release: () => rmSync(claim, { force: true }) }
  const fail = () => {
    started.hasFailed = true
  }
  const errors = openSync(log, 'w', 0o600)
  spawn(node, [script, 'hook', 'serve', ...options], {
    detached: true,
    stdio: ['ignore', 'ignore', errors],
    windowsHide: true,
  })
    .on('error', fail)
    .on('exit', fail)
    .unref()
  closeSync(errors)
  return started
}

/** Whether this hook now starts the service. What a killed hook has left is taken away for the next try. */
function isClaimed(claim: string, limitMs: number): boolean {
  try {
    writeFileSync(claim, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (isLeft(claim, limitMs)) rmSync(claim, { force: true })
    return false
  }
}

function isLeft(claim: string, limitMs: number): boolean {
  const found = statSync(claim, { throwIfNoEntry: false })
  if (!found) return false
  if (Date.now() - found.mtimeMs > limitMs) return true
  try {
    const owner = Number(readFileSync(claim, 'utf8'))
    if (owner > 0) process.kill(owner, 0)
    return false
  } catch (error) {
    // A claim that is gone meanwhile is no longer this one.
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
