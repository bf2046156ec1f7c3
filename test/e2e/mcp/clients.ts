import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { projectRoot } from '../../support/paths.js'

/** The eras of MCP, each with its official client: `sdk` 1.x, and `client` 2.x. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const
export type Era = (typeof ERAS)[number]

/** The result of `tools/call`. */
const answerSchema = z
  .object({
    isError: z.boolean().optional(),
    content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
    structuredContent: z.unknown().optional(),
    _meta: z.record(z.string(), z.unknown()).optional(),
  })
  .transform(({ _meta: meta = {}, ...rest }) => ({ ...rest, meta }))
export type CallAnswer = z.infer<typeof answerSchema>

/** The official client of an era, and its user's answers. */
export interface McpClient {
  tools(): Promise<readonly { readonly name: string; readonly description?: string | undefined }[]>
  call(tool: string, args?: Record<string, unknown>, more?: CallMore): Promise<CallAnswer>
  /** The process that it started. */
  readonly pid: number | null
  /** The requests to its user, in order. */
  readonly questions: readonly string[]
  close(): Promise<void>
}

export interface CallMore {
  readonly meta?: Record<string, unknown>
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

export interface ClientOptions {
  /** The user's answer; if omitted, the client cannot ask. */
  readonly user?: 'accept' | 'decline' | 'cancel'
  /** What the user chooses in the form; if omitted, nothing. */
  readonly scope?: string
  /** Environment variables of the process that it starts. */
  readonly env?: Readonly<Record<string, string>>
}

const INFO = { name: 'test-client', version: '1' }

export const textOf = ({ content }: CallAnswer): string => content.map(({ text }) => text ?? '').join('\n')

/** The command line of `plimsoll`, for a client that starts it. */
export const plimsoll = (...args: readonly string[]): readonly string[] => [
  process.execPath,
  path.join(projectRoot, 'services/cli/bin/plimsoll.js'),
  ...args,
]

/** A folder for what a proxy keeps: not that of the user who runs the tests, whose other sessions would count. */
function stateFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-state-'))
  stateFolders.push(folder)
  return folder
}

const stateFolders: string[] = []
process.once('exit', () => stateFolders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** Starts `command` and connects the client of `era` with it. */
export function connectStdio(
  era: Era,
  [command = '', ...args]: readonly string[],
  options: ClientOptions = {},
): Promise<McpClient> {
  const started = {
    command,
    args: [...args],
    stderr: 'ignore' as const,
    env: {
      ...(options.env?.['HOME'] === undefined && { PLIMSOLL_STATE_DIR: stateFolder() }),
      ...options.env,
    },
  }
  return era === '2025-11-25'
    ? connectOld(new OldTransport(started), options)
    : connectNew(new NewTransport(started), options)
}

async function connectOld(transport: OldTransport, { user, scope }: ClientOptions): Promise<McpClient> {
  const questions: string[] = []
  const client = new OldClient(INFO, { capabilities: user ? { elicitation: {} } : {} })
  if (user)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message)
      return answerOf(user, scope)
    })
  await client.connect(transport)
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, { meta, signal, timeoutMs } = {}) =>
      answerSchema.parse(
        await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, undefined, {
          ...(signal && { signal }),
          ...(timeoutMs !== undefined && { timeout: timeoutMs }),
        }),
      ),
    pid: transport.pid,
    questions,
    close: () => client.close(),
  }
}

async function connectNew(transport: NewTransport, { user, scope }: ClientOptions): Promise<McpClient> {
  const questions: string[] = []
  const client = new NewClient(INFO, {
    capabilities: user ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  })
  if (user)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message)
      return answerOf(user, scope)
    })
  await client.connect(transport)
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, { meta, signal, timeoutMs } = {}) =>
      answerSchema.parse(
        await client.callTool(
          { name, arguments: args, ...(meta && { _meta: meta }) },
          { ...(signal && { signal }), ...(timeoutMs !== undefined && { timeout: timeoutMs }) },
        ),
      ),
    pid: transport.pid,
    questions,
    close: () => client.close(),
  }
}

const answerOf = (user: 'accept' | 'decline' | 'cancel', scope?: string) =>
  user === 'accept' ? { action: user, content: { ...(scope !== undefined && { scope }) } } : { action: user }
