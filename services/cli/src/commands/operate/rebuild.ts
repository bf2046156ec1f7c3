import { topicsOf } from '@plimsoll/contracts'
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
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { defineCommand, environmentOf , json } from '../../command.js'
import { textTable } from '../../format/text.js'
import { within } from '../../deployment.js'
import { createProgress } from '../../format/progress.js'

export const rebuild = defineCommand({
  name: 'rebuild',
  summary: 'rebuilds the session records in Redis from Kafka, while no monitor runs',
  description: 'Reads back what an idle session may be remembered for and folds it, up to where the monitors go on. Publishes nothing: what was decided was published long ago. A running monitor does it by itself when it finds its store emptied; this does it for all at once. Refuses while the group has members. Interrupted, it is run again. Give it the environment of the monitors.',
  options: { json },
  environment: environmentOf(monitorSettings),
  examples: [['', 'after Redis has lost its memory, before the monitors start']],
  async run({ json }, _operands, { env, stdout, stderr, signal }) {
    const config = parseConfig(monitorSettings, env, { checks: [checkMonitorSettings] })
    const documents = await readRuleDocuments(config)
    const logger = createLogger({ level: config.logLevel, write: (line) => stderr.write(line) })
    const progress = createProgress(stderr, 'rebuild')
    const rebuilt = await within(async (onRelease) => {
      const log = createKafkaLog({ ...kafkaConnectionOf(config), logger })
      onRelease(() => log.close())
      const store = createRedisStore({ url: config.redisUrl, prefix: config.topicPrefix, logger })
      onRelease(() => store.close())
      return rebuildStore({
        log,
        store,
        documents,
        topics: topicsOf(config.topicPrefix),
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
    const rows = rebuilt.map(({ partition, why, from, upTo, records, sessions, lost }) => ({
      partition,
      why,
      from: String(from),
      upTo: String(upTo),
      records,
      sessions,
      lost,
    }))
    if (json) stdout.write(`${JSON.stringify(rows)}\n`)
    else if (rows.length === 0)
      stdout.write('No partition has been read by the monitors yet: nothing to rebuild.\n')
    else stdout.write(tableOf(rows.map((row) => ({ ...row, why: STORE_WAS[row.why] }))))
    return 0
  },
})

/** `missing` is what the records are that were made again, if any were. */
const STORE_WAS = { flushed: 'flushed', behind: 'behind', missing: 'up to date' } as const

function tableOf(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const head = ['partition', 'store was', 'from', 'up to', 'records', 'sessions made', 'sessions lost']
  const lost = rows.reduce((sum, row) => sum + Number(row.lost), 0)
  const note = lost > 0 ? 'Lost sessions began before what can be read; what they propose is blocked.\n' : ''
  return `${textTable([head, ...rows.map((row) => Object.values(row))])}${note}`
}
