import {
  checkMonitorSettings,
  countingOf,
  identityOf,
  limitsOf,
  monitorSettings,
  readRuleDocuments,
  rebuild as rebuildStore,
} from '@plimsoll/monitor'
import { consumerGroup, createLogger, parseConfig } from '@plimsoll/runtime'
import { defineCommand, environmentOf, json } from '../../command.js'
import { openLog, openStore, within } from '../../deployment.js'
import { jsonLine, textTable } from '../../format/text.js'
import { createProgress } from '../../format/progress.js'

export const rebuild = defineCommand({
  name: 'rebuild',
  summary: 'rebuilds the session records in Redis from Kafka, while no monitor runs',
  description:
    'Reads the events of the last days back, as long as idle sessions are kept, and replays them up to where the monitors stand. Publishes nothing. A running monitor does this by itself for its partitions; this command does it for all at once. Refuses while monitors run. You can run it again after an interruption. Use the environment of the monitors.',
  options: { json },
  environment: environmentOf(monitorSettings),
  examples: [['', 'after Redis has lost its memory, before the monitors start']],
  async run({ json }, _operands, { env, stdout, stderr, signal }) {
    const config = parseConfig(monitorSettings, env, { checks: [checkMonitorSettings] })
    const documents = await readRuleDocuments(config)
    const logger = createLogger({ level: config.logLevel, write: (line) => stderr.write(line) })
    const progress = createProgress(stderr, 'rebuild')
    const rebuilt = await within(async (onRelease) => {
      const { log, topics } = openLog(config, onRelease, logger)
      const store = openStore(config, onRelease, logger)
      return rebuildStore({
        log,
        store,
        documents,
        topics,
        group: consumerGroup(config.topicPrefix, 'monitor'),
        signingKey: config.signingKey,
        identity: identityOf(config),
        limits: limitsOf(config),
        counting: countingOf(config),
        logger,
        onProgress: ({ partition, offset, upTo }) =>
          progress.update(Number(offset) / Number(upTo), `partition ${partition}`),
        signal,
      })
    })
    progress.end()
    const rows = rebuilt.map(
      ({ partition, why, from, upTo, records, sessions, lost }) =>
        [partition, STORE_WAS[why], String(from), String(upTo), records, sessions, lost] as const,
    )
    if (json) stdout.write(jsonLine(rebuilt))
    else if (rows.length === 0)
      stdout.write('The monitors have not read any partition yet: nothing to rebuild.\n')
    else stdout.write(textTable([HEAD, ...rows]))
    if (!json && rebuilt.some(({ lost }) => lost > 0))
      stdout.write('Lost sessions began before the start of the log: their steps are blocked.\n')
    return 0
  },
})

const HEAD = ['partition', 'store was', 'from', 'up to', 'records', 'sessions made', 'sessions lost']

/** `missing`: some records had to be made again. */
const STORE_WAS = { flushed: 'flushed', behind: 'behind', missing: 'up to date' } as const
