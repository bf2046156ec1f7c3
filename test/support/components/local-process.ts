import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ProcessOptions {
  readonly command: string
  readonly args: readonly string[]
  /** Takes what the process prints. */
  readonly logFile: string
  /** Goes, with the process, when this process is gone, however it went. A process without it outlives us. */
  readonly directoryOfOurs?: string
}

export interface LocalProcess {
  readonly pid: number
  isRunning(): boolean
  /** The end of what it printed. */
  lastLines(count?: number): string
  /** Sends `signal`, and SIGKILL if it has not ended after `graceMs`; resolves when it has. */
  end(signal: NodeJS.Signals, graceMs?: number): Promise<void>
}

/** Starts a process in a session of its own, so that a Ctrl-C reaches it only through us and in order. */
export async function startProcess(options: ProcessOptions): Promise<LocalProcess> {
  const { command, args, logFile, directoryOfOurs } = options
  const log = openSync(logFile, 'a')
  const child = spawn(command, args, { detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  await once(child, 'spawn')
  child.unref()
  const { pid } = child
  if (pid === undefined) throw new Error(`\`${command}\` has no process id`)
  const dismissGuard = directoryOfOurs === undefined ? () => undefined : startGuard(pid, directoryOfOurs)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    pid,
    isRunning,
    lastLines: (count = 15) => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n'),
    end: async (signal, graceMs = 10_000) => {
      if (isRunning()) await endChild(child, signal, graceMs)
      dismissGuard()
    },
  }
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  child.ref()
  const exited = once(child, 'exit')
  child.kill(signal)
  const grace = new AbortController()
  const overdue = sleep(graceMs, 'overdue', { signal: grace.signal }).catch(() => 'in time')
  if ((await Promise.race([exited, overdue])) === 'overdue') child.kill('SIGKILL')
  await exited
  grace.abort()
}

/**
 * A shell that waits for the end of its input, which comes when this process ends for whatever reason, SIGKILL too, and then
 * takes the child and its directory along. Nothing in this process could do that.
 */
function startGuard(pid: number, directory: string): () => void {
  const script = 'read -r _; kill -9 "$1"; sleep 0.2; rm -rf "$2"'
  const guard = spawn('sh', ['-c', script, 'guard', String(pid), directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  return () => guard.kill('SIGKILL')
}
