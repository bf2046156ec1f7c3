import { LOG_LEVELS } from '../telemetry/logger.js'
import { type ConfigOf, setting } from './config.js'

const BROKER = /^(\[[0-9a-f:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/i
const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

const topicPrefix = setting.text({
  env: 'PLIMSOLL_TOPIC_PREFIX',
  doc: 'Prefix of the names of topics, consumer groups and Redis keys.',
  default: 'plimsoll',
  expects: '1–64 letters, digits, `.`, `_`, `-`',
  pattern: /^[A-Za-z0-9._-]{1,64}$/,
})

/** How to reach Kafka: shared by every service. Goes to `createKafkaLog` through `kafkaConnectionOf`. */
export const kafkaSettings = {
  kafkaBrokers: setting.list({
    env: 'KAFKA_BROKERS',
    doc: 'Bootstrap brokers, separated by commas.',
    default: '127.0.0.1:9092',
    expects: '`host:port`, several separated by commas',
    pattern: BROKER,
  }),
  kafkaSsl: setting.text({
    env: 'KAFKA_SSL',
    doc: "TLS to the brokers: `true` to trust the system's certificates, or a PEM file with the certificates to trust.",
    default: 'false',
    expects: '`true`, `false` or the path of a `.pem`, `.crt` or `.cer` file',
    pattern: /^(true|false|.+\.(pem|crt|cer))$/,
  }),
  kafkaSaslMechanism: setting.choice(SASL_MECHANISMS)({
    env: 'KAFKA_SASL_MECHANISM',
    doc: 'SASL mechanism; no SASL by default.',
  }),
  kafkaSaslUsername: setting.text({ env: 'KAFKA_SASL_USERNAME', doc: 'SASL user name.' }),
  kafkaSaslPassword: setting.text({
    env: 'KAFKA_SASL_PASSWORD',
    doc: 'SASL password.',
    isSecret: true,
  }),
  topicPrefix,
}

/** The consumer group of a service. */
export const consumerGroup = (
  topicPrefix: string,
  service: 'monitor' | 'judge' | 'otel' | 'otel-export',
): string => `${topicPrefix}-${service}`

/** The key of internal events, for `setting.text`; some services do without. */
export const SIGNING_KEY = {
  env: 'PLIMSOLL_SIGNING_KEY',
  doc: 'Signing key of internal events and control changes. Without it both are refused, and no deadlines are published.',
  expects: 'at least 16 characters',
  pattern: /^.{16,}$/,
  isSecret: true,
} as const

/** How to reach Redis. Goes to `createRedisStore` as `{ url, prefix }`, with `topicPrefix` as the prefix of keys. */
export const redisSettings = {
  redisUrl: setting.url({
    env: 'REDIS_URL',
    doc: 'Address of Redis, with user, password and database if needed; `rediss:` for TLS.',
    default: 'redis://127.0.0.1:6379',
    protocols: ['redis', 'rediss'],
    isSecret: true,
  }),
  topicPrefix,
}

/** Settings of every service: its log level and where it serves metrics and probes. */
export const serviceSettings = {
  logLevel: setting.choice([...LOG_LEVELS, 'silent'] as const)({
    env: 'PLIMSOLL_LOG_LEVEL',
    doc: 'Lowest level that is logged.',
    default: 'info',
  }),
  httpHost: setting.text({
    env: 'PLIMSOLL_HTTP_HOST',
    doc: 'Address at which metrics and probes are served; `0.0.0.0` for all addresses of the machine.',
    default: '127.0.0.1',
    expects: 'a host name or address',
    pattern: /^[0-9A-Za-z.:_-]+$/,
  }),
  httpPort: setting.integer({
    env: 'PLIMSOLL_HTTP_PORT',
    doc: 'Port of metrics and probes; 0 for any free port.',
    default: '9464',
    max: 65_535,
  }),
}

/** Goes to `createClient` as `fingerprintKey`. */
export const fingerprintSettings = {
  fingerprintKey: setting.text({
    env: 'PLIMSOLL_FINGERPRINT_KEY',
    doc: 'Key of the fingerprints of texts, shared by all clients and gateways and unknown to monitors. Without it clients report no fingerprints.',
    expects: 'at least 16 characters',
    pattern: /^.{16,}$/,
    isSecret: true,
  }),
}

/** Catalogues of clients. */
export const catalogueSettings = {
  catalogueFiles: setting.list({
    env: 'PLIMSOLL_CATALOGUE',
    doc: 'Files of tool catalogues, separated by commas. Each is merged over the shipped catalogues, tool by tool; the last one wins. Use the same as the monitors.',
    expects: 'the path of a file, several separated by commas',
  }),
}

/** Goes to `createClient` as `identityKey`, and to monitors. */
export const identitySettings = {
  identityKey: setting.text({
    env: 'PLIMSOLL_IDENTITY_KEY',
    doc: 'Key of session identities, shared by all gateways, trusted hosts and monitors and unknown to agents: clients sign tokens and events with it, and monitors verify them.',
    expects: 'at least 16 characters',
    pattern: /^.{16,}$/,
    isSecret: true,
  }),
}

/** For the `checks` of `parseConfig` with `kafkaSettings`. */
export function checkKafkaSettings(config: ConfigOf<typeof kafkaSettings>): readonly string[] {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username, kafkaSaslPassword: password } = config
  if (mechanism && !(username && password))
    return ['KAFKA_SASL_MECHANISM: expected KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD with it']
  if (!mechanism && (username || password))
    return ['KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD: expected KAFKA_SASL_MECHANISM with them']
  return []
}
