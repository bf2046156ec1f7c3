import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { MonitorProcess } from './monitor-process.js'

const SCRIPT = fileURLToPath(new URL('monitor-process.js', import.meta.url))

export interface SpawnedMonitor {
  readonly pid: number
  /** Resolves when the process has printed `line`; rejects when it ends first. */
  printed(line: string): Promise<void>
  /** Resolves with the signal that ended it, or null. */
  readonly exited: Promise<NodeJS.Signals | null>
  signal(signal: NodeJS.Signals): void
}

/** Starts a monitor process; `signal('SIGKILL')` always ends it. */
export function spawnMonitor(given: MonitorProcess): SpawnedMonitor {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors = lastLines(child)
  const exited = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null)
  const lines = new Set<string>()
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.add(line)
    for (const check of waiting) check()
  })
  return {
    pid: child.pid ?? 0,
    exited,
    signal: (signal) => void child.kill(signal),
    printed: (line) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (lines.has(line)) resolve()
        }
        waiting.add(check)
        check()
        void exited.then((signal) =>
          reject(new Error(`the monitor ended (${signal}) before \`${line}\`:\n${errors().join('\n')}`)),
        )
      }),
  }
}

function lastLines(child: ChildProcess): () => readonly string[] {
  const kept: string[] = []
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => kept.push(line) > 20 && kept.shift())
  return () => kept
}
