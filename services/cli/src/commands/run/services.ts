import { consoleSettings, startConsoleService } from '@plimsoll/console'
import type { PlimsollError } from '@plimsoll/contracts'
import { gatewaySettings, startGatewayService } from '@plimsoll/gateway'
import { judgeSettings, startJudgeService } from '@plimsoll/judge'
import { checkMonitorSettings, monitorSettings, startMonitorService } from '@plimsoll/monitor'
import { checkOtelSettings, otelSettings, startOtelService } from '@plimsoll/otel'
import { checkKafkaSettings, parseConfig } from '@plimsoll/runtime'
import { defineCommand, environmentOf, flag, text } from '../../command.js'
import { serveUntil } from '../../deployment.js'

const SERVES =
  'Serves /metrics, /healthz and /readyz, waits while Kafka is away, and on SIGTERM finishes its work and leaves.'

export const monitor = defineCommand({
  name: 'monitor',
  summary: 'judges the events of a Kafka topic, with its state in Redis',
  description: `The stream processor. Up to as many as the topic has partitions share the work. ${SERVES}`,
  options: {},
  environment: environmentOf(monitorSettings),
  examples: [['', 'one monitor, on the Kafka and the Redis of the environment']],
  async run(_values, _operands, { env, stdout, stderr, signal }) {
    const config = parseConfig(monitorSettings, env, { checks: [checkMonitorSettings] })
    let end: (fatal?: PlimsollError) => void = () => undefined
    const ended = new Promise<PlimsollError | undefined>((resolve) => (end = resolve))
    signal.addEventListener('abort', () => end(), { once: true })
    const service = await startMonitorService({ config, write: (line) => stdout.write(line), onFatal: end })
    // `onFatal` gets the fatal errors of the start too.
    service.started.catch(() => undefined)
    const fatal = signal.aborted ? undefined : await ended
    await service.close()
    if (!fatal) return 0
    stderr.write(`plimsoll: ${fatal.code}: ${fatal.message}\n`)
    return 1
  },
})

export const gateway = defineCommand({
  name: 'gateway',
  summary: 'serves agents that cannot reach Kafka',
  description: `Agents and their hosts connect to it. It publishes their events, waits for the decisions, and answers each principal with its own only. ${SERVES}`,
  options: {},
  environment: environmentOf(gatewaySettings),
  examples: [['', 'one gateway, for the principals of `PLIMSOLL_PRINCIPALS`']],
  async run(_values, _operands, { env, stdout, signal }) {
    const config = parseConfig(gatewaySettings, env, { checks: [checkKafkaSettings] })
    const write = (line: string) => stdout.write(line)
    await serveUntil(signal, () => startGatewayService({ config, environment: env, write, signal }))
    return 0
  },
})

export const otel = defineCommand({
  name: 'otel',
  summary: 'watches agents that OpenTelemetry instruments, after the fact',
  description: `Reads the traces of the OpenTelemetry Collector's Kafka exporter, and reports their tool runs as sessions, one for each conversation. Spans come after the step has run: they raise alerts and stop nothing. If you set an endpoint, it gets every decision as a span. ${SERVES}`,
  options: {},
  environment: environmentOf(otelSettings),
  examples: [['', 'reads `otlp_spans` of the Kafka of the environment']],
  async run(_values, _operands, { env, stdout, signal }) {
    const checks = [checkKafkaSettings, checkOtelSettings]
    const config = parseConfig(otelSettings, env, { prefixes: ['PLIMSOLL_OTEL_'], checks })
    const write = (line: string) => stdout.write(line)
    await serveUntil(signal, () => startOtelService({ config, write, signal }))
    return 0
  },
})

export const judge = defineCommand({
  name: 'judge',
  summary: 'asks a model about the tools that no catalogue labels',
  description: `Reads the decisions, asks the configured model about each unlabelled tool, and adds the labels to the session in a signed event. No step waits for it. Questions that are open at its end are asked again at the next start. ${SERVES}`,
  options: {
    candidates: text('FILE.yaml', 'a catalogue to which the answers are added, for you to review and adopt'),
  },
  environment: environmentOf(judgeSettings),
  examples: [
    ['', 'labels tools in sessions'],
    ['--candidates candidates.yaml', 'and keeps the answers'],
  ],
  async run({ candidates }, _operands, { env, stdout, signal }) {
    const prefixes = ['PLIMSOLL_JUDGE_']
    const config = parseConfig(judgeSettings, env, { prefixes, checks: [checkKafkaSettings] })
    const write = (line: string) => stdout.write(line)
    await serveUntil(signal, () => startJudgeService({ config, candidatesFile: candidates, write, signal }))
    return 0
  },
})

export const consoleCommand = defineCommand({
  name: 'console',
  summary: 'serves the page: the fleet, its sessions, and the questions that wait for an answer',
  description: `Reads events and decisions into a database of its own and serves a page to the people of \`PLIMSOLL_CONSOLE_USERS\`. With the signing key they answer questions there, by their own names. The database can be deleted at any time. ${SERVES}`,
  options: {
    rebuild: flag('empties the database first, and reads the topics from their beginning'),
  },
  environment: environmentOf(consoleSettings),
  examples: [
    ['', 'the page of the Kafka of the environment'],
    ['--rebuild', 'with a database that is made again'],
  ],
  async run({ rebuild }, _operands, { env, stdout, signal }) {
    const prefixes = ['PLIMSOLL_CONSOLE_']
    const config = parseConfig(consoleSettings, env, { prefixes, checks: [checkKafkaSettings] })
    const write = (line: string) => stdout.write(line)
    await serveUntil(signal, () => startConsoleService({ config, rebuild, write, signal }))
    return 0
  },
})
