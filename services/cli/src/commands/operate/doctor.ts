import { MONITOR_LIMITS, checkMonitorSettings, monitorSettings } from '@plimsoll/monitor'
import { type Finding, type Status, counted, examineDeployment } from '@plimsoll/operations'
import { consumerGroup, parseConfig } from '@plimsoll/runtime'
import { defineCommand, environmentOf, flag, json, list } from '../../command.js'
import { openLog, openStore, within } from '../../deployment.js'
import { jsonLine, plainText } from '../../format/text.js'

/** A line for each finding, its remedy below it; the counts at the end. */
export function findingsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => plainText(name).length))
  const indent = ' '.repeat(4 + 2 + width + 2)
  const lines = findings.map(({ status, name, what, remedy }) => {
    const line = `${status.padEnd(4)}  ${plainText(name).padEnd(width)}  ${plainText(what)}\n`
    return remedy === undefined ? line : `${line}${indent}→ ${plainText(remedy)}\n`
  })
  const count = (status: Status) => findings.filter((each) => each.status === status).length
  const [ok, warn, fail] = [count('ok'), count('warn'), count('fail')]
  return `${lines.join('')}\n${ok} ok, ${counted(warn, 'warning')}, ${counted(fail, 'failure')}\n`
}

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'checks Kafka, Redis and the monitors, and says how to fix what is wrong',
  description:
    'Reads the settings of `monitor`, and checks what they name: topics, session store, documents, registry, clocks, the monitors and their lag. It reports what it cannot reach, and checks the rest. Its only write is a tombstone in the registry, to read the clock of Kafka. Exit code 1 if anything fails.',
  options: {
    create: flag('creates missing topics, with the settings they need'),
    monitor: list('URL', 'where a monitor serves its probes: checks that it is ready'),
    json,
  },
  environment: environmentOf(monitorSettings),
  examples: [
    ['', 'everything that the environment names'],
    ['--create', 'creates the topics first'],
    ['--monitor http://127.0.0.1:9464 --json', 'asks a monitor too; for a script'],
  ],
  async run({ create, monitor, json }, _operands, { env, stdout, signal }) {
    const config = parseConfig(monitorSettings, env, { checks: [checkMonitorSettings] })
    const { partitions, replicas } = config
    const findings = await within(async (onRelease) => {
      const { log, topics } = openLog(config, onRelease)
      return examineDeployment({
        log,
        store: openStore(config, onRelease),
        topics,
        addresses: { log: config.kafkaBrokers.join(', '), store: new URL(config.redisUrl).host },
        group: consumerGroup(config.topicPrefix, 'monitor'),
        signingKey: config.signingKey,
        files: config,
        idleTtlMs: config.idleTtlSeconds * 1000,
        eventBytesMax: MONITOR_LIMITS.eventBytesMax,
        create: create ? { partitions, ...(replicas !== undefined && { replicas }) } : undefined,
        monitors: monitor,
        signal,
      })
    })
    const isWell = findings.every(({ status }) => status !== 'fail')
    stdout.write(json ? jsonLine({ ok: isWell, findings }) : findingsText(findings))
    return isWell ? 0 : 1
  },
})
