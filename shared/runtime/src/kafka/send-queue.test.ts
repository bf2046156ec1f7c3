import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Message, type PartitionMetadata, Partitioners } from 'kafkajs'
import { partitionOf } from '../ports/partitioner.js'
import { createPlacement } from './send-queue.js'

const metadataOf = (count: number): PartitionMetadata[] =>
  Array.from({ length: count }, (_, partitionId) => ({
    partitionErrorCode: 0,
    partitionId,
    leader: 1,
    replicas: [],
    isr: [],
  }))

test('places every key as kafkajs does', () => {
  const count = 17
  const partitionMetadata = metadataOf(count)
  const place = Partitioners.DefaultPartitioner()
  for (let i = 0; i < 2_000; i++) {
    const key = `${'žx'.repeat(i % 7)}session-${i}`
    assert.equal(
      partitionOf(key, count),
      place({ topic: 't', partitionMetadata, message: { key, value: '' } }),
      key,
    )
  }
})

test('remembers where a message went, and spreads those without a key', () => {
  const placement = createPlacement()
  const place = placement.createPartitioner()
  const messages: Message[] = Array.from({ length: 30 }, () => ({ key: null, value: '' }))
  assert.equal(placement.of({ key: 'a', value: '' }), undefined, 'nobody knows the partitions yet')
  const first = messages.map((message) => place({ topic: 't', partitionMetadata: metadataOf(3), message }))
  const again = messages.map((message) => place({ topic: 't', partitionMetadata: metadataOf(3), message }))
  assert.deepEqual(again, first)
  assert.deepEqual(
    first.map((partition) => first.filter((each) => each === partition).length),
    first.map(() => 10),
  )
  const next: Message = { key: 'a', value: '' }
  assert.equal(placement.of(next), partitionOf('a', 3))
})
