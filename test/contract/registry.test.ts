import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  canonicalJson,
  registryKey,
  sign,
  topicsOf,
  versionOf,
  type Catalogue,
  type Control,
  type PartitionReport,
} from '@plimsoll/contracts'
import {
  openRegistry,
  registerDocument,
  topicSpecs,
  type EventLog,
  type OutgoingRecord,
  type RefusedRecord,
  type RegistryOptions,
} from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { createKafkaLog } from '@plimsoll/runtime/kafka'
import { kafka, uniquePrefix } from '../support/components/components.js'
import { SIGNING_KEY } from '../support/sessions/deployment.js'
import { waitUntil } from '../support/wait-until.js'

const catalogueOf = (name: string): Catalogue => ({
  schema: 1,
  kind: 'plimsoll.catalogue',
  name,
  tools: [],
})

const controlOf = (id: string, key = SIGNING_KEY): OutgoingRecord => {
  const payload = { schema: 1, type: 'fleet.stopped', id, partition: null, time: 1, by: 'ada' } as const
  return { key: registryKey.control(id), value: JSON.stringify(sign<Control>(payload, key)) }
}

const reportOf = (partition: number, offset: string, key = SIGNING_KEY): OutgoingRecord => {
  const base = { active: {}, running: {}, stops: [], modes: [], time: 0 }
  const controls = { base, changes: [] }
  const payload = { schema: 1, partition, offset, control: 'c', controls } as const
  return { key: registryKey.partition(partition), value: JSON.stringify(sign<PartitionReport>(payload, key)) }
}

const damaged = (version: string): OutgoingRecord => ({
  key: version,
  value: canonicalJson({ ...catalogueOf('good'), name: 'tampered' }),
})

interface Fixture {
  readonly log: EventLog
  readonly topic: string
  readonly refused: RefusedRecord[]
  readonly open: (options?: Partial<RegistryOptions>) => ReturnType<typeof openRegistry>
  readonly produce: (...records: readonly OutgoingRecord[]) => Promise<void>
}

async function onDeployment(
  newLog: () => EventLog,
  work: (fixture: Fixture) => Promise<void>,
): Promise<void> {
  const log = newLog()
  const topic = `${uniquePrefix()}bundles`
  const refused: RefusedRecord[] = []
  const specs = topicSpecs({ ...topicsOf(topic), registry: topic }, { partitions: 1 })
  await log.createTopics(specs.filter((spec) => spec.topic === topic))
  const onRefused = (each: RefusedRecord) => void refused.push(each)
  try {
    await work({
      log,
      topic,
      refused,
      open: (options) => openRegistry({ log, topic, signingKey: SIGNING_KEY, onRefused, ...options }),
      produce: (...records) => log.produce(topic, records),
    })
  } finally {
    await log.close()
  }
}

const ADAPTERS = [
  { name: 'embedded', skip: false, newLog: () => createEmbeddedLog() },
  { name: 'kafka', skip: kafka.skip, newLog: () => createKafkaLog({ brokers: kafka.brokers }) },
] as const

