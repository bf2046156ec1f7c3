import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlKeyOf, murmur2, partitionOf } from './partitioner.js'

test('hashes as the Java clients do', () => {
  // Source: org.apache.kafka.common.utils.UtilsTest.
  const published: Readonly<Record<string, number>> = {
    '21': -973932308,
    foobar: -790332482,
    'a-little-bit-long-string': -985981536,
    'a-little-bit-longer-string': -1486304829,
    lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8: -58897971,
    abc: 479470107,
  }
  for (const [key, hash] of Object.entries(published)) assert.equal(murmur2(Buffer.from(key)), hash, key)
})

test('names the first control key of each partition', () => {
  for (const count of [1, 3, 12, 200])
    for (let partition = 0; partition < count; partition++) {
      const key = controlKeyOf(partition, count)
      assert.match(key, /^#\d+$/)
      assert.equal(partitionOf(key, count), partition)
      for (let n = 0; n < Number(key.slice(1)); n++) assert.notEqual(partitionOf(`#${n}`, count), partition)
    }
  for (const partition of [-1, 3, 0.5]) assert.throws(() => controlKeyOf(partition, 3), RangeError)
})
