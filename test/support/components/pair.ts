import { kafkaAnswers } from '../kafka/probe.js'
import { startKafka } from '../kafka/index.js'
import { ComponentUnavailable } from '../sessions/offer.js'
import { startRedis } from '../redis/index.js'
import { redisAnswers } from '../redis/probe.js'
import { type Releasers, unwindOnFailure } from '../releasers.js'
import { waitUntil } from '../wait-until.js'

/** The Kafka and the Redis of one test run. What could not be had is undefined, and `missing` says why. */
export interface Pair {
  readonly brokers: readonly string[] | undefined
  readonly redisUrl: string | undefined
  readonly missing: readonly string[]
  stop(): Promise<void>
}

/** What the environment names is used, or it is an error if it does not answer; the rest is started, both at once. */
export function obtainPair(environment: NodeJS.ProcessEnv, answerMsMax = 15_000): Promise<Pair> {
  return unwindOnFailure(async (releasers) => {
    // Both to their end, whatever becomes of the other: what starts late would else never be released.
    const [kafka, redis] = await Promise.allSettled([
      obtainKafka(environment.KAFKA_BROKERS, answerMsMax, releasers),
      obtainRedis(environment.REDIS_URL, answerMsMax, releasers),
    ])
    const missing: string[] = []
    const brokers = valueOf(kafka, missing)
    const redisUrl = valueOf(redis, missing)
    return { brokers, redisUrl, missing, stop: () => releasers.releaseAll() }
  })
}

async function obtainKafka(
  named: string | undefined,
  timeoutMs: number,
  releasers: Releasers,
): Promise<readonly string[]> {
  if (named !== undefined && named !== '') {
    const brokers = named.split(',')
    await waitUntil(`KAFKA_BROKERS \`${named}\``, () => kafkaAnswers(brokers), { timeoutMs })
    return brokers
  }
  const kafka = await startKafka()
  releasers.add(() => kafka.stop())
  return kafka.brokers
}

async function obtainRedis(
  named: string | undefined,
  timeoutMs: number,
  releasers: Releasers,
): Promise<string> {
  if (named !== undefined && named !== '') {
    await waitUntil(`REDIS_URL \`${named}\``, () => redisAnswers(named), { timeoutMs })
    return named
  }
  const redis = await startRedis()
  releasers.add(() => redis.stop())
  return redis.url
}

function valueOf<T>(result: PromiseSettledResult<T>, missing: string[]): T | undefined {
  if (result.status === 'fulfilled') return result.value
  if (!(result.reason instanceof ComponentUnavailable)) throw result.reason
  missing.push(result.reason.message)
  return undefined
}
