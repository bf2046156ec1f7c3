import type { IHeaders, KafkaMessage, Message } from 'kafkajs'
import type { LogRecord, OutgoingRecord } from '../event-log.js'

export function toMessage({ key, value, headers }: OutgoingRecord): Message {
  return {
    key,
    value: value === null || typeof value === 'string' ? value : asBuffer(value),
    ...(headers && { headers: { ...headers } }),
  }
}

/** About the bytes that `record` takes in a batch. */
export function sizeOf({ key, value, headers }: OutgoingRecord): number {
  const headerBytes = Object.entries(headers ?? {}).reduce(
    (sum, [name, text]) => sum + byteLength(name) + byteLength(text) + 10,
    0,
  )
  return RECORD_OVERHEAD_BYTES + byteLength(key) + byteLength(value) + headerBytes
}

/** Lengths, deltas and attributes of a record, at their longest. */
const RECORD_OVERHEAD_BYTES = 36

export function toRecord(topic: string, partition: number, message: KafkaMessage): LogRecord {
  return {
    topic,
    partition,
    offset: BigInt(message.offset),
    key: message.key === null ? null : message.key.toString('utf8'),
    value: message.value,
    headers: toHeaders(message.headers),
    timeMs: Number(message.timestamp),
  }
}

/** Of a header that stands several times the last counts, as in Kafka's own clients. */
function toHeaders(headers: IHeaders | undefined): Record<string, string> {
  const entries = Object.entries(headers ?? {}).flatMap(([name, value]) => {
    const last = Array.isArray(value) ? value.at(-1) : value
    return last === undefined || last === null ? [] : [[name, last.toString('utf8')] as const]
  })
  return Object.fromEntries(entries)
}

function byteLength(data: string | Uint8Array | null): number {
  if (data === null) return 0
  return typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
