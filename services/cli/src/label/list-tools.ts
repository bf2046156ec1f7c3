import { PlimsollError } from '@plimsoll/contracts'
import { parseToolList, TOOLS_MAX, type ToolDefinition } from '@plimsoll/labels'

export interface ListToolsOptions {
  /** The server's own variables, besides those that any program needs. */
  readonly env: Readonly<Record<string, string>>
  /** For starting, answering and listing together. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** What a server says on stderr is kept to this many characters, the last ones. */
const STDERR_CHARS_MAX = 4_000
/** Pages of a list: a server that never comes to its end is cut off by the time as well. */
const PAGES_MAX = 100

/**
 * Starts an MCP server, asks it for its tools and ends it. Speaks MCP on the standard input and output of `command`.
 *
 * @throws PlimsollError `tool_server_failed`, with what the server said last, or `tools_invalid`
 */
export async function listToolsOf(
  [command = '', ...args]: readonly string[],
  { env, timeoutMs, signal }: ListToolsOptions,
): Promise<readonly ToolDefinition[]> {
  // Loaded here: no other command has any use for it.
  const [{ Client }, { getDefaultEnvironment, StdioClientTransport }, { ListToolsResultSchema }] =
    await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ])
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-STDERR_CHARS_MAX)))
  const client = new Client({ name: 'plimsoll', version: '1' })
  const deadline = AbortSignal.timeout(timeoutMs)
  // The client has a limit of its own for each answer: ours comes first.
  const limits = { signal: AbortSignal.any([signal, deadline]), timeout: timeoutMs * 2 }
  try {
    await client.connect(transport, limits)
    const tools: unknown[] = []
    let cursor: string | undefined
    for (let page = 0; page < PAGES_MAX && tools.length <= TOOLS_MAX; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const answer = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, limits)
      tools.push(...answer.tools)
      cursor = answer.nextCursor
      if (cursor === undefined) break
    }
    return parseToolList(tools, command)
  } catch (cause) {
    if (cause instanceof PlimsollError) throw cause
    const why = deadline.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(cause)
    throw new PlimsollError('tool_server_failed', failureText(command, why, said), { cause })
  } finally {
    await client.close()
  }
}

const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? ''

function failureText(command: string, why: string, said: string): string {
  const lastWords = said.trim().split('\n').slice(-3).join(' / ')
  return `\`${command}\` lists no tools: ${why}${lastWords && `; it said: ${lastWords}`}`
}
