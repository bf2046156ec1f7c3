import type { Tool } from '@modelcontextprotocol/server'
import { type Catalogue, isToolName } from '@plimsoll/contracts'
import type { Logger } from '@plimsoll/runtime'
import { createCalls } from '../calls.js'
import type { CallerOf, ToolNames } from '../caller.js'
import type { McpLimits } from '../limits.js'
import type { McpOutcome } from '../../metrics.js'
import { createProtocolSteps } from '../reads.js'
import {
  type Members,
  type Sent,
  LEGACY,
  MODERN,
  invalid,
  isObject,
  membersIn,
  metaIn,
  notFound,
  textMember,
} from '../rpc/messages.js'
import type { Incoming } from '../rpc/peer.js'
import type { StepCaller, Steps } from '../steps.js'
import { paramHeaders } from '../tools/param-headers.js'
import { listAll } from '../tools/list-all.js'
import type { ToolSource, WithheldTool } from '../tools/offer.js'
import type { Toolset } from '../tools/toolset.js'
import type { About, ClientIdentity, Link } from '../upstream/link.js'
import type { Upstream } from '../upstream/upstream.js'
import type { Exchange } from './exchange.js'
import { fitResult, isMethodOf } from './fit.js'
import { type Flight, createLinks } from './links.js'
import { createLogLevels } from './log-levels.js'
import { createNotices } from './notices.js'
import { createQuestions } from './questions.js'
import { createResources, isListMethod } from './resources.js'
import { createSubscriptions, isChange, isOfSubscriptions } from './subscriptions.js'
import { createTasks } from './tasks.js'

export interface ViewOptions {
  readonly upstreams: readonly Upstream[]
  readonly client: ClientIdentity
  readonly catalogue: Catalogue
  readonly limits: McpLimits
  readonly logger: Logger
  readonly steps: Steps
  readonly onOutcome: (outcome: McpOutcome) => void
  readonly toolsetOf: (sources: readonly ToolSource[], onWithheld: (tool: WithheldTool) => void) => Toolset
  /** The command that approves withheld tools. */
  readonly approveWith: string | undefined
  readonly callerOf: (toolNames: ToolNames) => CallerOf
  /** Sends the client what belongs to none of its requests; a client without a connection gets none. */
  readonly notify: (sent: Sent) => void
  /** Asks the client outside of its requests. Rejects if it has no connection. */
  readonly ask: (sent: Sent, signal: AbortSignal) => Promise<Members>
}

/** Notifications of a client that servers get. */
const NOTIFICATIONS: ReadonlySet<string> = new Set([
  'notifications/roots/list_changed',
  'notifications/tasks/status',
])

const isOfTasks = (method: string): boolean => /^tasks\/(?:get|list|cancel|update|result)$/.test(method)

const OWN_INFO = { name: 'plimsoll', version: '1' }

export type View = ReturnType<typeof createView>

