/**
 * The Kafka and the Redis that all tests of a run share, as the runner has put them into the environment.
 *
 * @example
 * import { kafka, redis, uniquePrefix, withoutPair } from './components.js'
 *
 * test('decides on real components', { skip: withoutPair }, async () => {
 *   const log = createKafkaLog({ brokers: kafka.brokers })
 *   const topic = `${uniquePrefix()}events`
 * })
 */
import { randomBytes } from 'node:crypto'

type Skip = string | false

const brokers = process.env.KAFKA_BROKERS ?? ''
const url = process.env.REDIS_URL ?? ''

/** `brokers` is empty where there is none; then `skip` says so, for the options of a test. */
export const kafka: { readonly brokers: readonly string[]; readonly skip: Skip } = {
  brokers: brokers === '' ? [] : brokers.split(','),
  skip: skipUnless(brokers, 'KAFKA_BROKERS'),
}

/** `url` is empty where there is none; then `skip` says so, for the options of a test. */
export const redis: { readonly url: string; readonly skip: Skip } = {
  url,
  skip: skipUnless(url, 'REDIS_URL'),
}

/** The same Redis, another database: empty of what a test has written. */
export const otherDatabase = `${url}/1`

/** For tests that need both. */
export const withoutPair: Skip = kafka.skip || redis.skip

/** For the names of topics, groups and sessions of one test: no other test of any run has the same. */
export const uniquePrefix = (): string => `t${randomBytes(5).toString('hex')}-`

function skipUnless(value: string, variable: string): Skip {
  if (value !== '') return false
  const reason = `${variable} is not set; \`npm test\` and \`npm run kafka:up\` tell what is missing`
  if (process.env.PLIMSOLL_REQUIRE_BROKERS === '1') throw new Error(reason)
  return reason
}
