import { readFile } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { parseToolList, type ToolDefinition } from '@plimsoll/labels'
import { listToolsOf } from './list-tools.js'

export interface ToolsFromOptions {
  /** Which list of a file that holds several. */
  readonly set: string | undefined
  /** Names of variables that a server is given. */
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
  if (!url && header.length > 0)
    throw new PlimsollError('usage_invalid', '`--header` is for a server at a URL: of a command, use `--env`')
  const place = url ? { url, headers: headersOf(header, around.env) } : { command: operands }
  return listToolsOf(place, { env: variables(env, around.env), timeoutMs, signal: around.signal })
}

/** Throws `tools_invalid`. */
export async function readToolFile(file: string, set?: string): Promise<readonly ToolDefinition[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new PlimsollError('tools_invalid', `\`${file}\` cannot be read`, { cause })
  })
  return parseToolList(parseJson(text, file), file, set)
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new PlimsollError('tools_invalid', `\`${file}\` is not JSON`, { cause })
  }
}

const urlOf = (text: string): URL | undefined =>
  /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined

/** Throws `usage_invalid`. */
function headersOf(given: readonly string[], env: Around['env']): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const [, name, variable] = /^([\w-]+)=(\w+)$/.exec(each) ?? []
      if (name === undefined || variable === undefined)
        throw new PlimsollError(
          'usage_invalid',
          '`--header` takes `NAME=VARIABLE`: a header, and the variable of this environment that holds its value',
        )
      const value = env[variable]
      if (value === undefined)
        throw new PlimsollError('usage_invalid', `\`--header\`: \`${variable}\` is not set`)
      return [name, value]
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
