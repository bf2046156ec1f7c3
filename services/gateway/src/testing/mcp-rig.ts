import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Answer, type Guard, type PlimsollClient, type StepResult, createGuard } from '@plimsoll/client'
import { type Catalogue, PlimsollError } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { createLogger, noMetrics, listen } from '@plimsoll/runtime'
import type { Principal } from '../auth/principals.js'
import { createServer } from '../http/server.js'
import { createMcpPlugin } from '../mcp/http.js'
import type { McpProxyOptions } from '../mcp/proxy.js'
import type { ServersDocument } from '../mcp/servers-file.js'
import { createMemoryPins } from '../mcp/tools/pins.js'
import type { LineageScope } from '../sessions/lineage.js'
import type { UpstreamServer } from './upstream-server.js'

export const ERAS = ['2025-11-25', '2026-07-28'] as const
export type Era = (typeof ERAS)[number]

type Test = { after(release: () => Promise<void>): void }

export interface RigOptions extends Partial<
  Pick<McpProxyOptions, 'limits' | 'pins' | 'approvesFirst' | 'allowsNew' | 'approveWith'>
> {
  readonly upstreams: Readonly<Record<string, Pick<UpstreamServer, 'url'>>>
  /** Whether the catalogue knows the tools by their own names. */
  readonly trustNames?: boolean
  readonly requireLabels?: boolean
  /** Whether users may approve. Default: true. */
  readonly approves?: boolean
  /** Whether others answer in a queue. Default: true. */
  readonly hasQueue?: boolean
  /** Called with the lineage of each session that begins. */
  readonly onOpen?: (scope: LineageScope | undefined) => void
  /** Called with what is reported of each step that ran. */
  readonly onReport?: (result: StepResult) => void
}

/** The gateway's MCP over an engine in this process, served over HTTP. */
export interface Rig {
  readonly url: string
  readonly guard: Guard
  /** Every line of the log. */
  readonly lines: readonly string[]
  /** The answer to each proposed step. */
  readonly answers: readonly Answer[]
  /** What the queue shows of each request. */
  readonly queued: readonly (readonly string[])[]
  /** An official client of `era`, as the principal `by`: a host, or an agent where the name begins so. */
  connect(era: Era, options?: ConnectOptions): Promise<Connected>
}

export interface ConnectOptions {
  readonly by?: string
  /** Returns its user's answer; without it the client cannot ask. */
  readonly user?: (question: string) => {
    action: 'accept' | 'decline' | 'cancel'
    content?: Record<string, boolean | string>
  }
}

export interface Connected {
  readonly client: Client
  call(name: string, args?: Record<string, unknown>, more?: CallMore): Promise<Called>
  tools(): Promise<readonly string[]>
}

export interface CallMore {
  readonly meta?: Record<string, unknown>
  readonly signal?: AbortSignal
}

export interface Called {
  readonly text: string
  readonly isError: boolean
  readonly meta: Readonly<Record<string, unknown>>
  readonly result: CallToolResult
}

/** `refund` asks, `wipe` is blocked, `look` is allowed; the rest is not labelled. */
async function documentsOf() {
  const shipped = await defaultDocuments()
  const entry = (tool: string, capability: 'read' | 'write' | 'execute'): Catalogue['tools'][number] => ({
    tools: [tool],
    labels: {
      capability,
      confidentiality: 'none',
      trust: 'trusted',
      reversibility: capability === 'read' ? 'reversible' : 'partial',
    },
  })
  const tools = [entry('look', 'read'), entry('refund', 'write'), entry('wipe', 'execute')]
  return {
    ...shipped,
    catalogue: { ...shipped.catalogue, name: 'test', tools },
    policy: {
      ...shipped.policy,
      name: 'test',
      specs: [
        { id: 'no-wipe', tier: 'blocklist' as const, tools: ['wipe'], alternative: 'look first' },
        { id: 'ask-refund', tier: 'confirmation' as const, tools: ['refund'] },
      ],
    },
  }
}

export async function createRig(test: Test, options: RigOptions): Promise<Rig> {
  const {
    upstreams,
    trustNames = true,
    requireLabels = false,
    approves = true,
    pins = createMemoryPins(),
  } = options
  const { limits, approvesFirst, allowsNew, approveWith, hasQueue = true } = options
  const documents = await documentsOf()
  const answers: Answer[] = []
  const lines: string[] = []
  const queued: (readonly string[])[] = []
  const guard = await createGuard({ documents })
  const logger = createLogger({ level: 'debug', write: (line) => void lines.push(line) })
  const prefix = Object.keys(upstreams).length > 1
  const servers: ServersDocument = {
    schema: 1,
    kind: 'plimsoll.mcp-servers',
    requireLabels,
    servers: Object.fromEntries(
      Object.entries(upstreams).map(([name, { url }]) => [name, { url, headers: {}, prefix, trustNames }]),
    ),
  }
  const plugin = createMcpPlugin({
    servers,
    environment: {},
    pins,
    catalogue: documents.catalogue,
    ...(approves && { approve: async (answer, approval) => void (await guard.approve(answer, approval)) }),
    ...(limits && { limits }),
    ...(approvesFirst !== undefined && { approvesFirst }),
    ...(allowsNew !== undefined && { allowsNew }),
    approveWith,
    ...(hasQueue && { queue: { add: async (_, shown) => void queued.push(shown) } }),
  })
  const app = await createServer({
    authenticate: async ({ authorization }) => principalNamed(authorization),
    plugins: [plugin],
    context: {
      clientOf: async (_, scope) => {
        options.onOpen?.(scope)
        return listening(guard, answers, options.onReport)
      },
      logger,
      metrics: noMetrics,
    },
  })
  test.after(async () => {
    await app.close()
    await guard.close()
  })
  const url = `${await listen(app, '127.0.0.1', 0)}/mcp`
  return {
    url,
    guard,
    lines,
    answers,
    queued,
    connect: (era, connectOptions) => connect(test, url, era, connectOptions),
  }
}

function listening(guard: Guard, answers: Answer[], onReport?: RigOptions['onReport']): PlimsollClient {
  return {
    ...guard,
    startSession: async (options) => {
      const session = await guard.startSession(options)
      const ask: typeof session.ask = async (step, terms) => {
        const answer = await session.ask(step, terms)
        answers.push(answer)
        return answer
      }
      const complete: typeof session.complete = async (answer, result = {}) => {
        onReport?.(result)
        return session.complete(answer, result)
      }
      return { ...session, ask, complete }
    },
  }
}

/** Accepts any name: authentication has tests of its own. */
function principalNamed(authorization: string | undefined): Principal {
  const name = authorization?.replace('Bearer ', '')
  if (!name) throw new PlimsollError('unauthenticated', 'expected `authorization`')
  return { name, tenant: 'default', trust: name.startsWith('agent') ? 'agent' : 'host' }
}

async function connect(test: Test, url: string, era: Era, options: ConnectOptions = {}): Promise<Connected> {
  const { by = 'ann', user } = options
  const client = new Client(
    { name: 'test-client', version: '1' },
    {
      capabilities: user ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
    },
  )
  if (user) client.setRequestHandler('elicitation/create', ({ params }) => user(params.message))
  const headers = { authorization: `Bearer ${by}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  test.after(() => client.close())
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}, { meta, signal } = {}) => {
      const params = { name, arguments: args, ...(meta && { _meta: meta }) }
      return calledOf(await client.callTool(params, { ...(signal && { signal }) }))
    },
  }
}

function calledOf(result: CallToolResult): Called {
  const { content, isError = false, _meta: meta = {} } = result
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  return { text, isError, meta, result }
}
