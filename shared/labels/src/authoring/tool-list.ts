import { PlimsollError } from '@plimsoll/contracts'
import type { ToolDefinition } from '../tools/claim.js'

/** Most tools in one list, as in a catalogue. */
export const TOOLS_MAX = 4_096

type Members = Readonly<Record<string, unknown>>

/**
 * Reads a list of tools from parsed JSON: an array, the result of MCP's `tools/list` (`{ tools }`, with or without its envelope), or an object
 * of lists by name, and `set` chooses one of them. Error messages mention `name`.
 *
 * @throws PlimsollError `tools_invalid`
 */
export function parseToolList(value: unknown, name: string, set?: string): readonly ToolDefinition[] {
  const list = listIn(value, name, set)
  if (list.length === 0) throw invalid(`\`${name}\` lists no tools`)
  if (list.length > TOOLS_MAX) throw invalid(`\`${name}\` lists ${list.length} tools, more than ${TOOLS_MAX}`)
  return list.map((tool, at) => parseTool(tool, `\`${name}\` tool ${at}`))
}

function listIn(value: unknown, name: string, set: string | undefined): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isMembers(value)) throw invalid(`\`${name}\` is no list of tools`)
  if (Array.isArray(value['tools'])) return value['tools']
  if (isMembers(value['result'])) return listIn(value['result'], name, set)
  return setIn(value, name, set)
}

function setIn(value: Members, name: string, set: string | undefined): readonly unknown[] {
  const sets = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  if (sets.length === 0) throw invalid(`\`${name}\` is no list of tools`)
  const names = sets.map(([name]) => name).join(', ')
  const found = sets.length === 1 && set === undefined ? sets[0] : sets.find(([name]) => name === set)
  if (found) return found[1]
  throw invalid(
    set === undefined
      ? `\`${name}\` holds several lists, say which: ${names}`
      : `\`${name}\` has no list \`${set}\`; there are ${names}`,
  )
}

/** Ignores members that are not text, because labelling needs only the name. */
function parseTool(value: unknown, where: string): ToolDefinition {
  if (!isMembers(value)) throw invalid(`${where} is no object`)
  const { name, description, inputSchema, annotations, _meta } = value
  if (typeof name !== 'string') throw invalid(`${where} has no name`)
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...(isMembers(annotations) && { annotations }),
    ...(isMembers(_meta) && { _meta }),
  }
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (message: string): PlimsollError => new PlimsollError('tools_invalid', message)
