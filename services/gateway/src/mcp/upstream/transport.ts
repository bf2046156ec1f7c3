import { StringDecoder } from 'node:string_decoder'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { Logger } from '@plimsoll/runtime'
import type { McpLimits } from '../limits.js'
import type { ServerSpec } from '../servers-file.js'
import { createBoundedFetch } from './bounded-fetch.js'
import { type Environment, headersOf, variablesOf, withOwnNode } from './variables.js'

export interface UpstreamOptions {
  readonly name: string
  readonly spec: ServerSpec
  /** Variables that the server may get. */
  readonly environment: Environment
  readonly limits: McpLimits
  readonly logger: Logger
  /** Gets what servers on standard input and output write to their stderr. */
  readonly onStderr?: ((text: string) => void) | undefined
}

/** Characters kept of a server's stderr, the last ones. */
const STDERR_CHARS_MAX = 4_000

export interface UpstreamTransport {
  readonly transport: StdioClientTransport | StreamableHTTPClientTransport
  /** The end of its stderr, for an error message; empty if there is none. */
  readonly lastWords: () => string
}

type TransportOptions = Pick<UpstreamOptions, 'name' | 'spec' | 'environment' | 'limits' | 'onStderr'>

/** Throws `config_invalid` if a variable is not set. */
export function createTransport({ name, spec, ...options }: TransportOptions): UpstreamTransport {
  const { environment, limits } = options
  if (!('command' in spec)) {
    const headers = headersOf(name, spec.headers, environment)
    const transport = new StreamableHTTPClientTransport(new URL(spec.url), {
      requestInit: { headers },
      fetch: createBoundedFetch(limits.messageBytesMax),
    })
    return { transport, lastWords: () => '' }
  }
  return toCommand(name, spec, options)
}

function toCommand(
  name: string,
  { command, args, env, cwd }: Extract<ServerSpec, { command: string }>,
  { environment, limits, onStderr }: Omit<TransportOptions, 'name' | 'spec'>,
): UpstreamTransport {
  const transport = new StdioClientTransport({
    command,
    args,
    env: withOwnNode({ ...getDefaultEnvironment(), ...variablesOf(name, env, environment) }),
    stderr: 'pipe',
    maxBufferSize: limits.messageBytesMax,
    ...(cwd !== undefined && { cwd }),
  })
  const decoder = new StringDecoder('utf8')
  let said = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    const text = decoder.write(chunk)
    said = (said + text).slice(-STDERR_CHARS_MAX)
    onStderr?.(text)
  })
  const lastWords = () => {
    const lines = said.trim().split('\n').slice(-3).join(' / ')
    return lines && `; it said: ${lines}`
  }
  return { transport, lastWords }
}
