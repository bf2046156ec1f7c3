import { checkOtelSettings, otelSettings, startOtelService } from '@plimsoll/otel'
import { checkKafkaSettings, parseConfig } from '@plimsoll/runtime'
import { defineCommand, environmentOf } from '../../command.js'
import { serveUntil } from '../../pipeline/serve-until.js'

export const otel = defineCommand({
  name: 'otel',
  summary: 'watches agents that OpenTelemetry instruments, after the fact',
  description: [
    "Reads the traces that the OpenTelemetry Collector's Kafka exporter writes, and reports their tool runs as sessions, one for",
    'each conversation. Spans come after the step has run: they are judged and raise alerts, and stop nothing. Where an endpoint is',
    'named, every decision is sent there as a span, in the trace that asked for it. It serves /metrics, /healthz and /readyz, waits for Kafka',
    'and for the topic where they are away, and on SIGTERM tells what it holds.',
  ],
  options: {},
  environment: environmentOf(otelSettings),
  examples: [['', 'reads `otlp_spans` of the Kafka that the environment names']],
  async run(_values, _operands, { env, stdout, signal }) {
    const prefixes = ['PLIMSOLL_OTEL_']
    const config = parseConfig(otelSettings, env, {
      prefixes,
      checks: [checkKafkaSettings, checkOtelSettings],
    })
    const write = (line: string) => stdout.write(line)
    await serveUntil(signal, () => startOtelService({ config, write, signal }))
    return 0
  },
})
