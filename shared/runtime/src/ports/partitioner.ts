const SEED = 0x9747b28c
const M = 0x5bd1e995
const R = 24

/** The partition of `key` among `count`, the same as Kafka's Java clients choose. */
export function partitionOf(key: string, count: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % count
}

/**
 * The key of control records for `partition` among `count`: the first of `#0`, `#1`, … in that partition. No session has such a key.
 * Throws a `RangeError` for an invalid partition.
 */
export function controlKeyOf(partition: number, count: number): string {
  if (!Number.isInteger(partition) || partition < 0 || partition >= count)
    throw new RangeError(`no partition ${partition} among ${count}`)
  for (let n = 0; ; n++) {
    const key = `#${n}`
    if (partitionOf(key, count) === partition) return key
  }
}

/** Murmur2 as in `org.apache.kafka.common.utils.Utils`; a signed 32-bit number. */
export function murmur2(data: Uint8Array): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const { length } = data
  const whole = length - (length % 4)
  let h = SEED ^ length
  for (let i = 0; i < whole; i += 4) {
    let k = Math.imul(view.getInt32(i, true), M)
    k = Math.imul(k ^ (k >>> R), M)
    h = Math.imul(h, M) ^ k
  }
  if (length > whole) {
    for (let i = length - 1; i >= whole; i--) h ^= view.getUint8(i) << (8 * (i - whole))
    h = Math.imul(h, M)
  }
  h = Math.imul(h ^ (h >>> 13), M)
  return h ^ (h >>> 15)
}
