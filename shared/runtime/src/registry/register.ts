import {
  canonicalJson,
  documentKindOf,
  PlimsollError,
  registryKey,
  versionOf,
  type Documents,
} from '@plimsoll/contracts'
import type { EventLog } from '../event-log.js'

export type RegisterLog = Pick<EventLog, 'produce' | 'settings'>

/**
 * Writes `document` to the registry in `topic` under its version, which it gives. A document that is there already is written once more,
 * which changes nothing and mends it where somebody has written over it. Throws `document_invalid` where it is larger than the topic
 * takes, and what `produce` throws.
 */
export async function registerDocument(
  log: RegisterLog,
  topic: string,
  document: Documents[keyof Documents],
): Promise<string> {
  const version = versionOf(document)
  const value = canonicalJson(document)
  await assertFits(log, topic, document, Buffer.byteLength(value))
  await log.produce(topic, [{ key: registryKey.document(version), value }])
  return version
}

async function assertFits(
  log: RegisterLog,
  topic: string,
  document: Documents[keyof Documents],
  bytes: number,
): Promise<void> {
  const max = Number((await log.settings(topic))?.[MESSAGE_BYTES_SETTING])
  // A log that does not tell says so when it is written to.
  if (!(bytes + RECORD_OVERHEAD_BYTES > max)) return
  throw new PlimsollError(
    'document_invalid',
    `${documentKindOf(document)} \`${document.name}\` takes ${bytes} bytes, and topic \`${topic}\` takes ${max}: ` +
      `raise its ${MESSAGE_BYTES_SETTING} to ${bytes + RECORD_OVERHEAD_BYTES} at least`,
  )
}

const MESSAGE_BYTES_SETTING = 'max.message.bytes'
/** Kafka's batch and record headers, with the key. */
const RECORD_OVERHEAD_BYTES = 256
