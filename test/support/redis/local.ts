import { outputOf } from '../commands.js'
import { freePorts } from '../components/free-ports.js'
import { type LocalServer, startServer } from '../components/local-server.js'
import { redisAnswers } from './probe.js'
import { redisArguments } from './settings.js'

const majorMin = 7

export async function localRedisMissing(): Promise<string | undefined> {
  const major = /v=(\d+)\./.exec((await outputOf('redis-server', ['--version'])) ?? '')?.[1]
  if (major === undefined) return 'no redis-server'
  return Number(major) < majorMin ? `redis-server is ${major}, not ${majorMin} or later` : undefined
}

export interface LocalRedisOptions {
  readonly port?: number
  readonly keptDirectory?: string
}

/** Redis as one process of this machine, listening on 127.0.0.1. */
export async function startLocalRedis(
  options: LocalRedisOptions = {},
): Promise<LocalServer & { url: string }> {
  const [port] = options.port === undefined ? await freePorts(1) : [options.port]
  const url = `redis://127.0.0.1:${port}`
  const server = await startServer({
    name: 'redis',
    command: (directory) => ({
      command: 'redis-server',
      args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, ...redisArguments],
    }),
    answers: () => redisAnswers(url),
    startTimeoutMs: 20_000,
    ...(options.keptDirectory === undefined ? {} : { keptDirectory: options.keptDirectory }),
  })
  return { ...server, url }
}
