import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import type { Tool } from '@modelcontextprotocol/server'
import { PlimsollError, digestOf, formatIssues, parseJson } from '@plimsoll/contracts'
import { z } from 'zod'

/** The parts of a definition that tell a model or a human what a tool does and takes. */
const PARTS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations', '_meta'] as const
type Part = (typeof PARTS)[number]

const HEX = z.string().regex(/^[0-9a-f]+$/)

const pinSchema = z.strictObject({
  /** SHA-256 of the definition's canonical JSON. */
  digest: HEX,
  /** Digests of its parts, to name those that change. */
  parts: z.record(z.string(), HEX),
  /** Milliseconds since 1970. */
  approvedAt: z.int().min(0),
  /** Present for a tool that its server added later and that is offered without an approval. */
  isUnreviewed: z.literal(true).optional(),
})

const fileSchema = z.strictObject({
  schema: z.literal(1),
  kind: z.literal('plimsoll.mcp-pins'),
  servers: z.record(z.string(), z.record(z.string(), pinSchema)),
})

/** A server's approved tools, by name. */
export type ServerPins = Readonly<Record<string, z.infer<typeof pinSchema>>>

/** `new`: its server was approved without it. `unreviewed`: it was new, and has not changed since. */
export type PinState =
  | { readonly state: 'approved' | 'new' | 'unreviewed' }
  | { readonly state: 'changed'; readonly parts: readonly Part[] }

/** Of the parts of a definition that a model or a human reads, SHA-256 in hex. */
export const definitionDigest = (tool: Tool): string =>
  digestOf(Object.fromEntries(['name' as const, ...PARTS].map((part) => [part, tool[part]])))

const partDigest = (tool: Tool, part: Part): string => digestOf(tool[part] ?? null).slice(0, 16)

/** Pins `tools` as they are. */
export function pinsOf(tools: readonly Tool[], approvedAt: number, isUnreviewed = false): ServerPins {
  return Object.fromEntries(
    tools.map((tool) => {
      const parts = Object.fromEntries(PARTS.map((part) => [part, partDigest(tool, part)]))
      const pin = { digest: definitionDigest(tool), parts, approvedAt }
      return [tool.name, { ...pin, ...(isUnreviewed && { isUnreviewed }) }]
    }),
  )
}

export function stateOf(tool: Tool, pins: ServerPins): PinState {
  const pin = Object.hasOwn(pins, tool.name) ? pins[tool.name] : undefined
  if (!pin) return { state: 'new' }
  if (pin.digest === definitionDigest(tool)) return { state: pin.isUnreviewed ? 'unreviewed' : 'approved' }
  return { state: 'changed', parts: PARTS.filter((part) => pin.parts[part] !== partDigest(tool, part)) }
}

/** Stores approved definitions. */
export interface PinStore {
  /** Undefined if the server was never approved. Throws `document_invalid`. */
  of(server: string): Promise<ServerPins | undefined>
  /** Replaces the server's pins. */
  put(server: string, pins: ServerPins): Promise<void>
}

/** Lasts as long as the process. */
export function createMemoryPins(): PinStore {
  const servers = new Map<string, ServerPins>()
  return {
    of: async (server) => servers.get(server),
    put: async (server, pins) => void servers.set(server, pins),
  }
}

type PinDocument = Readonly<Record<string, ServerPins>>

/** A JSON file, read again when it has changed: another process may approve tools while this one runs. */
export function createFilePins(file: string): PinStore {
  let read: { readonly version: string; readonly servers: PinDocument } | undefined
  // One write at a time, so that none is lost.
  let writing: Promise<void> = Promise.resolve()

  async function servers(): Promise<PinDocument> {
    const version = await versionOf(file)
    if (version === undefined) return {}
    if (read?.version !== version) read = { version, servers: parse(await readFile(file, 'utf8'), file) }
    return read.servers
  }

  async function put(server: string, pins: ServerPins): Promise<void> {
    const all = { ...(await servers()), [server]: pins }
    const document = { schema: 1, kind: 'plimsoll.mcp-pins', servers: all }
    const draft = `${file}.${process.pid}.tmp`
    await writeFile(draft, `${JSON.stringify(document, undefined, 2)}\n`, { mode: 0o600 })
    await rename(draft, file)
  }

  return {
    of: async (server) => {
      const all = await servers()
      return Object.hasOwn(all, server) ? all[server] : undefined
    },
    put: (server, pins) => {
      const written = writing.then(() => put(server, pins))
      writing = written.catch(() => {})
      return written
    },
  }
}

async function versionOf(file: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(file)
    return `${mtimeMs} ${size} ${ino}`
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new PlimsollError('document_invalid', `\`${file}\` cannot be read`, { cause })
  }
}

/** Throws `document_invalid`: unreadable pins must not count as none. */
function parse(text: string, file: string): PinDocument {
  const value = parseJson(text)
  if (value === undefined) throw new PlimsollError('document_invalid', `\`${file}\` is not JSON`)
  const { data, error } = fileSchema.safeParse(value)
  if (data) return data.servers
  throw new PlimsollError('document_invalid', `\`${file}\` holds no pins: ${formatIssues(error)}`)
}
