import type { Launcher } from './launcher.js'

/** A server in a client's configuration, as far as Plimsoll reads it. Other members are kept. */
export interface Entry {
  readonly type?: unknown
  readonly command?: unknown
  readonly args?: unknown
  readonly env?: unknown
  readonly url?: unknown
  readonly headers?: unknown
}

/** Members that a change sets; `undefined` removes one. */
export type Change = Readonly<Record<string, unknown>>

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

const PLIMSOLL = /(^|[\\/])plimsoll(@[^\\/]*)?(\.(m?js|cmd|exe))?$/

/** What runs in an entry that starts Plimsoll: its own options, and the command or URL of the server behind it. */
interface Wrapped {
  readonly options: readonly string[]
  readonly server: readonly string[]
}

/** Undefined if the entry starts something else; `server` is empty if it names its servers in a file. */
export function wrappedIn({ command, args }: Entry): Wrapped | undefined {
  const words = [...texts([command]), ...texts(args)]
  const at = words.findIndex((word, i) => PLIMSOLL.test(word) && words[i + 1] === 'mcp')
  if (at === -1) return undefined
  const end = words.indexOf('--', at)
  return end === -1
    ? { options: words.slice(at + 2), server: [] }
    : { options: words.slice(at + 2, end), server: words.slice(end + 1) }
}

/** Why an entry cannot be put behind the proxy; undefined if it can. `isNamed`: the user named it. */
export function obstacleOf(entry: Entry, isNamed: boolean): string | undefined {
  const { type, command, url, headers } = entry
  if (wrappedIn(entry)?.server.length === 0) return 'it starts Plimsoll with servers of its own'
  if (typeof command === 'string') return undefined
  if (typeof url !== 'string') return 'it has neither `command` nor `url`'
  if (type === 'sse') return 'it speaks SSE, which is superseded by Streamable HTTP'
  if (Object.keys(record(headers)).length > 0 || isNamed) return undefined
  return 'its client may sign in for it, which does not work through a proxy: name it to wrap it all the same'
}

const HEADER_VARIABLE = 'MCP_HEADER_'

/** The variable that an entry passes a header in, so that its value is not on a command line. */
const variableFor = (header: string): string =>
  `${HEADER_VARIABLE}${header.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`

/** Puts Plimsoll before the server of an entry that is not wrapped. `options`: those of `plimsoll mcp`. */
export function wrap(entry: Entry, { command, args }: Launcher, options: readonly string[]): Change {
  const before = [...args, 'mcp', ...options]
  if (typeof entry.command === 'string')
    return { command, args: [...before, '--', entry.command, ...texts(entry.args)] }
  const headers = Object.entries(record(entry.headers))
  const asked = headers.flatMap(([name]) => ['--header', `${name}=${variableFor(name)}`])
  const env = {
    ...record(entry.env),
    ...Object.fromEntries(headers.map(([name, value]) => [variableFor(name), value])),
  }
  return {
    ...(entry.type !== undefined && { type: 'stdio' }),
    url: undefined,
    headers: undefined,
    command,
    args: [...before, ...asked, '--', String(entry.url)],
    ...(Object.keys(env).length > 0 && { env }),
  }
}

/** Takes Plimsoll away from a wrapped entry: the inverse of `wrap`. */
export function unwrap(entry: Entry, { options, server }: Wrapped): Change {
  const [command = '', ...args] = server
  if (args.length > 0 || !/^https?:\/\/|^\$\{/i.test(command))
    return { command, args: args.length > 0 ? args : undefined }
  const env = record(entry.env)
  const headers = options.flatMap((option, i) => {
    const [, name = '', variable = ''] =
      /^([\w-]+)=(\w+)$/.exec(options[i - 1] === '--header' ? option : '') ?? []
    return name === '' ? [] : [[name, env[variable], variable] as const]
  })
  const own = Object.entries(env).filter(([name]) => headers.every(([, , variable]) => variable !== name))
  return {
    ...(entry.type !== undefined && { type: 'http' }),
    command: undefined,
    args: undefined,
    url: command,
    env: own.length > 0 ? Object.fromEntries(own) : undefined,
    headers:
      headers.length > 0 ? Object.fromEntries(headers.map(([name, value]) => [name, value])) : undefined,
  }
}

/** An entry after a change, without members that say nothing: to compare two. */
export function changed(entry: Entry, change: Change): Entry {
  const members = Object.entries({ ...entry, ...change }).filter(
    ([name, value]) => value !== undefined && !(name === 'args' && texts(value).length === 0),
  )
  return Object.fromEntries(members)
}
