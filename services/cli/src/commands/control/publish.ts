import { topicsOf } from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import {
  type ConfigOf,
  type EventLog,
  checkKafkaSettings,
  kafkaSettings,
  openRegistry,
  parseConfig,
  topicSpecs,
} from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { defineCommand, environmentOf } from '../../command.js'
import { publishDocuments, readDocuments } from '../../control/publish-documents.js'
import { reportRefusals } from '../../control/refused.js'
import { within } from '../../pipeline/own-monitor.js'

const { createTopics, replicas } = monitorSettings
const settings = { ...kafkaSettings, createTopics, replicas }

export const publish = defineCommand({
  name: 'publish',
  summary: 'puts model bundles, policies and catalogues where every monitor finds them',
  description: [
    'Checks each file, YAML or JSON, and writes it to the registry under its version, the hash of what it says; nothing is judged by it',
    'before `plimsoll activate`. What is there already is written once more, which changes nothing. Makes the registry where there is none.',
  ],
  operands: { name: 'FILE', help: 'a document; its `kind` says which', min: 1, max: 100 },
  options: { json: { type: 'flag', help: 'one JSON array on stdout' } },
  environment: environmentOf(settings),
  examples: [
    ['policy.yaml', 'a policy'],
    ['bundle.json catalogue.yaml', 'a bundle of `plimsoll fit`, with the catalogue that it was fitted with'],
  ],
  async run({ json }, files, { env, stdout, stderr, signal }) {
    const config = parseConfig(settings, env, { prefixes: [], checks: [checkKafkaSettings] })
    const documents = await readDocuments(files)
    const published = await within(async (onRelease) => {
      const log = createKafkaLog(kafkaConnectionOf(config))
      onRelease(() => log.close())
      const topic = topicsOf(config.topicPrefix).registry
      if (config.createTopics) await makeRegistry(log, config)
      const registry = await openRegistry({
        log,
        topic,
        watch: false,
        onRefused: reportRefusals(stderr, onRelease),
        signal,
      })
      const before = new Set(registry.documents().map(({ version }) => version))
      await publishDocuments(documents, { log, topic, registry, signal })
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
