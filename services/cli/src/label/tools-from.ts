import { readFile } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { parseToolList, type ToolDefinition } from '@plimsoll/labels'
import { listToolsOf } from './list-tools.js'

export interface ToolsFromOptions {
  /** Which list of a file that holds several. */
  readonly set: string | undefined
  /** Names of variables that a server is given. */
  readonly env: readonly string[]
  readonly timeoutMs: number
}

interface Around {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/**
 * The tools that the operands name: a JSON file where there is one operand that ends in `.json`, else the command of an MCP server.
 *
 * @throws PlimsollError `tools_invalid`, `tool_server_failed`, or `usage_invalid` where a variable is not set
 */
export async function toolsFrom(
  operands: readonly string[],
  { set, env, timeoutMs }: ToolsFromOptions,
  around: Around,
): Promise<readonly ToolDefinition[]> {
  const [first = ''] = operands
  if (operands.length === 1 && first.endsWith('.json')) return readToolFile(first, set)
  return listToolsOf(operands, { env: variables(env, around.env), timeoutMs, signal: around.signal })
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
