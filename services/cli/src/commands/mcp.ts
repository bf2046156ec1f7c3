import { createFilePins, createMcpProxy, createMemoryPins, serveMcpStdio } from '@plimsoll/gateway'
import { createLogger, noMetrics } from '@plimsoll/runtime'
import { catalogueOption } from '../catalogue-option.js'
import { defineCommand } from '../command.js'
import { environmentOf } from '../environment.js'
import { connect, WAYS, waySettings } from '../mcp/connect.js'
import { serversFrom } from '../mcp/servers.js'
import { within } from '../pipeline/within.js'

const serverOptions = {
  servers: { type: 'text', value: 'FILE.yaml', help: 'the servers, where there are several' },
  name: { type: 'text', value: 'NAME', help: 'puts `NAME__` before the tools of the command' },
  env: { type: 'list', value: 'NAME', help: 'a variable that the command is given from this environment' },
} as const

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'stands in front of MCP servers, and asks about every call of their tools',
  description: [
    'Speaks MCP on its standard input and output, of 2025-11-25 and of 2026-07-28, in place of the server that it starts. A call that may',
    'not run is answered with the reason; one that a human is to approve is put to the user of the client, or waits for the approval queue.',
    'A tool whose definition has changed since it was approved is withheld, and that is told on stderr. The connection is the session.',
  ],
  operands: { name: 'COMMAND', help: 'after `--`, the command of one server', min: 0, max: 200 },
  options: {
    ...serverOptions,
    decide: {
      type: 'choice',
      choices: WAYS,
      help: 'where verdicts come from: this process, a gateway, or the monitors that read from Kafka',
      default: 'here',
    },
    pins: {
      type: 'text',
      value: 'FILE.json',
      help: 'keeps the definitions that were approved; for as long as it runs if left out',
    },
    'approved-only': {
      type: 'flag',
      help: 'withholds a server that was never approved, instead of taking it as it is at first sight',
    },
    'no-user': {
      type: 'flag',
      help: 'never asks the user of the client: whoever speaks is the agent itself',
    },
    policy: {
      type: 'text',
      value: 'FILE',
      help: 'the policy to decide by here; the shipped one if left out',
    },
    catalogue: catalogueOption,
  },
  environment: environmentOf(waySettings),
  examples: [
    ['-- npx -y @modelcontextprotocol/server-filesystem /srv', 'guards one server, alone'],
    ['--servers servers.yaml --pins pins.json', 'guards several under one roof'],
    ['--decide gateway --servers servers.yaml', 'by the verdicts of the fleet'],
  ],
  async run(options, command, { env, stderr, signal }) {
    const { servers: file, name, decide, pins, policy, catalogue: catalogues } = options
    const servers = await serversFrom({ command, file, name, env: options.env })
    // Standard output is the client's.
    const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
    await within(async (onRelease) => {
      const way = await connect(decide, { policy, catalogues, env, logger, onRelease })
      const proxy = await createMcpProxy({
        servers,
        environment: env,
        pins: pins === undefined ? createMemoryPins() : createFilePins(pins),
        approvesFirst: !options['approved-only'],
        catalogue: way.catalogue,
        clientOf: async () => way.client,
        hasQueue: way.hasQueue,
        ...(way.approve && { approve: way.approve }),
        logger,
        metrics: noMetrics,
      })
      onRelease(() => proxy.close())
      const asksUser = !options['no-user']
      const trust = asksUser ? 'host' : 'agent'
      const principal = { name: 'local', tenant: 'default', trust } as const
      const service = await serveMcpStdio({ proxy, principal, asksUser })
      onRelease(() => service.close())
      await Promise.race([service.closed, aborted(signal)])
    })
    return 0
  },
})

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
