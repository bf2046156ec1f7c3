import assert from 'node:assert/strict'
import { test } from 'node:test'
import { murmur2 } from './partitioner.js'

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
