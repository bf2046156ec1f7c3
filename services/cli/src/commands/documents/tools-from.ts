import { stat } from 'node:fs/promises'
import type { Transport } from '@modelcontextprotocol/client'
import { type Catalogue, PlimsollError, parseJson } from '@plimsoll/contracts'
import { passedOn } from '@plimsoll/gateway'
import { TOOLS_MAX, type ToolDefinition, parseToolList } from '@plimsoll/labels'
import { readCatalogue, readDocument, readTextFile } from '@plimsoll/policy'
import { type Values, catalogueOption, duration, list, text } from '../../command.js'

/** The tools of documents that are checked: `--catalogue` as everywhere, or `--tools` alone. */
export const toolsOptions = {
  catalogue: catalogueOption,
  tools: text(
    'CATALOGUE',
    'the tools that the agents have: only those of this file count, not the shipped ones',
  ),
}

/** The catalogue of `toolsOptions`; the shipped one without either. Throws `usage_invalid` and `document_invalid`. */
export async function catalogueOf({ catalogue, tools }: Values<typeof toolsOptions>): Promise<Catalogue> {
  if (tools === undefined) return readCatalogue(catalogue)
  if (catalogue.length === 0) return readDocument('catalogue', tools)
  throw new PlimsollError(
    'usage_invalid',
    'give `--catalogue`, which adds to the shipped tools, or `--tools`, which replaces them',
  )
}

/** Options of commands that list the tools of a server. */
export const toolServerOptions = {
  set: text('NAME', 'which list, if the file has several'),
  env: list(
    'NAME',
    'the command gets only these variables; default: all but those of Plimsoll (`PLIMSOLL_…`)',
  ),
  header: list(
    'NAME=VARIABLE',
    'a header for a server at a URL, and the variable of this environment with its value, so that no secret is on the command line',
  ),
  timeout: duration('how long the server may take', '30s'),
}

export interface ToolsFromOptions {
  /** Which list of a file that holds several. */
  readonly set: string | undefined
  /** Names of variables that a server is given; if empty, all but those of Plimsoll. */
  readonly env: readonly string[]
  /** `name=VARIABLE`: what requests to a URL carry, and the variable that holds it. */
  readonly header: readonly string[]
  readonly timeoutMs: number
}

interface Around {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/**
 * The tools that the operands name: one operand is the URL of an MCP server, or a JSON file where it ends in `.json`; else they are the
 * command of a server.
 *
 * @throws PlimsollError `tools_invalid`, `tool_server_failed`, or `usage_invalid` where a variable is not set
 */
export async function toolsFrom(
  operands: readonly string[],
  { set, env, header, timeoutMs }: ToolsFromOptions,
  around: Around,
): Promise<readonly ToolDefinition[]> {
  const [first = ''] = operands
  if (operands.length === 1 && first.endsWith('.json')) return readToolFile(first, set)
  const url = operands.length === 1 ? urlOf(first) : undefined
  if (!url && operands.length === 1) await assertNoList(first)
  if (!url && header.length > 0)
    throw new PlimsollError('usage_invalid', '`--header` is for a server at a URL: of a command, use `--env`')
  const place = url ? { url, headers: headersOf(header, around.env) } : { command: operands }
  const names = env.length > 0 ? env : passedOn(around.env)
  return listToolsOf(place, { env: variables(names, around.env), timeoutMs, signal: around.signal })
}

/** Throws `document_invalid` for a file that cannot be read, else `tools_invalid`. */
export async function readToolFile(file: string, set?: string): Promise<readonly ToolDefinition[]> {
  return parseToolList(jsonIn(await readTextFile(file), file), file, set)
}

function jsonIn(text: string, file: string): unknown {
  const value = parseJson(text)
  if (value === undefined) throw new PlimsollError('tools_invalid', `\`${file}\` is not JSON`)
  return value
}

/** Refuses what is plainly no command: a folder, or a file that nobody may run. Throws `tools_invalid`. */
async function assertNoList(operand: string): Promise<void> {
  const found = await stat(operand).catch(() => undefined)
  if (!found || (found.isFile() && (found.mode & 0o111) !== 0)) return
  const what = found.isDirectory() ? 'is a folder' : 'is a file that does not end in `.json`'
  throw new PlimsollError('tools_invalid', `\`${operand}\` ${what}: ${OPERANDS_EXPECTED}`)
}

const OPERANDS_EXPECTED = 'name a `.json` file of tools, the URL of a server, or its command after `--`'

const urlOf = (text: string): URL | undefined =>
  /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined

/** The values of headers. Throws `usage_invalid`. */
function headersOf(given: readonly string[], env: Around['env']): Record<string, string> {
  const entries = Object.entries(headerVariables(given)).map(([name, variable]) => {
    const value = env[variable]
    if (value === undefined)
      throw new PlimsollError('usage_invalid', `\`--header\`: \`${variable}\` is not set`)
    return [name, value] as const
  })
  return Object.fromEntries(entries)
}

/** The variable of each header of `--header NAME=VARIABLE`. Throws `usage_invalid`. */
export function headerVariables(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const [, name, variable] = /^([\w-]+)=(\w+)$/.exec(each) ?? []
      if (name !== undefined && variable !== undefined) return [name, variable]
      throw new PlimsollError(
        'usage_invalid',
        '`--header` takes `NAME=VARIABLE`: a header, and the variable of this environment that holds its value',
      )
    }),
  )
}