for (const { name, skip, newLog } of ADAPTERS)
  describe(`the registry on ${name}`, { skip }, () => {
    test('has documents registered before it was opened, and follows later ones', () =>
      onDeployment(newLog, async ({ log, topic, open, produce, refused }) => {
        const first = await registerDocument(log, topic, catalogueOf('first'))
        await produce(controlOf('a'), reportOf(2, '5'))
        const reported: string[] = []
        const registry = await open({ onReport: ({ offset }) => void reported.push(offset) })
        assert.deepEqual(registry.document(first), {
          kind: 'catalogue',
          version: versionOf(catalogueOf('first')),
          document: catalogueOf('first'),
        })
        assert.deepEqual([registry.controls().map(({ id }) => id), registry.report(2)?.offset], [['a'], '5'])
        const second = await registerDocument(log, topic, catalogueOf('second'))
        await produce(controlOf('b'), reportOf(2, '9'))
        await waitUntil('the report is followed', () => registry.report(2)?.offset === '9')
        assert.deepEqual(
          registry.documents().map(({ version }) => version),
          [first, second],
        )
        assert.deepEqual(
          registry.controls().map(({ id }) => id),
          ['a', 'b'],
        )
        assert.deepEqual([reported, refused], [['5', '9'], []])
        await registry.close()
      }))

    test('without following, gets later documents when it is refreshed', () =>
      onDeployment(newLog, async ({ log, topic, open }) => {
        const registry = await open({ watch: false })
        assert.deepEqual(registry.documents(), [])
        const version = await registerDocument(log, topic, catalogueOf('late'))
        await registry.refresh()
        assert.equal(registry.document(version)?.document.name, 'late')
        await registry.refresh()
        assert.equal(registry.documents().length, 1)
      }))

    test('refuses invalid records with a reason, and keeps the previous documents', () =>
      onDeployment(newLog, async ({ log, topic, open, produce, refused }) => {
        const version = await registerDocument(log, topic, catalogueOf('good'))
        await produce(controlOf('a'), reportOf(0, '5'))
        const registry = await open({ watch: false })
        const other = 'another key, of another place'
        await produce(
          damaged(version),
          { key: version, value: new Uint8Array([0, 159, 146, 150]) },
          { key: 'f'.repeat(32), value: canonicalJson(catalogueOf('good')) },
          controlOf('b', other),
          reportOf(0, '6', other),
          { key: 'something', value: '{}' },
          { key: version, value: null },
        )
        await registry.refresh()
        assert.deepEqual(
          refused.map(({ reason, offset }) => [reason, Number(offset)]),
          [
            ['hash_mismatch', 3],
            ['not_json', 4],
            ['hash_mismatch', 5],
            ['signature_invalid', 6],
            ['signature_invalid', 7],
            ['key_unknown', 8],
          ],
        )
        assert.equal(registry.document(version)?.document.name, 'good')
        assert.equal(registry.documents().length, 1)
        assert.deepEqual([registry.controls().length, registry.report(0)?.offset], [1, '5'])
        // After a second publication later readers have it too.
        await registerDocument(log, topic, catalogueOf('good'))
        assert.ok((await open({ watch: false })).document(version))
      }))

    test('refuses a missing topic and one with several partitions', () =>
      onDeployment(newLog, async ({ log, topic, open }) => {
        await assert.rejects(open({ topic: `${topic}-not-there` }), {
          code: 'config_invalid',
          message: /there is no topic `.*-not-there`: `plimsoll doctor --create`/,
        })
        const wide = `${topic}-wide`
        await log.createTopics([{ topic: wide, partitions: 2 }])
        await assert.rejects(open({ topic: wide }), { code: 'config_invalid', message: /2 partitions/ })
      }))
  })

test('a document too large for the topic is refused before it is sent', { skip: kafka.skip }, async () => {
  const log = createKafkaLog({ brokers: kafka.brokers })
  const topic = `${uniquePrefix()}bundles`
  await log.createTopics([{ topic, partitions: 1, config: { 'max.message.bytes': '20000' } }])
  const sized = (tools: number): Catalogue => ({
    ...catalogueOf('sized'),
    tools: Array.from({ length: tools }, (_, i) => ({
      tools: [`tool_${i}`],
      labels: {
        capability: 'read',
        confidentiality: 'none',
        trust: 'trusted',
        reversibility: 'reversible',
      },
    })),
  })
  try {
    await assert.rejects(registerDocument(log, topic, sized(1000)), {
      code: 'document_invalid',
      message:
        /^catalogue `sized` has \d+ bytes, and topic `.*` accepts 20000: raise its max\.message\.bytes to at least \d+/,
    })
    // Just below the limit it fits: the allowance for the envelope suffices.
    const most = largest((count) => Buffer.byteLength(canonicalJson(sized(count))) + 256 <= 20_000)
    await registerDocument(log, topic, sized(most))
  } finally {
    await log.close()
  }
})

/** The largest count that fits. */
function largest(fits: (count: number) => boolean): number {
  let count = 1
  while (fits(count + 1)) count++
  return count
}
