import { isDeepStrictEqual } from 'node:util'
import {
  type JSONPath,
  type ModificationOptions,
  applyEdits,
  findNodeAtLocation,
  format,
  parse,
  parseTree,
} from 'jsonc-parser'
import { type Change, type Entry, changed, unwrap, wrap, wrappedIn } from './entry.js'
import { PARSE_OPTIONS, invalidFile, isObject, parseObject, withValue } from './json-text.js'
import type { Launcher } from './launcher.js'

/** The member that holds the servers: VS Code's is `servers`, everyone else's `mcpServers`. */
export type ServersKey = 'mcpServers' | 'servers'

/** A client's configuration: JSON with comments and trailing commas, which edits keep. */
export interface ConfigText {
  readonly text: string
  readonly key: ServersKey
  readonly entries: Readonly<Record<string, Entry>>
}

/** Throws `document_invalid` with line and column. */
export function parseConfigText(text: string, file: string): ConfigText {
  const value = parseObject(text, file)
  const isVisualStudio = 'servers' in value || /[\\/](\.vscode|Code[\\/]User)[\\/]/.test(file)
  const key = 'mcpServers' in value || !isVisualStudio ? 'mcpServers' : 'servers'
  const entries = value[key] ?? {}
  if (!isObject(entries)) throw invalidFile(file, `has \`${key}\`, which is not an object`)
  const odd = Object.entries(entries).find(([, entry]) => !isObject(entry))
  if (odd) throw invalidFile(file, `has \`${key}.${odd[0]}\`, which is not an object`)
  return { text, key, entries: entries as Record<string, Entry> }
}

/** The text with Plimsoll before the servers `names`, each with `options`. */
export function wrapEntries(
  config: ConfigText,
  names: readonly string[],
  launcher: Launcher,
  options: readonly string[],
): ConfigText {
  return names.reduce((config, name) => {
    const entry = config.entries[name] ?? {}
    return applied(config, name, wrap(entry, launcher, options), 'command' in entry)
  }, config)
}

/**
 * The text with the servers `names` as they were: `backup` itself if nothing else was edited, the servers of `backup` where they are the
 * same, else by the inverse of the change.
 */
export function unwrapEntries(
  config: ConfigText,
  names: readonly string[],
  backup: ConfigText | undefined,
): ConfigText {
  const bare = names.reduce((config, name) => {
    const entry = config.entries[name] ?? {}
    const wrapped = wrappedIn(entry)
    if (!wrapped || wrapped.server.length === 0) return config
    const change = unwrap(entry, wrapped)
    const original = backup?.key === config.key ? backup.entries[name] : undefined
    const isSame = original && isDeepStrictEqual(changed(entry, change), changed(original, {}))
    return isSame && backup ? withSlice(config, name, backup) : applied(config, name, change, false)
  }, config)
  return backup && reflowed(backup.text) === reflowed(bare.text) ? backup : bare
}

/** The text in one layout: edits reflow the lines that they touch. */
const reflowed = (text: string): string =>
  applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }))

/** The text with a new server, or without one. */
export const withEntry = (config: ConfigText, name: string, entry: Entry | undefined): ConfigText =>
  edited(config, [config.key, name], entry)

function withSlice(config: ConfigText, name: string, backup: ConfigText): ConfigText {
  const [own, other] = [config, backup].map(({ text, key }) => {
    const root = parseTree(text, [], PARSE_OPTIONS)
    return root && findNodeAtLocation(root, [key, name])
  })
  if (!own || !other) return config
  const slice = backup.text.slice(other.offset, other.offset + other.length)
  return parsed(config.text.slice(0, own.offset) + slice + config.text.slice(own.offset + own.length), config)
}

/** Sets the members of a server. `insertsArgs`: new arguments go before those that stay, whose comments are kept. */
function applied(config: ConfigText, name: string, change: Change, insertsArgs: boolean): ConfigText {
  return Object.entries(change).reduce((config, [member, value]) => {
    const path: JSONPath = [config.key, name, member]
    const before = config.entries[name]?.args
    if (member !== 'args' || !insertsArgs || !Array.isArray(before) || before.length === 0)
      return edited(config, path, value)
    const added = (value as readonly string[]).slice(0, -before.length)
    return added.reduceRight<ConfigText>(
      (config, each) => edited(config, [...path, 0], each, { isArrayInsertion: true }),
      config,
    )
  }, config)
}

function edited(config: ConfigText, path: JSONPath, value: unknown, more?: ModificationOptions): ConfigText {
  const text = withValue(config.text, path, value, more)
  return text === config.text ? config : parsed(text, config)
}

function parsed(text: string, { key }: ConfigText): ConfigText {
  const value = parse(text, [], PARSE_OPTIONS) as Record<string, Record<string, Entry>>
  return { text, key, entries: value[key] ?? {} }
}
