import { PlimsollError, topicsOf, type RegisteredDocument } from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import { readAnyDocument } from '@plimsoll/policy'
import {
  checkKafkaSettings,
  kafkaSettings,
  openRegistry,
  parseConfig,
  registerDocument,
  topicSpecs,
  type ConfigOf,
  type EventLog,
} from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { defineCommand } from '../command.js'
import { refusalsTold } from '../control/refused.js'
import { environmentOf } from '../environment.js'
import { within } from '../pipeline/within.js'

const { createTopics, replicas } = monitorSettings
const settings = { ...kafkaSettings, createTopics, replicas }

export const publish = defineCommand({
  name: 'publish',
  summary: 'puts model bundles, policies and catalogues where every monitor finds them',
  description: [
    'Checks each file, YAML or JSON, and writes it to the registry under its version, the hash of what it says; nothing is judged by it',
    'before `plimsoll activate`. What is there already is written once more, which changes nothing. Makes the registry where there is none.',
  ],
  operands: { name: 'FILE', help: 'a document; its own `kind` tells which', min: 1, max: 100 },
  options: { json: { type: 'flag', help: 'one JSON array on stdout' } },
  environment: environmentOf(settings),
  examples: [
    ['policy.yaml', 'a policy'],
    ['bundle.json catalogue.yaml', 'a bundle of `plimsoll fit`, with the catalogue that it was fitted with'],
  ],
  async run({ json }, files, { env, stdout, stderr, signal }) {
    const config = parseConfig(settings, env, { prefixes: [], checks: [checkKafkaSettings] })
    const documents = await readAll(files)
    const published = await within(async (onRelease) => {
      const log = createKafkaLog(kafkaConnectionOf(config))
      onRelease(() => log.close())
      const topic = topicsOf(config.topicPrefix).registry
      if (config.createTopics) await makeRegistry(log, config)
      const registry = await openRegistry({
        log,
        topic,
        follow: false,
        onRefused: refusalsTold(stderr, onRelease),
        signal,
      })
      const before = new Set(registry.documents().map(({ version }) => version))
      for (const { document } of documents) await registerDocument(log, topic, document)
      await registry.refresh(signal)
      assertThere(
        documents.filter(({ version }) => !registry.document(version)),
        topic,
      )
      return documents.map(({ kind, version, document }) => ({
        kind,
        name: document.name,
        version,
        isNew: !before.has(version),
      }))
    })
    if (json) stdout.write(`${JSON.stringify(published)}\n`)
    else
      for (const { kind, name, version, isNew } of published)
        stdout.write(`${kind.padEnd(9)}  ${version}  ${name}${isNew ? '' : '  (was there already)'}\n`)
    return 0
  },
})

/** Throws `document_invalid` with every problem of every file: nothing is published where one is damaged. */
async function readAll(files: readonly string[]): Promise<readonly RegisteredDocument[]> {
  const settled = await Promise.allSettled(files.map(readAnyDocument))
  const problems = settled.flatMap((result) => {
    if (result.status === 'fulfilled') return []
    if (!(result.reason instanceof PlimsollError)) throw result.reason
    return [result.reason.message]
  })
  if (problems.length > 0)
    throw new PlimsollError('document_invalid', `${problems.join('\n  ')}\nnothing was published`)
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

/** Makes the registry's topic where there is none. */
async function makeRegistry(
  log: EventLog,
  { topicPrefix, replicas }: ConfigOf<typeof settings>,
): Promise<void> {
  const topics = topicsOf(topicPrefix)
  const specs = topicSpecs(topics, { partitions: 1, ...(replicas !== undefined && { replicas }) })
  if (!(await log.describe(topics.registry)))
    await log.createTopics(specs.filter(({ topic }) => topic === topics.registry))
}

/** What cannot be read back was not published. */
function assertThere(missing: readonly RegisteredDocument[], topic: string): void {
  if (missing.length === 0) return
  const names = missing.map(({ kind, document }) => `${kind} \`${document.name}\``).join(', ')
  throw new PlimsollError(
    'log_unavailable',
    `${names} cannot be read back from topic \`${topic}\`: publish again`,
  )
}
