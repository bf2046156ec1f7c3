import { Kafka, logLevel } from 'kafkajs'

/** Whether a broker answers and has made itself known to its cluster; before that it takes no topics. */
export async function kafkaAnswers(brokers: readonly string[]): Promise<boolean> {
  const kafka = new Kafka({
    clientId: 'plimsoll-probe',
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 2_000,
    requestTimeout: 5_000,
    retry: { retries: 0 },
  })
  const admin = kafka.admin()
  try {
    await admin.connect()
    const cluster = await admin.describeCluster()
    return cluster.brokers.length > 0
  } catch {
    return false
  } finally {
    await admin.disconnect().catch(() => undefined)
  }
}
