import assert from 'node:assert/strict'
import { test } from 'node:test'
import { topicsOf } from '@plimsoll/contracts'
import { topicSpecs } from './topic-specs.js'

const topics = topicsOf('acme')

test('every topic has its spec; the registry is compacted and has one partition, the shadow is kept for a week', () => {
  const specs = topicSpecs(topics, { partitions: 12 })
  assert.deepEqual(
    specs.map(({ topic, partitions, config }) => [topic, partitions, config]),
    [
      ['acme.events', 12, {}],
      ['acme.decisions', 12, {}],
      ['acme.deadletters', 12, {}],
      ['acme.shadow', 12, { 'retention.ms': '604800000' }],
      ['acme.registry', 1, { 'cleanup.policy': 'compact' }],
    ],
  )
  assert.ok(specs.every((spec) => !('replicas' in spec)))
})

test('of three replicas two must have a record; of fewer nothing is said', () => {
  for (const [replicas, least] of [
    [1, undefined],
    [2, undefined],
    [3, '2'],
    [5, '2'],
  ] as const)
    for (const spec of topicSpecs(topics, { partitions: 3, replicas })) {
      assert.equal(spec.replicas, replicas)
      assert.equal(spec.config?.['min.insync.replicas'], least)
    }
})
