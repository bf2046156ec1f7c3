import { gatewaySettings, startGatewayService } from '@plimsoll/gateway'
import { checkKafkaSettings, parseConfig } from '@plimsoll/runtime'
import { defineCommand, environmentOf } from '../../command.js'
import { serveUntil } from '../../pipeline/serve-until.js'

export const gateway = defineCommand({
  name: 'gateway',
  summary: 'serves agents that have no broker in reach',
  description: [
    'Agents and their hosts connect to it; it publishes their events, awaits the decisions, and answers each principal with its own only. It serves',
    '/metrics, /healthz and /readyz on a port of their own, waits for Kafka where it is away, and on SIGTERM answers what is open.',
  ],
  options: {},
  environment: environmentOf(gatewaySettings),
  examples: [
    [
      '',
      'one gateway, over the Kafka that the environment names, for the principals of `PLIMSOLL_PRINCIPALS`',
    ],
  ],
  async run(_values, _operands, { env, stdout, signal }) {
    const config = parseConfig(gatewaySettings, env, { checks: [checkKafkaSettings] })
    const write = (line: string) => stdout.write(line)
    await serveUntil(signal, () => startGatewayService({ config, environment: env, write, signal }))
    return 0
  },
})
