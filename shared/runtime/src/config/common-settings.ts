import { LOG_LEVELS } from '../telemetry/logger.js'
import { type ConfigOf, setting } from './config.js'

const BROKER = /^(\[[0-9a-f:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/i
const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

/** How to reach Kafka: shared by every service. Goes to `createKafkaLog` through `kafkaConnectionOf`. */
export const kafkaSettings = {
  kafkaBrokers: setting.list({
    env: 'KAFKA_BROKERS',
    doc: 'Brokers to ask first, with commas between.',
    default: '127.0.0.1:9092',
    expects: '`host:port`, several with commas between',
    pattern: BROKER,
  }),
  kafkaSsl: setting.flag({ env: 'KAFKA_SSL', doc: 'Whether to use TLS to the brokers.', default: 'false' }),
  kafkaSslCaFile: setting.text({
    env: 'KAFKA_SSL_CA_FILE',
    doc: "File with the certificates to trust, in PEM; the system's where it is left out.",
    expects: 'the path of a file',
  }),
  kafkaSaslMechanism: setting.choice(SASL_MECHANISMS)({
    env: 'KAFKA_SASL_MECHANISM',
    doc: 'How to log in; no log-in where it is left out.',
  }),
  kafkaSaslUsername: setting.text({ env: 'KAFKA_SASL_USERNAME', doc: 'Name to log in with.' }),
  kafkaSaslPassword: setting.text({
    env: 'KAFKA_SASL_PASSWORD',
    doc: 'Password to log in with.',
    isSecret: true,
  }),
  topicPrefix: setting.text({
    env: 'PLIMSOLL_TOPIC_PREFIX',
    doc: 'Beginning of the names of all topics.',
    default: 'plimsoll',
    expects: '1–64 letters, digits, `.`, `_`, `-`',
    pattern: /^[A-Za-z0-9._-]{1,64}$/,
  }),
}

/** How to reach Redis. Goes to `createRedisStore` as `{ url, prefix }`. */
export const redisSettings = {
  redisUrl: setting.url({
    env: 'REDIS_URL',
    doc: 'Address of Redis, with user, password and database where it needs them; `rediss:` for TLS.',
    default: 'redis://127.0.0.1:6379',
    protocols: ['redis', 'rediss'],
    isSecret: true,
  }),
  redisPrefix: setting.text({
    env: 'PLIMSOLL_REDIS_PREFIX',
    doc: 'Beginning of the names of all keys.',
    default: 'plimsoll',
    expects: '1–32 letters, digits, `.`, `_`, `-`',
    pattern: /^[A-Za-z0-9._-]{1,32}$/,
  }),
}

/** What each service has: its log and its port for metrics and probes. */
export const serviceSettings = {
  logLevel: setting.choice([...LOG_LEVELS, 'silent'] as const)({
    env: 'PLIMSOLL_LOG_LEVEL',
    doc: 'The least that is logged.',
    default: 'info',
  }),
  httpHost: setting.text({
    env: 'PLIMSOLL_HTTP_HOST',
    doc: 'Where metrics and probes are served; `0.0.0.0` for every address of the machine.',
    default: '127.0.0.1',
    expects: 'a host name or address',
    pattern: /^[0-9A-Za-z.:_-]+$/,
  }),
  httpPort: setting.integer({
    env: 'PLIMSOLL_HTTP_PORT',
    doc: 'Port of metrics and probes; 0 for any that is free.',
    default: '9464',
    max: 65_535,
  }),
}

/** What a client tells of texts. Goes to `createClient` as `fingerprintKey`. */
export const fingerprintSettings = {
  fingerprintKey: setting.text({
    env: 'PLIMSOLL_FINGERPRINT_KEY',
    doc: 'Key of the fingerprints of texts, the same for all clients and gateways, and for no monitor; without it nothing is reported of texts.',
    expects: 'at least 16 characters',
    pattern: /^.{16,}$/,
    isSecret: true,
  }),
}

/** Which catalogues add to those that ship. */
export const catalogueSettings = {
  catalogueFiles: setting.list({
    env: 'PLIMSOLL_CATALOGUE',
    doc: 'Files of tool catalogues, with commas between, for reading texts and for MCP. They add to the shipped ones; for a tool in several, the last one wins. Use the same as the monitors.',
    expects: 'the path of a file, several with commas between',
  }),
}

/** Who sessions are. Goes to `createClient` as `identityKey`, and to monitors. */
export const identitySettings = {
  identityKey: setting.text({
    env: 'PLIMSOLL_IDENTITY_KEY',
    doc: 'Key of the identities of sessions, the same for all gateways, trusted hosts and monitors, and for no agent: with it clients issue tokens and prove events, and monitors verify them.',
    expects: 'at least 16 characters',
    pattern: /^.{16,}$/,
    isSecret: true,
  }),
}

/** For `parseConfig`'s `checks`, wherever `kafkaSettings` are used. */
export function checkKafkaSettings(config: ConfigOf<typeof kafkaSettings>): readonly string[] {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username, kafkaSaslPassword: password } = config
  if (mechanism && !(username && password))
    return ['KAFKA_SASL_MECHANISM: expected KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD with it']
  if (!mechanism && (username || password))
    return ['KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD: expected KAFKA_SASL_MECHANISM with them']
  return []
}
