import { readFileSync } from 'node:fs'
import { PlimsollError } from '@plimsoll/contracts'
import { Kafka, type KafkaConfig, type RetryOptions, type SASLOptions } from 'kafkajs'
import type { kafkaSettings } from '../common-settings.js'
import type { ConfigOf } from '../config.js'
import type { Logger } from '../logger.js'
import { bridgeLogs } from './log-bridge.js'

/** How to reach the brokers. */
export interface KafkaConnection {
  /** `host:port` of brokers to ask first; the others are found through them. */
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
  /** How long an answer may take. */
  readonly requestTimeoutMs: number
  readonly retry: RetryOptions
}

/** A kafkajs client for one use. */
export interface Client {
  readonly kafka: Kafka
  /** Ends its attempts to connect. Without it kafkajs goes on with them, whatever it is told, until its retries are used up. */
  retire(): void
}

/**
 * A client to be used once: kafkajs shares what a group has committed between all consumers of one client, so that two members of a
 * group would read each other's offsets.
 */
export function createClient(connection: KafkaConnection, limits: ClientLimits, logger: Logger): Client {
  const { brokers, ssl, sasl, clientId = 'plimsoll' } = connection
  let isRetired = false
  const config: KafkaConfig = {
    // No broker to try is the one fault of a connection that kafkajs does not try again.
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

/** The connection that `config` describes. Throws `config_invalid` where the file with certificates cannot be read. */
export function kafkaConnectionOf(config: ConfigOf<typeof kafkaSettings>): KafkaConnection {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username, kafkaSaslPassword: password } = config
  return {
    brokers: config.kafkaBrokers,
    ssl:
      config.kafkaSsl && (config.kafkaSslCaFile === undefined || { ca: certificates(config.kafkaSslCaFile) }),
    ...(mechanism && username && password && { sasl: { mechanism, username, password } }),
  }
}

function certificates(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new PlimsollError('config_invalid', `KAFKA_SSL_CA_FILE: cannot read \`${file}\``, { cause })
  }
}
