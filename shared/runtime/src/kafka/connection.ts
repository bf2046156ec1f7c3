import { readFileSync } from 'node:fs'
import { PlimsollError } from '@plimsoll/contracts'
import {
  type KafkaConfig,
  type LogEntry,
  type RetryOptions,
  type SASLOptions,
  Kafka,
  logLevel,
} from 'kafkajs'
import type { kafkaSettings } from '../config/common-settings.js'
import type { ConfigOf } from '../config/config.js'
import type { LogFields, Logger } from '../telemetry/logger.js'

/** Fields of no use in our log lines, such as a stack within kafkajs. */
const LEFT_OUT = new Set(['message', 'timestamp', 'logger', 'stack', 'groupProtocol', 'memberAssignment'])

/** Namespaces in which kafkajs logs every failed attempt as an error. Our own code logs the outcome once. */
const ATTEMPTS = new Set(['Connection', 'RequestQueue', 'BrokerPool', 'Consumer', 'Runner', 'Producer'])

/** Makes kafkajs log through `logger`. */
export function bridgeLogs(logger: Logger): Pick<KafkaConfig, 'logLevel' | 'logCreator'> {
  return {
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => write(logger, entry),
  }
}

function write(logger: Logger, { level, namespace, log }: LogEntry): void {
  const kept = Object.entries(log).filter(([name]) => !LEFT_OUT.has(name))
  const fields: LogFields = {
    component: `kafkajs${namespace && `.${namespace}`}`,
    ...Object.fromEntries(kept),
  }
  if (level > logLevel.WARN || ATTEMPTS.has(namespace)) logger.debug(log.message, fields)
  else logger.warn(log.message, fields)
}

/** How to reach the brokers. */
export interface KafkaConnection {
  /** `host:port` of bootstrap brokers. */
  readonly brokers: readonly string[]
  /** TLS: true for the system's certificates, or the certificates to trust, in PEM. */
  readonly ssl?: boolean | { readonly ca: string }
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
    readonly username: string
    readonly password: string
  }
  /** Named in the brokers' logs and quotas; `plimsoll` by default. */
  readonly clientId?: string
}

const CONNECT_TIMEOUT_MS = 3_000

export interface ClientLimits {
  readonly requestTimeoutMs: number
  readonly retry: RetryOptions
}

/** A kafkajs client for one use. */
export interface Client {
  readonly kafka: Kafka
  /** Ends its attempts to connect, which kafkajs otherwise continues until its retries are used up. */
  retire(): void
}

/**
 * A client for one use: kafkajs shares committed offsets between all consumers of a client, so that two members of a group would read each
 * other's.
 */
export function createClient(connection: KafkaConnection, limits: ClientLimits, logger: Logger): Client {
  const { brokers, ssl, sasl, clientId = 'plimsoll' } = connection
  let isRetired = false
  const config: KafkaConfig = {
    // An empty list is the only connection error that kafkajs does not retry.
    brokers: () => (isRetired ? [] : [...brokers]),
    clientId,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: limits.requestTimeoutMs,
    retry: limits.retry,
    ...bridgeLogs(logger),
  }
  if (ssl) config.ssl = ssl === true ? true : { ca: ssl.ca }
  if (sasl) config.sasl = { ...sasl } as SASLOptions
  return {
    kafka: new Kafka(config),
    retire: () => {
      isRetired = true
    },
  }
}

/** The connection of `config`. Throws `config_invalid` if the file with certificates cannot be read. */
export function kafkaConnectionOf(config: ConfigOf<typeof kafkaSettings>): KafkaConnection {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username, kafkaSaslPassword: password } = config
  return {
    brokers: config.kafkaBrokers,
    ssl: config.kafkaSsl === 'true' || (config.kafkaSsl !== 'false' && { ca: certificates(config.kafkaSsl) }),
    ...(mechanism && username && password && { sasl: { mechanism, username, password } }),
  }
}

function certificates(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new PlimsollError('config_invalid', `KAFKA_SSL: cannot read \`${file}\``, { cause })
  }
}
