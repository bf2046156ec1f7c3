const WITH_SERVER = 'mcp__'
const WITHOUT_SERVER = 'MCP:'
const SEPARATOR = '__'

/**
 * The name that a tool has on its MCP server, where a coding agent spells it so that it shows: `mcp__server__tool` (Claude Code, Codex, Qwen
 * Code), `MCP:tool` (Cursor). Undefined for other names: `server__tool` is also how the gateway keeps apart servers whose names are not
 * trusted, and `server_tool` does not show where the server's name ends.
 *
 * @example toolOnServer('mcp__mail__send_email') // 'send_email'
 */
export function toolOnServer(tool: string): string | undefined {
  if (tool.startsWith(WITHOUT_SERVER)) return tool.slice(WITHOUT_SERVER.length) || undefined
  if (!tool.startsWith(WITH_SERVER)) return undefined
  const at = tool.indexOf(SEPARATOR, WITH_SERVER.length + 1)
  return at < 0 ? undefined : tool.slice(at + SEPARATOR.length) || undefined
}

/**
 * Whether a pattern of a catalogue or policy matches a tool, by its whole name or by its name on its server.
 *
 * @example matchesTool('send_*', 'mcp__mail__send_email') // true
 */
export function matchesTool(pattern: string, tool: string): boolean {
  if (matchesGlob(pattern, tool)) return true
  const bare = toolOnServer(tool)
  return bare !== undefined && matchesGlob(pattern, bare)
}

/**
 * Whether `name` matches `pattern`, in which `*` matches any run of characters, also an empty one. Linear in practice and never more
 * than |pattern| × |name|, because only the last `*` is retried.
 *
 * @example matchesGlob('mcp__*__send_*', 'mcp__mail__send_email') // true
 */
export function matchesGlob(pattern: string, name: string): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let i = 0
  while (i < name.length) {
    if (pattern[at] === '*') {
      star = at++
      resume = i
    } else if (pattern[at] === name[i]) {
      at++
      i++
    } else if (star >= 0) {
      at = star + 1
      i = ++resume
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
