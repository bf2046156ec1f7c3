import { monitorSettings } from '@plimsoll/monitor'
import { publishDocuments, readDocuments } from '@plimsoll/operations'
import { kafkaSettings, openRegistry, topicSpecs } from '@plimsoll/runtime'
import { defineCommand, environmentOf, json } from '../../command.js'
import { configOf, openLog, reportRefusals, within } from '../../deployment.js'
import { jsonLine, leftTable } from '../../format/text.js'

const { createTopics, replicas } = monitorSettings
const settings = { ...kafkaSettings, createTopics, replicas }

export const publish = defineCommand({
  name: 'publish',
  summary: 'puts model bundles, policies and catalogues where every monitor finds them',
  description:
    'Checks each file, YAML or JSON, and writes it to the registry under its version, the hash of its content. It takes effect with `plimsoll control activate`. Publishing a document again changes nothing. Creates the registry if there is none.',
  operands: [['<FILE...>', 'documents; the `kind` in each says what it is']],
  options: { json },
  environment: environmentOf(settings),
  examples: [
    ['policy.yaml', 'a policy'],
    ['bundle.json catalogue.yaml', 'a bundle of `plimsoll fit`, with its catalogue'],
  ],
  async run({ json }, files, { env, stdout, stderr, signal }) {
    const config = configOf(settings, env)
    const documents = await readDocuments(files)
    const published = await within(async (onRelease) => {
      const { log, topics } = openLog(config, onRelease)
      const topic = topics.registry
      if (config.createTopics && !(await log.describe(topic))) {
        const specs = topicSpecs(topics, {
          partitions: 1,
          ...(config.replicas !== undefined && { replicas: config.replicas }),
        })
        await log.createTopics(specs.filter((spec) => spec.topic === topic))
      }
      const onRefused = reportRefusals(stderr, onRelease)
      const registry = await openRegistry({ log, topic, watch: false, onRefused, signal })
      const before = new Set(registry.documents().map(({ version }) => version))
      await publishDocuments(documents, { log, topic, registry, signal })
      return documents.map(({ kind, version, document: { name } }) => ({
        kind,
        name,
        version,
        isNew: !before.has(version),
      }))
    })
    const rows = published.map(({ kind, name, version, isNew }) => [
      kind,
      version,
      isNew ? name : `${name}  (was there already)`,
    ])
    stdout.write(json ? jsonLine(published) : leftTable(rows))
    return 0
  },
})
