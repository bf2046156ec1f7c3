import { PlimsollError } from '@plimsoll/contracts'
import { createFilePins, createMcpProxy, createMemoryPins, serveMcpStdio } from '@plimsoll/gateway'
import { createLogger, noMetrics } from '@plimsoll/runtime'
import { catalogueOption, choice, defineCommand, environmentOf, flag, noFlag, text } from '../../command.js'
import { decisionsFile } from '../../decisions-file.js'
import { aborted, unlessAborted, within } from '../../deployment.js'
import { ownCommand } from '../../own-command.js'
import { USER, WAYS, connect, logSettings, waySettings } from './mcp-connect.js'
import { approveCommandOf, serverOptions, serversFrom } from './mcp-servers.js'

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'guards MCP servers: judges every call of their tools',
  description:
    'Serves MCP (2025-11-25 and 2026-07-28) on its standard input and output, in place of the server that it starts. A blocked call gets the reason as its answer. A call that needs approval goes to the user of the client. If the client cannot ask, the call is answered at once, and `plimsoll approve` answers the request; the same call then runs. It withholds tools whose definition has changed since the approval, and says so on stderr. The connection is the session; what it reads counts for an hour in the other sessions of this user, so that one server cannot send out what another has read.',
  operands: [['[COMMAND...]', 'after `--`, the command of one server, or its URL']],
  options: {
    ...serverOptions,
    decide: choice(
      WAYS,
      'where verdicts come from: this process, a gateway, or the monitors that read from Kafka',
      'here',
    ),
    pins: text('FILE.json', 'keeps the approved definitions; default: only while it runs'),
    approvedOnly: flag(
      'withholds servers that were never approved, instead of approving them at first sight',
    ),
    allowNew: flag(
      'offers tools that a server adds later at once, as unknown ones; changed tools are still withheld',
    ),
    user: noFlag('never asks the user of the client: for clients that are the agent itself'),
    observe: flag(
      'with `--decide here`: stops and asks nothing, and records what it would have done; `plimsoll observed` shows it',
    ),
    record: text(
      'FILE.jsonl',
      'with `--decide here`: adds every decision to this file, without texts of steps; with `--observe` by default the file that `plimsoll observed` reads',
    ),
    policy: text('FILE', 'with `--decide here`: the policy; default: the shipped one'),
    catalogue: catalogueOption,
  },
  environment: environmentOf(waySettings),
  examples: [
    ['-- npx -y @modelcontextprotocol/server-filesystem /srv', 'guards one server, in this process'],
    [
      '--header authorization=DOCS_TOKEN -- https://docs.example.com/mcp',
      'guards a server at a URL; the variable holds the value of the header',
    ],
    [
      '--observe -- npx -y @modelcontextprotocol/server-filesystem /srv',
      'only records what it would stop or ask',
    ],
    ['--servers servers.yaml --pins pins.json', 'guards several servers'],
    ['--decide gateway --servers servers.yaml', 'by the verdicts of the fleet'],
  ],
  async run(options, command, { env, stderr, signal }) {
    const { decide, pins, policy, catalogue: catalogues, observe: observes } = options
    if (decide !== 'here' && (observes || options.record !== undefined))
      throw new PlimsollError(
        'usage_invalid',
        '`--observe` and `--record` are for `--decide here`; a fleet is observed with `plimsoll control mode observe`',
      )
    const record = options.record ?? (observes ? decisionsFile(env) : undefined)
    // With Kafka's credentials a server could write to the event log itself.
    const uses = decide === 'kafka' ? Object.values(logSettings).map((each) => each.env) : []
    const servers = await serversFrom({ ...options, command, environment: env, uses })
    // Standard output is the client's.
    const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
    await within(async (onRelease) => {
      const connecting = connect(decide, {
        policy,
        catalogues,
        observes,
        record,
        servers,
        env,
        logger,
        onRelease,
      })
      const way = await unlessAborted(connecting, signal, 'it ended before it was connected')
      const proxy = await createMcpProxy({
        servers,
        environment: env,
        pins: pins === undefined ? createMemoryPins() : createFilePins(pins),
        approvesFirst: !options.approvedOnly,
        allowsNew: options.allowNew,
        approveWith: approveCommandOf(options, command, ownCommand(env)),
        catalogue: way.catalogue,
        clientOf: async (_, scope) => way.clientOf(scope),
        queue: way.queue,
        ...(way.approve && { approve: way.approve }),
        logger,
        // As if the client had started them itself.
        onStderr: (text) => stderr.write(text),
        metrics: noMetrics,
      })
      onRelease(() => proxy.close())
      const principal = { ...USER, trust: options.user ? 'host' : 'agent' } as const
      const service = await serveMcpStdio({ proxy, principal, asksUser: options.user })
      onRelease(() => service.close())
      await Promise.race([service.closed, aborted(signal)])
    })
    return 0
  },
})
