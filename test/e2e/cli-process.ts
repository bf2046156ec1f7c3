import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { COMMANDS, runCli as runCommand } from '@plimsoll/cli'
import { projectRoot } from '../support/paths.js'

const bin = path.join(projectRoot, 'services/cli/bin/plimsoll.js')

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliProcess {
  readonly pid: number
  /** Resolves with the first matching line of either output; rejects when the process ends without one. */
  printed(pattern: RegExp): Promise<string>
  /** What it has printed so far, on both outputs. */
  lines(): readonly string[]
  signal(signal: NodeJS.Signals): void
  readonly ended: Promise<Ended>
}

export interface CliOptions {
  /** Settings of Plimsoll; those of this process are not inherited. */
  readonly env?: Readonly<Record<string, string>>
  /** The project's root by default. */
  readonly cwd?: string
  /** The program that runs it; by default this Node. */
  readonly node?: string
}

/** Starts `plimsoll args…`. The caller awaits `ended`, or ends it. */
export function startCli(args: readonly string[], options: CliOptions = {}): CliProcess {
  return startNode([bin, ...args], options)
}

/** Runs `plimsoll args…` to its end, in this process: a process for each run costs a second of CPU. */
export async function runCli(args: readonly string[], { env = {} }: CliOptions = {}): Promise<Ended> {
  const texts = { stdout: '', stderr: '' }
  const code = await runCommand(args, COMMANDS, {
    env: { ...withoutSettings(process.env), ...env },
    stdout: { write: (text) => void (texts.stdout += text), isTerminal: false },
    stderr: { write: (text) => void (texts.stderr += text), isTerminal: false },
    signal: new AbortController().signal,
  })
  return { code, signal: null, ...texts }
}

export function startNode(args: readonly string[], options: CliOptions = {}): CliProcess {
  const { env = {}, cwd = projectRoot, node = process.execPath } = options
  const child = spawn(node, args, {
    cwd,
    env: { ...withoutSettings(process.env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  const lines: string[] = []
  const checks = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text))
    createInterface({ input: child[name] }).on('line', (line) => {
      lines.push(line)
      for (const check of checks) check()
    })
  }
  const ended = once(child, 'close').then(([code, signal]): Ended => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    ...texts,
  }))
  return {
    pid: child.pid ?? 0,
    ended,
    lines: () => lines,
    signal: (signal) => void child.kill(signal),
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const line = lines.find((each) => pattern.test(each))
          if (line !== undefined) resolve(line)
        }
        checks.add(check)
        check()
        void ended.then(({ code, stderr }) =>
          reject(new Error(`ended with ${code} before ${pattern}:\n${stderr}`)),
        )
      }),
  }
}

/** `env` without the settings of Plimsoll, its Kafka and its Redis. */
export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(PLIMSOLL|KAFKA|REDIS)_/.test(name)))
}
