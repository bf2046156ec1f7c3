import { type Members, isObject, membersIn } from '../rpc/messages.js'

/** In a tool's schema: the name of the header that repeats an argument. Source: SEP-2243 of MCP. */
const HEADER_KEY = 'x-mcp-header'

/** Header names, and the texts that a header can hold as they are. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const PLAIN = /^[\t\x20-\x7e]+$/

const known = new WeakMap<Members, readonly Declaration[]>()

interface Declaration {
  readonly header: string
  readonly path: readonly string[]
}

/** The headers that repeat arguments of a call, as its tool's schema declares them; undefined if there are none. */
export function paramHeaders(
  inputSchema: Members,
  args: Members,
): Readonly<Record<string, string>> | undefined {
  const declarations = known.get(inputSchema) ?? declarationsIn(inputSchema, [])
  known.set(inputSchema, declarations)
  const headers = declarations.flatMap(({ header, path }) => {
    const text = textAt(args, path)
    return text === undefined ? [] : [[`Mcp-Param-${header}`, encoded(text)] as const]
  })
  return headers.length === 0 ? undefined : Object.fromEntries(headers)
}

/** Only below a chain of `properties`: elsewhere a declaration has no one value. */
function declarationsIn(schema: Members, path: readonly string[]): readonly Declaration[] {
  return Object.entries(membersIn(schema, 'properties')).flatMap(([name, property]) => {
    if (!isObject(property)) return []
    const inner = declarationsIn(property, [...path, name])
    const header = property[HEADER_KEY]
    if (typeof header !== 'string' || !TOKEN.test(header)) return inner
    return [{ header, path: [...path, name] }, ...inner]
  })
}

function textAt(args: Members, path: readonly string[]): string | undefined {
  let value: unknown = args
  for (const name of path) value = isObject(value) ? value[name] : undefined
  if (typeof value === 'string') return value
  return typeof value === 'boolean' || Number.isFinite(value) ? String(value) : undefined
}

function encoded(text: string): string {
  const isPlain = PLAIN.test(text) && text === text.trim() && !text.startsWith('=?base64?')
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