/** Throws `usage_invalid`. */
function variables(names: readonly string[], env: Around['env']): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const value = env[name]
      if (value === undefined) throw new PlimsollError('usage_invalid', `\`--env\`: \`${name}\` is not set`)
      return [name, value]
    }),
  )
}

interface ListToolsOptions {
  /** The server's own variables, besides those that any program needs. */
  readonly env: Readonly<Record<string, string>>
  /** For starting, answering and listing together. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** What a server says on stderr is kept to this many characters, the last ones. */
const STDERR_CHARS_MAX = 4_000
/** Pages of a list; the timeout limits endless lists too. */
const PAGES_MAX = 100

/** Where a server is: a command that serves on its standard input and output, or a URL with what its requests carry. */
type ServerPlace =
  | { readonly command: readonly string[] }
  | { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

/**
 * Asks an MCP server for its tools and calls none: starts a command and ends it, or connects to a URL over Streamable HTTP, and over HTTP
 * with SSE where the server speaks only that.
 *
 * @throws PlimsollError `tool_server_failed`, with what the server said last, or `tools_invalid`
 */
async function listToolsOf(
  place: ServerPlace,
  { env, timeoutMs, signal }: ListToolsOptions,
): Promise<readonly ToolDefinition[]> {
  const deadline = AbortSignal.timeout(timeoutMs)
  // The client limits each answer too; our deadline comes first.
  const limits = { signal: AbortSignal.any([signal, deadline]), timeout: timeoutMs * 2 }
  const name = 'url' in place ? redactedUrl(place.url) : (place.command[0] ?? '')
  let said = ''
  try {
    if ('command' in place)
      return parseToolList(
        await listed(await toCommand(place.command, env, (text) => (said = text)), limits),
        name,
      )
    return parseToolList(await listedByUrl(place, limits), name)
  } catch (cause) {
    if (cause instanceof PlimsollError) throw cause
    if (isNotFound(cause))
      throw new PlimsollError('tools_invalid', `there is no program \`${name}\`: ${OPERANDS_EXPECTED}`)
    const why = deadline.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(cause)
    throw new PlimsollError('tool_server_failed', failureText(name, why, said), { cause })
  }
}

interface Limits {
  readonly signal: AbortSignal
  readonly timeout: number
}

async function toCommand(
  [command = '', ...args]: readonly string[],
  env: ListToolsOptions['env'],
  onSaid: (text: string) => void,
): Promise<Transport> {
  // Loaded here, and so below: no other command has any use for it.
  const { getDefaultEnvironment, StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-STDERR_CHARS_MAX)
    onSaid(said)
  })
  return transport
}

async function listedByUrl(
  { url, headers }: Extract<ServerPlace, { url: URL }>,
  limits: Limits,
): Promise<readonly unknown[]> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const options = { requestInit: { headers } }
  try {
    return await listed(new StreamableHTTPClientTransport(url, options), limits)
  } catch (cause) {
    // What a server answers that knows the older transport alone. Source: MCP 2025-06-18, Transports, backwards compatibility.
    if (![404, 405].includes(statusOf(cause) ?? 0)) throw cause
    return await listed(new SSEClientTransport(url, options), limits).catch(() => {
      throw cause
    })
  }
}

async function listed(transport: Transport, limits: Limits): Promise<readonly unknown[]> {
  const { Client, specTypeSchemas } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'plimsoll', version: '1' })
  try {
    await client.connect(transport, limits)
    const tools: unknown[] = []
    let cursor: string | undefined
    for (let page = 0; page < PAGES_MAX && tools.length <= TOOLS_MAX; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const answer = await client.request(
        { method: 'tools/list', params },
        specTypeSchemas.ListToolsResult,
        limits,
      )
      tools.push(...answer.tools)
      cursor = answer.nextCursor
      if (cursor === undefined) return tools
    }
    throw new PlimsollError(
      'tools_invalid',
      `the server lists more than ${TOOLS_MAX} tools or ${PAGES_MAX} pages of them; put what it lists into a file, in parts`,
    )
  } finally {
    await client.close()
  }
}

const isNotFound = (cause: unknown): boolean =>
  (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'

/** The status of an HTTP answer that a transport failed on. */
const statusOf = (cause: unknown): number | undefined => {
  const { status, code } = (cause ?? {}) as { status?: unknown; code?: unknown }
  return [status, code].find((each) => typeof each === 'number')
}

/** Without user, password and query, which may be secret. */
const redactedUrl = ({ origin, pathname }: URL): string => `${origin}${pathname}`

function reasonOf(cause: unknown): string {
  const status = statusOf(cause)
  if (status === 401 || status === 403)
    return `it answers ${status}: put its token into a variable, and name it with \`--header authorization=VARIABLE\``
  const { message, cause: inner } =
    cause instanceof Error ? cause : { message: String(cause), cause: undefined }
  const why =
    inner instanceof Error ? `${message}: ${inner.message || (inner as { code?: string }).code}` : message
  return why.split('\n')[0] ?? ''
}

function failureText(command: string, why: string, said: string): string {
  const lastWords = said.trim().split('\n').slice(-3).join(' / ')
  return `\`${command}\` lists no tools: ${why}${lastWords && `; it said: ${lastWords}`}`
}
