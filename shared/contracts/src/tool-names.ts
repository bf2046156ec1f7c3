const WITH_SERVER = 'mcp__'
const WITHOUT_SERVER = 'MCP:'
const SEPARATOR = '__'

/**
 * The name that a tool has on its MCP server, where a coding agent spells it so that it shows: `mcp__server__tool` (Claude Code, Codex, Qwen
 * Code), `MCP:tool` (Cursor). Undefined for other names: `server__tool` is also how the gateway keeps apart servers that no one
 * vouches for (`nameBehindServer`), and `server_tool` does not show where the server's name ends.
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
 * The name behind a server's, also as gateways and frameworks spell it (`server__tool`, `server.tool`, `server/tool`, `server:tool`), where
 * it need not be one: for what a name says, and for labels that are trusted no further than a name. The name itself if it shows no server.
 *
 * @example nameBehindServer('mail__send_email') // 'send_email'
 */
export function nameBehindServer(tool: string): string {
  const bare = toolOnServer(tool)
  if (bare !== undefined) return bare
  const at = tool.lastIndexOf(SEPARATOR)
  if (at > 0 && at + SEPARATOR.length < tool.length) return tool.slice(at + SEPARATOR.length)
  const [, behind = ''] = /^[\w-]{1,64}[./:]([\w-]{1,128})$/.exec(tool) ?? []
  // One word behind a dot is about what stands before it: `chat.delete`.
  return /[a-z][_-]|[a-z][A-Z]/.test(behind) ? behind : tool
}

/**
 * The name behind a well-known server's: behind `__`, or behind a single sign that parts them, as Gemini CLI, OpenCode and Copilot do, where
 * elsewhere a verb may stand. Undefined for other names.
 *
 * @example nameBehindKnownServer('playwright_browser_navigate') // 'browser_navigate'
 */
export function nameBehindKnownServer(tool: string): string | undefined {
  const [, ofAny, ofOne] = BEHIND_KNOWN.exec(tool) ?? []
  return ofAny ?? ofOne
}

const KNOWN_SERVERS = [
  'playwright|puppeteer|chrome-devtools|github|gitlab|slack|notion|linear|jira|confluence|atlassian|filesystem',
  'sqlite|postgres|supabase|mongodb|stripe|sentry|grafana|kubernetes|cloudflare|figma|homeassistant',
  'gmail|google-calendar|google-drive|context7|brave-search|tavily|firecrawl|exa|todoist|trello|asana|airtable|hubspot',
].join('|')
/** Their names are also words that stand before what they are about. */
const SERVERS_NAMED_BY_WORDS = 'fetch|git|memory|redis|time'
const BEHIND_KNOWN = new RegExp(
  `^(?:(?:${KNOWN_SERVERS}|${SERVERS_NAMED_BY_WORDS})__(\\w[\\w-]{0,127})|(?:mcp_[a-z\\d-]{1,32}|${KNOWN_SERVERS})[_-]((?:[a-z]\\w{0,63}[_-])?[a-z]\\w{1,127}[_-]\\w{1,63}))$`,
)

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
