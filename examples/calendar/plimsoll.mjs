import { fileURLToPath } from 'node:url'

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url))

/** The arguments that the policy reads, which are therefore sent: a mail's recipients, never its text. Deciding in process sends nothing. */
const DISCLOSE = [{ tools: ['send_email'], arguments: ['to'] }]

/** The monitors that read from Kafka, or the engine in this process. */
export async function connectPlimsoll() {
  const { readDocument } = await import('@plimsoll/policy')
  const catalogue = await readDocument('catalogue', fileOf('catalogue.yaml'))
  const { KAFKA_BROKERS: brokers, PLIMSOLL_TOPIC_PREFIX: topicPrefix } = process.env
  return brokers ? overKafka(brokers.split(','), topicPrefix, catalogue) : inProcess(catalogue)
}

async function inProcess(catalogue) {
  const [{ createGuard }, { readDocument }] = await Promise.all([
    import('@plimsoll/client'),
    import('@plimsoll/policy'),
  ])
  const policy = await readDocument('policy', fileOf('policy.yaml'))
  const documents = { bundle: await readDocument('bundle'), policy, catalogue }
  const { CALENDAR_MODE: mode = 'enforce' } = process.env
  return createGuard({ documents, mode })
}

async function overKafka(brokers, topicPrefix, catalogue) {
  const { connectClient } = await import('@plimsoll/client/kafka')
  const { PLIMSOLL_FINGERPRINT_KEY: fingerprintKey } = process.env
  return connectClient({
    brokers,
    catalogue,
    disclose: DISCLOSE,
    // A step after a change of policy waits until the session's events have been read.
    timeoutMs: 20_000,
    ...(topicPrefix && { topicPrefix }),
    ...(fingerprintKey && { fingerprintKey }),
  })
}
