/** A Kafka and a Redis that outlive the command that started them, for `npm run kafka:up` and `kafka:down`. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { outputOf } from '../commands.js'
import { assertPortFree } from './free-ports.js'
import { localKafkaMissing, startLocalKafka } from '../kafka/local.js'
import { cacheDirectory } from '../paths.js'
import { localRedisMissing, startLocalRedis } from '../redis/local.js'
import { waitUntil } from '../wait-until.js'

export interface DeveloperPorts {
  /** Of Kafka's clients; the two above it are the broker's own. */
  readonly kafka: number
  readonly redis: number
}

interface Component {
  readonly name: 'kafka' | 'redis'
  /** In the command line of its process, so that a process id that has been given to another is not taken for it. */
  readonly mark: string
  missing(): Promise<string | undefined>
  start(keptDirectory: string): Promise<Started>
}

interface Started {
  readonly pid: number
  readonly address: string
}

const home = (): string => path.join(cacheDirectory(), 'pair')
const stateFile = (name: string): string => path.join(home(), `${name}.json`)

const createKafka = (port: number): Component => ({
  name: 'kafka',
  mark: 'kafka.Kafka',
  missing: localKafkaMissing,
  start: async (keptDirectory) => {
    const ports = [port, port + 1, port + 2] as const
    for (const one of ports) await assertPortFree(one)
    const kafka = await startLocalKafka({ ports, keptDirectory })
    return { pid: kafka.pid(), address: kafka.brokers.join(',') }
  },
})

const createRedis = (port: number): Component => ({
  name: 'redis',
  mark: 'redis-server',
  missing: localRedisMissing,
  start: async (keptDirectory) => {
    await assertPortFree(port)
    const redis = await startLocalRedis({ port, keptDirectory })
    return { pid: redis.pid(), address: redis.url }
  },
})

/** Starts what does not run yet; resolves when both answer. */
export async function startDeveloperPair(
  ports: DeveloperPorts,
): Promise<{ brokers: string; redisUrl: string }> {
  const redis = await ensureRunning(createRedis(ports.redis))
  const kafka = await ensureRunning(createKafka(ports.kafka))
  return { brokers: kafka.address, redisUrl: redis.address }
}

/** Ends both and tells which did run. Their data stay for the next start unless `wipe` is set. */
export async function stopDeveloperPair(wipe: boolean): Promise<readonly string[]> {
  const ended: string[] = []
  for (const component of [createKafka(0), createRedis(0)]) {
    const running = await findRunning(component)
    if (running !== undefined) {
      await endProcess(component.name, running.pid)
      ended.push(component.name)
    }
    rmSync(stateFile(component.name), { force: true })
  }
  if (wipe) rmSync(home(), { recursive: true, force: true })
  return ended
}

async function ensureRunning(component: Component): Promise<Started> {
  const running = await findRunning(component)
  if (running !== undefined) return running
  const missing = await component.missing()
  if (missing !== undefined) throw new Error(`${component.name}: ${missing}`)
  mkdirSync(home(), { recursive: true })
  const started = await component.start(path.join(home(), component.name))
  writeFileSync(stateFile(component.name), JSON.stringify(started))
  return started
}

async function findRunning({ name, mark }: Component): Promise<Started | undefined> {
  if (!existsSync(stateFile(name))) return undefined
  const started = JSON.parse(readFileSync(stateFile(name), 'utf8')) as Started
  const commandLine = await outputOf('ps', ['-o', 'args=', '-p', String(started.pid)])
  return commandLine?.includes(mark) === true ? started : undefined
}

async function endProcess(name: string, pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM')
  try {
    await waitUntil(`end of ${name}`, () => !isAlive(pid), { timeoutMs: 20_000 })
  } catch {
    process.kill(pid, 'SIGKILL')
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
