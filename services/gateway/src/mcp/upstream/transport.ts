import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import { PlimsollError } from '@plimsoll/contracts'
import type { Logger } from '@plimsoll/runtime'
import type { McpLimits } from '../limits.js'
import type { ServerSpec } from '../servers-file.js'
import { createBoundedFetch } from './bounded-fetch.js'

export interface UpstreamOptions {
  readonly name: string
  readonly spec: ServerSpec
  /** Variables that the server may get. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly limits: McpLimits
  readonly logger: Logger
  /** Called when its tools may have changed: it said so, or was restarted. */
  readonly onChanged: () => void
}

/** Characters kept of a server's stderr, the last ones. */
const STDERR_CHARS_MAX = 4_000

export interface UpstreamTransport {
  readonly transport: StdioClientTransport | StreamableHTTPClientTransport
  /** The end of its stderr, for an error message; empty if there is none. */
  readonly lastWords: () => string
}

type TransportOptions = Pick<UpstreamOptions, 'name' | 'spec' | 'environment' | 'limits'>

/** Throws `config_invalid` if a variable is not set. */
export function createTransport({ name, spec, environment, limits }: TransportOptions): UpstreamTransport {
  if (!('command' in spec)) {
    const headers = variables(name, spec.headers, environment)
    const transport = new StreamableHTTPClientTransport(new URL(spec.url), {
      requestInit: { headers },
      fetch: createBoundedFetch(limits.messageBytesMax),
    })
    return { transport, lastWords: () => '' }
  }
  return toCommand(name, spec, environment, limits.messageBytesMax)
}

function toCommand(
  name: string,
  { command, args, env, cwd }: Extract<ServerSpec, { command: string }>,
  environment: UpstreamOptions['environment'],
  maxBufferSize: number,
): UpstreamTransport {
  const own = variables(name, Object.fromEntries(env.map((each) => [each, each])), environment)
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...getDefaultEnvironment(), ...own },
    stderr: 'pipe',
    maxBufferSize,
    ...(cwd !== undefined && { cwd }),
  })
  let said = ''
  transport.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-STDERR_CHARS_MAX)))
  const lastWords = () => {
    const lines = said.trim().split('\n').slice(-3).join(' / ')
    return lines && `; it said: ${lines}`
  }
  return { transport, lastWords }
}

/** The values of variables by their names for the server. */
function variables(
  server: string,
  names: Readonly<Record<string, string>>,
  environment: UpstreamOptions['environment'],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).map(([as, variable]) => {
      const value = environment[variable]
      if (value !== undefined) return [as, value]
      throw new PlimsollError(
        'config_invalid',
        `MCP server \`${server}\` needs the variable \`${variable}\`, which is not set`,
      )
    }),
  )
}
