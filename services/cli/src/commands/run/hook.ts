import { appendFileSync } from 'node:fs'
import { PlimsollError, parseJson } from '@plimsoll/contracts'
import { buildOf, createHookSessions, findHookClient, readInput, runHook, serveHooks } from '@plimsoll/hooks'
import { createLogger } from '@plimsoll/runtime'
import { defineCommand, duration, environmentOf, requiredText, text } from '../../command.js'
import { decisionsFile } from '../../decisions-file.js'
import { aborted, unlessAborted, within } from '../../deployment.js'
import { CLIENT, hookOptions, hookSettings } from '../setup/hook-settings.js'
import { CONVERSATION_MS, createHookDoor } from './hook-door.js'
import { connect, waySettings } from './mcp-connect.js'

export const hook = defineCommand({
  name: 'hook',
  summary: 'judges the tool calls of coding agents, as their hook',
  description:
    'Reads one event of a coding agent on standard input, and writes the answer in the form of that agent. A service of this user decides; it starts by itself, and ends when it is idle. `plimsoll hook install` writes the configuration of an agent, which then starts a smaller program than this one.',
  operands: [CLIENT, ['[EVENT]', "the event's name, for agents that do not send it"]],
  options: hookOptions,
  environment: environmentOf(waySettings),
  examples: [['claude-code < event.json', 'answers one event of Claude Code']],
  async run(options, [client = '', event], { env, stdout, stderr }) {
    const { settings } = await hookSettings({ ...options, client, env, cwd: process.cwd() })
    const reply = await runHook(settings, readInput(), event)
    stdout.write(reply.stdout)
    stderr.write(reply.stderr)
    // Exit code 2 is an answer in some clients.
    return reply.exitCode === 2 ? 2 : 0
  },
})

export const hookServe = defineCommand({
  name: 'hook serve',
  summary: 'the service that decides for the hooks of this user',
  description:
    'Hooks start it. It listens at a socket that only this user can open, holds the sessions of coding agents, and keeps what they have read, without texts, for 30 days. Run it in a terminal to see why hooks get no answer.',
  options: {
    ...hookOptions,
    socket: requiredText('PATH', 'where it listens'),
    idle: duration('how long without an event until it ends', '2h'),
    record: text(
      'FILE.jsonl',
      'adds every decision to this file; with `--observe` by default the file that `plimsoll observed` reads',
    ),
  },
  environment: environmentOf(waySettings),
  examples: [['--socket /tmp/plimsoll/hooks.sock', 'serves hooks until it is idle for two hours']],
  async run(options, _, { env, stderr, signal }) {
    const { decide, observe: observes, policy, catalogue: catalogues, socket, idle: idleMs } = options
    const record = options.record ?? (observes && decide === 'here' ? decisionsFile(env) : undefined)
    const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
    await within(async (onRelease) => {
      const servers = { schema: 1, kind: 'plimsoll.mcp-servers', requireLabels: false, servers: {} } as const
      const connecting = connect(decide, {
        policy,
        catalogues,
        observes,
        record,
        servers,
        keepMs: CONVERSATION_MS,
        env,
        logger,
        onRelease,
      })
      const connected = await unlessAborted(connecting, signal, 'it ended before it was connected')
      const sessions = createHookSessions(createHookDoor(connected))
      const build = buildOf({ script: process.argv[1] ?? '' })
      const service = await serveHooks({ socket, sessions, build, idleMs })
      onRelease(() => service.close())
      await Promise.race([service.ended, aborted(signal)])
    })
    return 0
  },
})

export const hookRecord = defineCommand({
  name: 'hook record',
  summary: 'writes the events of a coding agent to a file, as they come, and lets every call run',
  description:
    'Put it in the place of the hook in the configuration of an agent, to see what the agent sends. The file holds the texts of the session: read it before you share it.',
  operands: [
    CLIENT,
    ['<FILE.jsonl>', 'gets a line of JSON for each event'],
    ['[EVENT]', "the event's name, for agents that do not send it"],
  ],
  options: {},
  examples: [['claude-code events.jsonl', 'adds one event to the file']],
  async run(_, [name = '', file = '', event], { stdout }) {
    const input = readInput()
    const line = { client: name, ...(event !== undefined && { event }), payload: parseJson(input) ?? input }
    try {
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
    } catch (cause) {
      throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
    }
    const reply = findHookClient(name)?.reply({ verdict: 'allow', text: '' }, undefined)
    stdout.write(reply?.stdout ?? '')
    return 0
  },
})
