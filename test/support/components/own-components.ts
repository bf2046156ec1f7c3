/**
 * For tests that kill what they use: a Kafka or a Redis of their own.
 *
 * @example
 * import { startRedis, withoutOwnRedis } from './own-components.js'
 *
 * test('outlives a crash of Redis', { skip: withoutOwnRedis }, async (t) => {
 *   const redis = await startRedis()
 *   t.after(() => redis.stop())
 *   await redis.kill()
 *   await redis.restart()
 * })
 */
import { kafkaMissing } from '../kafka/index.js'
import { redisMissing } from '../redis/index.js'

export { type RunningKafka, startKafka } from '../kafka/index.js'
export { type RunningRedis, startRedis } from '../redis/index.js'

const [kafka, redis] = await Promise.all([kafkaMissing(), redisMissing()])

export const withoutOwnKafka: string | false = skipIf(kafka)
export const withoutOwnRedis: string | false = skipIf(redis)

function skipIf(missing: string | undefined): string | false {
  if (missing !== undefined && process.env.PLIMSOLL_REQUIRE_BROKERS === '1') throw new Error(missing)
  return missing ?? false
}
