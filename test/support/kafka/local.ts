import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from '../components/free-ports.js'
import { java, javaMissing } from '../components/java.js'
import { type LocalServer, startServer } from '../components/local-server.js'
import { kafkaFiles, kafkaJars } from './jars.js'
import { kafkaAnswers } from './probe.js'
import { asProperties, kafkaSettings } from './settings.js'

const run = promisify(execFile)

export interface LocalKafkaOptions {
  /** Of the listeners for clients, the broker itself and the controller; free ones if not given. */
  readonly ports?: readonly [clients: number, broker: number, controller: number]
  readonly keptDirectory?: string
  /** They override the settings of a test broker. */
  readonly settings?: Readonly<Record<string, string>>
}

export async function localKafkaMissing(): Promise<string | undefined> {
  return (await javaMissing()) ?? (await kafkaJars().missing())
}

/** Apache Kafka as one process of this machine: broker and controller in one, listening on 127.0.0.1. */
export async function startLocalKafka(
  options: LocalKafkaOptions = {},
): Promise<LocalServer & { brokers: string[]; inside: string }> {
  const classpath = path.join(await kafkaJars().ensure(), '*')
  const [clients = 0, broker = 0, controller = 0] = options.ports ?? (await freePorts(3))
  const brokers = [`127.0.0.1:${clients}`]
  const on = (port: number) => ({ bind: '127.0.0.1', port })
  const inside = `127.0.0.1:${broker}`
  const settings = {
    ...kafkaSettings({ PLAINTEXT: on(clients), BROKER: on(broker), CONTROLLER: on(controller) }),
    ...options.settings,
  }
  const server = await startServer({
    name: 'kafka',
    prepare: (directory) => format(directory, classpath, settings),
    command: (directory) => ({
      command: java(),
      args: [
        ...jvmFlags(directory),
        '-cp',
        classpath,
        'kafka.Kafka',
        path.join(directory, 'server.properties'),
      ],
    }),
    // Clients may have to log in; the broker's own listener asks nobody.
    answers: () => kafkaAnswers(options.settings ? [inside] : brokers),
    startTimeoutMs: 90_000,
    ...(options.keptDirectory === undefined ? {} : { keptDirectory: options.keptDirectory }),
  })
  return { ...server, brokers, inside }
}

const jvmFlags = (directory: string): readonly string[] => [
  '-Xms256m',
  '-Xmx512m',
  '-XX:+UseSerialGC',
  `-Dlog4j2.configurationFile=${path.join(kafkaFiles, 'log4j2.properties')}`,
  `-Dkafka.logs.dir=${directory}`,
]

async function format(directory: string, classpath: string, settings: Readonly<Record<string, string>>) {
  const data = path.join(directory, 'data')
  const properties = path.join(directory, 'server.properties')
  mkdirSync(data, { recursive: true })
  writeFileSync(properties, asProperties({ ...settings, 'log.dirs': data }))
  if (existsSync(path.join(data, 'meta.properties'))) return
  const clusterId = randomBytes(16).toString('base64url')
  const tool = ['kafka.tools.StorageTool', 'format', `--cluster-id=${clusterId}`, '--config', properties]
  const flags = [...jvmFlags(directory), '-XX:TieredStopAtLevel=1']
  await run(java(), [...flags, '-cp', classpath, ...tool], { timeout: 60_000 })
}
