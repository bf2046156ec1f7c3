import { topicsOf } from '@plimsoll/contracts'
import { type MonitorConfig, MONITOR_LIMITS, checkMonitorSettings, monitorSettings } from '@plimsoll/monitor'
import { type Finding, type Status, examineDeployment } from '@plimsoll/operations'
import { consumerGroup, parseConfig } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { defineCommand, environmentOf , flag, json, list } from '../../command.js'
import { jsonLine, plainText } from '../../format/text.js'
import { within } from '../../deployment.js'

const WORDS: Readonly<Record<Status, readonly [one: string, many: string]>> = {
  ok: ['ok', 'ok'],
  warn: ['warning', 'warnings'],
  fail: ['failure', 'failures'],
}

/** A line a finding, its mend below it; a sum at the end. */
export function findingsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => plainText(name).length))
  const indent = ' '.repeat(4 + 2 + width + 2)
  const lines = findings.map(({ status, name, what, mend }) => {
    const line = `${status.padEnd(4)}  ${plainText(name).padEnd(width)}  ${plainText(what)}\n`
    return mend === undefined ? line : `${line}${indent}→ ${plainText(mend)}\n`
  })
  return `${lines.join('')}\n${sumText(findings)}\n`
}

function sumText(findings: readonly Finding[]): string {
  const counts = (['ok', 'warn', 'fail'] as const).map((status) => {
    const count = findings.filter((finding) => finding.status === status).length
    return `${count} ${WORDS[status][count === 1 ? 0 : 1]}`
  })
  return counts.join(', ')
}

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'checks Kafka, Redis and the monitors, and says how to fix what is wrong',
  description: 'Reads the settings that `monitor` reads, and looks at what they name: topics and their settings, the session store, documents, the registry, clocks, the monitors and how far behind they are. It reports what it cannot reach, and checks the rest. Writes nothing but one tombstone to the registry, so that Kafka stamps it. Exit code 1 where anything fails.',
  options: {
    create: flag('makes the topics that are missing, with the settings they need'),
    monitor: list('URL', 'where a monitor serves its probes: it must be ready'),
    json,
  },
  environment: environmentOf(monitorSettings),
  examples: [
    ['', 'everything that the environment names'],
    ['--create', 'makes the topics first'],
    ['--monitor http://127.0.0.1:9464 --json', 'asks a monitor too; for a script'],
  ],
  async run({ create, monitor, json }, _operands, { env, stdout, signal }) {
    const config = parseConfig(monitorSettings, env, { checks: [checkMonitorSettings] })
    const findings = await within(async (onRelease) => {
      const log = createKafkaLog(kafkaConnectionOf(config))
      onRelease(() => log.close())
      const store = createRedisStore({ url: config.redisUrl, prefix: config.topicPrefix })
      onRelease(() => store.close())
      const asked = { ...registryQuery(config), monitors: monitor, signal }
      return examineDeployment({ ...asked, log, store, create: create ? sizesOf(config) : undefined })
    })
    const isWell = findings.every(({ status }) => status !== 'fail')
    stdout.write(json ? jsonLine({ ok: isWell, findings }) : findingsText(findings))
    return isWell ? 0 : 1
  },
})

function registryQuery(config: MonitorConfig) {
  return {
    topics: topicsOf(config.topicPrefix),
    addresses: { log: config.kafkaBrokers.join(', '), store: new URL(config.redisUrl).host },
    group: consumerGroup(config.topicPrefix, 'monitor'),
    signingKey: config.signingKey,
    files: config,
    idleTtlMs: config.idleTtlSeconds * 1000,
    eventBytesMax: MONITOR_LIMITS.eventBytesMax,
  }
}

const sizesOf = ({ partitions, replicas }: MonitorConfig) => ({
  partitions,
  ...(replicas !== undefined && { replicas }),
})
