import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type LocalProcess, type ProcessOptions, startProcess } from './local-process.js'
import { unwindOnFailure } from '../releasers.js'
import { waitUntil } from '../wait-until.js'

export interface ServerOptions {
  readonly name: string
  /** Keeps its data and its process when we are gone; without it, the data are in a directory that goes with the server. */
  readonly keptDirectory?: string
  /** What has to be done once, before the first start. */
  readonly prepare?: (directory: string) => Promise<void>
  readonly command: (directory: string) => Pick<ProcessOptions, 'command' | 'args'>
  readonly answers: () => Promise<boolean>
  readonly startTimeoutMs: number
}

/** A component that a test may end and start again. */
export interface Restartable {
  /** Ends it for good, with its data. Harmless a second time. */
  stop(): Promise<void>
  /** Ends it as a power cut would (SIGKILL). Its data stay. */
  kill(): Promise<void>
  /** Starts it again, same address, same data, and waits until it answers; a running server is ended in an orderly way first. */
  restart(): Promise<void>
}

export interface LocalServer extends Restartable {
  readonly pid: () => number
}

export function startServer(options: ServerOptions): Promise<LocalServer> {
  return unwindOnFailure(async (releasers) => {
    const directory = options.keptDirectory ?? mkdtempSync(path.join(tmpdir(), `plimsoll-${options.name}-`))
    mkdirSync(directory, { recursive: true })
    if (options.keptDirectory === undefined) {
      releasers.add(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
    }
    await options.prepare?.(directory)
    let running = await startProcess(processOptions(options, directory))
    releasers.add(() => running.end('SIGKILL'))
    await untilAnswers(options, running)
    return {
      pid: () => running.pid,
      stop: () => releasers.releaseAll(),
      kill: () => running.end('SIGKILL'),
      restart: async () => {
        await running.end('SIGTERM')
        running = await startProcess(processOptions(options, directory))
        await untilAnswers(options, running)
      },
    }
  })
}

function processOptions(options: ServerOptions, directory: string): ProcessOptions {
  const logFile = path.join(directory, 'server.log')
  const kept = options.keptDirectory !== undefined
  return { ...options.command(directory), logFile, ...(kept ? {} : { directoryOfOurs: directory }) }
}

function untilAnswers(options: ServerOptions, server: LocalProcess): Promise<void> {
  return waitUntil(`start of ${options.name}`, options.answers, {
    timeoutMs: options.startTimeoutMs,
    hopeless: () => (server.isRunning() ? undefined : `the process ended\n${server.lastLines()}`),
  })
}
