import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { z } from 'zod'
import type { PinDocument, ServerPins } from './pins.js'

/** Where approved definitions are kept. */
export interface PinStore {
  /** Undefined where the server was never approved. Throws `document_invalid`. */
  of(server: string): Promise<ServerPins | undefined>
  /** Approves `pins` of the server, in place of those that it had. */
  put(server: string, pins: ServerPins): Promise<void>
}

const HEX = z.string().regex(/^[0-9a-f]+$/)
const pinSchema = z.strictObject({
  digest: HEX,
  parts: z.record(z.string(), HEX),
  approvedAt: z.int().min(0),
})
const fileSchema = z.strictObject({
  schema: z.literal(1),
  kind: z.literal('plimsoll.mcp-pins'),
  servers: z.record(z.string(), z.record(z.string(), pinSchema)),
})

/** For as long as the process lives. */
export function createMemoryPins(): PinStore {
  const servers = new Map<string, ServerPins>()
  return {
    of: async (server) => servers.get(server),
    put: async (server, pins) => void servers.set(server, pins),
  }
}

/** In a file of JSON, which is read again when it has changed: another process approves while this one runs. */
export function createFilePins(file: string): PinStore {
  let read: { readonly version: string; readonly servers: PinDocument } | undefined
  // One writer at a time: what another write of this process put must not be lost.
  let writing: Promise<void> = Promise.resolve()

  async function servers(): Promise<PinDocument> {
    const version = await versionOf(file)
    if (version === undefined) return {}
    if (read?.version !== version) read = { version, servers: parse(await readFile(file, 'utf8'), file) }
    return read.servers
  }

  async function put(server: string, pins: ServerPins): Promise<void> {
    const document = {
      schema: 1,
      kind: 'plimsoll.mcp-pins',
      servers: { ...(await servers()), [server]: pins },
    }
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

/** Throws `document_invalid`: pins that cannot be read are not to be taken for none. */
function parse(text: string, file: string): PinDocument {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new PlimsollError('document_invalid', `\`${file}\` is not JSON`, { cause })
  }
  const { data, error } = fileSchema.safeParse(value)
  if (data) return data.servers
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'all'}: ${message}`)
  throw new PlimsollError('document_invalid', `\`${file}\` holds no pins: ${problems.join('; ')}`)
}
