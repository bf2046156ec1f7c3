import { PlimsollError, topicsOf } from '@plimsoll/contracts'
import { checkKafkaSettings, openRegistry, parseConfig, type Registry } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { defineCommand } from '../command.js'
import { withoutEnvelope } from '../control/control-text.js'
import { refusalsTold } from '../control/refused.js'
import { registrySettings } from '../control/settings.js'
import { historyText, standingText } from '../control/standing-text.js'
import { standingsOf, type Standings } from '../control/standing.js'
import { environmentOf } from '../environment.js'
import { within } from '../pipeline/within.js'

export const controls = defineCommand({
  name: 'controls',
  summary: 'tells what stands: versions, modes and stops, with who changed them, when and why',
  description: [
    'What the partitions last told of themselves, and what was published. Partitions that differ from the others are named, and so are',
    'those that have not taken the latest change. With PLIMSOLL_SIGNING_KEY forged records are told apart; without it none is looked at.',
  ],
  options: {
    history: { type: 'flag', help: 'every change that was sent, the oldest first' },
    json: { type: 'flag', help: 'one JSON object on stdout' },
  },
  environment: environmentOf(registrySettings),
  examples: [
    ['', 'what stands now'],
    ['--history', 'the audit: who changed what, when and why'],
  ],
  async run({ history, json }, _operands, { env, stdout, stderr, signal }) {
    const config = parseConfig(registrySettings, env, { prefixes: [], checks: [checkKafkaSettings] })
    const text = await within(async (onRelease) => {
      const log = createKafkaLog(kafkaConnectionOf(config))
      onRelease(() => log.close())
      const { registry: topic, events } = topicsOf(config.topicPrefix)
      const { signingKey } = config
      const registry = await openRegistry({
        log,
        topic,
        signingKey,
        follow: false,
        onRefused: refusalsTold(stderr, onRelease),
        signal,
      })
      const partitions = await log.describe(events)
      if (!partitions) throw new PlimsollError('config_invalid', `there is no topic \`${events}\``)
      const standings = standingsOf(registry, partitions.length)
      if (json) return `${JSON.stringify(figuresOf(standings, registry, history))}\n`
      return history ? historyText(registry.controls()) : standingText(standings, registry)
    })
    stdout.write(text)
    return 0
  },
})

function figuresOf({ standings, stragglers }: Standings, registry: Registry, history: boolean) {
  return {
    standings,
    stragglers,
    documents: registry
      .documents()
      .map(({ kind, version, document }) => ({ kind, version, name: document.name })),
    ...(history && { history: registry.controls().map(withoutEnvelope) }),
  }
}