/** What one MCP client sees: all servers as one. What Plimsoll does not judge passes through as it is. */
export function createView(options: ViewOptions) {
  const { upstreams, client, catalogue, limits, logger, steps, onOutcome } = options
  const links = createLinks({ upstreams, client, limits, onNotification, onRequest, onConnected })
  const [only] = upstreams.length === 1 ? upstreams : []
  const isPrefixed = (server: string) => upstreams.find(({ name }) => name === server)?.spec.prefix === true
  const notices = createNotices(options.approveWith)
  const toolset = options.toolsetOf(
    upstreams.map(({ name, spec }) => ({ name, spec, tools: () => toolsOf(name) })),
    notices.add,
  )
  const resources = createResources({ links, isPrefixed, logger })
  const tasks = createTasks()
  const subscriptions = createSubscriptions({
    links: () => links,
    onChange: (server, notification) => onNotification(server, notification, undefined),
    capabilities: async () => (await about()).capabilities,
  })
  const callerOf = options.callerOf(toolset.names)
  const protocolStep = createProtocolSteps({ steps, catalogue })
  const logLevels = createLogLevels({ client, links, callMs: limits.callMs })
  const { admit, inRounds } = createQuestions({ links, logLevels, protocolStep, callerIn })
  const callTool = createCalls({
    toolset,
    steps,
    onOutcome,
    forward: async ({ server, tool }, args, caller) => {
      const params = { ...caller.exchange.params, name: tool.name, arguments: args }
      return inRounds(server, { method: 'tools/call', params }, caller, paramHeaders(tool.inputSchema, args))
    },
    remedyOf: notices.remedyOf,
    onResult: tasks.begun,
  })
  const forget = toolset.onChanged(() => pass({ method: 'notifications/tools/list_changed' }))

  const toolsOf = (server: string): Promise<readonly Tool[]> =>
    listAll(server, (sent) => links.request(server, sent), limits)

  /** What the client sees of the servers. */
  async function about(): Promise<About> {
    const named = await Promise.allSettled(
      links.names.map(async (name) => ({ name, about: (await links.of(name)).about })),
    )
    const reached = named.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const [first] = reached
    if (only && first) return { ...first.about, capabilities: capabilitiesOf([first.about]) }
    const instructing = reached.filter(({ about: { instructions } }) => instructions !== undefined)
    return {
      revision: LEGACY,
      serverInfo: OWN_INFO,
      capabilities: capabilitiesOf(reached.map((each) => each.about)),
      ...(instructing.length > 0 && {
        instructions: instructing
          .map(({ name, about: { instructions } }) => `${name}: ${instructions}`)
          .join('\n\n'),
      }),
    }
  }

  /** Passes on what a server sends unasked. */
  function onNotification(server: string, sent: Sent, flight: Flight | undefined): void {
    const { method, params } = sent
    if (method === 'notifications/tools/list_changed') return toolset.changed(server)
    if (isChange(method)) return pass(sent)
    if (isOfSubscriptions(method)) return subscriptions.onNotified(server, sent)
    if (method === 'notifications/message' && !logLevels.wantsLog(params, flight?.exchange.params)) return
    if (flight) flight.exchange.notify(sent)
    else options.notify(sent)
  }

  function pass(sent: Sent): void {
    if (client.era === LEGACY) options.notify(sent)
    else subscriptions.notify(sent)
  }

  /** Passes a request of a server on to the client: sampling only if it may leave. */
  async function onRequest(server: string, incoming: Incoming, flight: Flight | undefined): Promise<Members> {
    const { method, params, signal } = incoming
    if (method === 'ping') return {}
    const { progressToken: _, ...meta } = metaIn(params)
    const sent = { method, params: '_meta' in params ? { ...params, _meta: meta } : params }
    if (!flight) {
      if (method === 'sampling/createMessage') throw notFound(method)
      return options.ask(sent, signal)
    }
    const name = `${server}-${incoming.id}`
    const admitted = await admit(server, { inputRequests: { [name]: sent } }, flight.exchange)
    const { [name]: response } = await flight.exchange.ask(admitted)
    if (isObject(response)) return response
    throw invalid('the client has given no answer')
  }

  function onConnected(server: string, link: Link, isAgain: boolean): void {
    logLevels.forget(server)
    subscriptions.watch(server, link)
    // A new process may list other tools.
    if (isAgain) toolset.changed(server)
  }

  async function callerIn(exchange: Exchange): Promise<StepCaller> {
    return { ...(await callerOf(exchange)), exchange }
  }

  /** The server of a request that names none: the only one, or that of its task. */
  const serverOf = (params: Members): string | undefined => only?.name ?? tasks.of(params)?.server

  /** A result whose questions the client answers in another request. */
  async function withAdmitted(result: Members, exchange: Exchange): Promise<Members> {
    if (!('inputRequests' in result)) return result
    const server = serverOf(exchange.params) ?? ''
    return { ...result, inputRequests: await admit(server, result, exchange) }
  }

  async function step(method: string, server: string, params: Members, exchange: Exchange): Promise<Members> {
    const caller = await callerIn(exchange)
    return protocolStep(method, {
      server,
      params,
      caller,
      forward: () => inRounds(server, { method, params }, caller),
    })
  }

  async function listTools(): Promise<Members> {
    return { tools: (await toolset.list()).map(({ name, tool }) => ({ ...tool, name })) }
  }

  async function answer(exchange: Exchange): Promise<Members> {
    const { method, params } = exchange
    if (isListMethod(method)) return resources.list(method, exchange)
    switch (method) {
      case 'ping':
        return {}
      case 'server/discover':
        return discovered(await about())
      case 'tools/list':
        return listTools()
      case 'tools/call':
        return callTool(params, () => callerIn(exchange))
      case 'resources/read': {
        const uri = textMember(params, 'uri') ?? ''
        return step(method, await resources.serverOf(uri, exchange), params, exchange)
      }
      case 'prompts/get': {
        const { server, name } = resources.promptOf(textMember(params, 'name') ?? '')
        return step(method, server, { ...params, name }, exchange)
      }
      case 'completion/complete': {
        const { server, sent } = await resources.completionOf(exchange)
        return links.request(server, sent, exchange)
      }
      case 'logging/setLevel':
        return logLevels.set(exchange)
      case 'resources/subscribe':
      case 'resources/unsubscribe': {
        const uri = textMember(params, 'uri') ?? ''
        const server = await resources.serverOf(uri, exchange)
        await subscriptions.subscribe(server, uri, method === 'resources/subscribe', exchange)
        return {}
      }
      case 'subscriptions/listen':
        return subscriptions.serve(exchange, (uri) => resources.serverOf(uri, exchange))
      default:
        return passThrough(exchange)
    }
  }

  /** Any other request: to the only server, or to that of its task. Methods that the protocol does not know are steps. */
  async function passThrough(exchange: Exchange): Promise<Members> {
    const { method, params } = exchange
    const server = serverOf(params)
    if (server === undefined || !isToolName(method)) throw notFound(method)
    if (!isOfTasks(method)) return step(method, server, params, exchange)
    const requested = links.request(server, { method, params }, exchange)
    if (method === 'tasks/result') {
      // What a failed task says is read too.
      await requested.catch(() => {})
      return readTask(server, exchange, () => requested)
    }
    const result = await requested
    if (method !== 'tasks/get' || !('result' in result)) return result
    return { ...result, result: await readTask(server, exchange, async () => membersIn(result, 'result')) }
  }

  /** The text of a task's result reaches the session as a step of its own. */
  async function readTask(
    server: string,
    exchange: Exchange,
    forward: () => Promise<Members>,
  ): Promise<Members> {
    const { params } = exchange
    const claimed = tasks.of(params)?.labels ?? {}
    const caller = await callerIn(exchange)
    return protocolStep('tasks/result', { server, params, caller, claimed, forward })
  }

  return {
    toolNames: toolset.names,
    /** Answers a request. Rejects with the error of its response. */
    handle: async (exchange: Exchange): Promise<Members> => {
      const { method } = exchange
      if (!isMethodOf(client.era, method)) throw notFound(method)
      const own = logLevels.withLevel(exchange)
      const result = await withAdmitted(await answer(own), own)
      if (logLevels.wantsNotices(own)) notices.flush(own.notify)
      const serverInfo = client.era === MODERN ? (await about()).serverInfo : {}
      return fitResult(method, result, client.era, serverInfo)
    },
    /** Answers the handshake of a client of the 2025 era. */
    initialize: async (): Promise<Members> => {
      const { revision, serverInfo, capabilities, instructions } = await about()
      return {
        protocolVersion: revision === MODERN ? (client.revision ?? LEGACY) : revision,
        // The proxy itself sends notices.
        capabilities: { logging: {}, ...capabilities },
        serverInfo,
        ...(instructions !== undefined && { instructions }),
      }
    },
    /** Takes a notification of the client. */
    notified: (sent: Sent): void => {
      // A server that takes a notification for a request would run an unjudged call.
      if (NOTIFICATIONS.has(sent.method)) void links.notifyAll(sent)
    },
    close: async (): Promise<void> => {
      forget()
      subscriptions.close()
      await links.close()
    },
  }
}

/** Capabilities of several servers. Those that name no method of the protocol's own are passed on of a single server only. */
function capabilitiesOf(abouts: readonly About[]): Members {
  const merged: Record<string, unknown> = {}
  for (const { capabilities } of abouts)
    for (const [name, value] of Object.entries(capabilities)) {
      if (abouts.length > 1 && (name === 'experimental' || name === 'extensions')) continue
      merged[name] = { ...membersIn(merged, name), ...(isObject(value) && value) }
    }
  // The proxy's own list changes with approvals.
  merged['tools'] = { ...membersIn(merged, 'tools'), listChanged: true }
  return merged
}

const discovered = ({ capabilities, instructions }: About): Members => ({
  supportedVersions: [MODERN],
  capabilities,
  ...(instructions !== undefined && { instructions }),
})
