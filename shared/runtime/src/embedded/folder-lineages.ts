import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError, parseJson } from '@plimsoll/contracts'
import type { LineageEntry, LineageStore } from '../ports/stores.js'
import { type Clock, systemClock } from '../timing.js'

export interface FolderLineagesOptions {
  /** Created with mode 0700. */
  readonly folder: string
  /** Decides when lineages expire. */
  readonly clock?: Clock
}

export interface FolderLineages extends LineageStore {
  /** Deletes lineages that count no more. Rejects with `store_unavailable`. */
  dropExpired(): Promise<void>
}

/** A file of a lineage. */
interface Kept {
  readonly entry: LineageEntry
  readonly expiresAtMs: number
}

/** How long a file that cannot be read counts, milliseconds. */
const UNREADABLE_MS = 24 * 3_600_000

const nameOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 32)

/**
 * A `LineageStore` for the processes of one user on one machine: a folder for each lineage, a file for each entry. An entry is written
 * before those that it replaces are deleted, so a reader never sees less than is known. Processes that write at the same time may exceed
 * `keptMax` by one entry each. A file that cannot be read is an entry without a body.
 */
export function createFolderLineages({ folder, clock = systemClock }: FolderLineagesOptions): FolderLineages {
  let isClosed = false
  const lineageFolder = (lineage: string): string => path.join(folder, nameOf(lineage))

  async function stored<T>(action: () => Promise<T>): Promise<T> {
    if (isClosed) throw new PlimsollError('closed', 'the store has been closed')
    try {
      return await action()
    } catch (cause) {
      throw new PlimsollError('store_unavailable', `\`${folder}\` cannot be used`, { cause })
    }
  }

  /** What is kept of a lineage, also after its time. */
  const keptOf = (lineage: string): Promise<readonly Kept[]> => keptIn(lineageFolder(lineage))

  async function keptIn(own: string): Promise<readonly Kept[]> {
    const files = await readdir(own).catch(ignoring('ENOENT', []))
    const kept = files.filter((file) => file.endsWith('.json')).map((file) => readKept(own, file))
    return (await Promise.all(kept)).filter((each) => each !== undefined)
  }

  /** Undefined if another process has deleted it since. */
  async function readKept(own: string, file: string): Promise<Kept | undefined> {
    const whole = path.join(own, file)
    const text = await readFile(whole, 'utf8').catch(ignoring('ENOENT', undefined))
    if (text === undefined) return undefined
    const { id, body, expiresAtMs } = Object(parseJson(text)) as Partial<Record<string, unknown>>
    if (typeof id === 'string' && typeof body === 'string' && typeof expiresAtMs === 'number')
      return { entry: { id, body }, expiresAtMs }
    const { mtimeMs } = await stat(whole).catch(ignoring('ENOENT', { mtimeMs: 0 }))
    return { entry: { id: file, body: '' }, expiresAtMs: mtimeMs + UNREADABLE_MS }
  }

  const isLive = (kept: readonly Kept[]): boolean => kept.some(({ expiresAtMs }) => expiresAtMs > clock.now())

  async function write(lineage: string, { id, body }: LineageEntry, expiresAtMs: number): Promise<void> {
    const own = lineageFolder(lineage)
    await mkdir(own, { recursive: true, mode: 0o700 })
    // It may exist with other rights.
    if (((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700)
    const file = path.join(own, `${nameOf(id)}.json`)
    const draft = `${file}.${randomBytes(6).toString('hex')}`
    await writeFile(draft, JSON.stringify({ id, body, expiresAtMs }), { mode: 0o600, flag: 'wx' })
    await rename(draft, file)
  }

  return {
    read: (lineage) =>
      stored(async () => {
        const kept = await keptOf(lineage)
        return isLive(kept) ? kept.map(({ entry }) => entry) : []
      }),
    report: (lineage, entry, { ttlMs, keptMax, instead = [] }) =>
      stored(async () => {
        const kept = await keptOf(lineage)
        const isReplaced = ({ entry: { id, body } }: Kept) =>
          id !== entry.id && instead.some((each) => each.id === id && each.body === body)
        const isOver = !isLive(kept)
        const left = isOver ? [] : kept.filter((each) => !isReplaced(each) && each.entry.id !== entry.id)
        const isNew = isOver || !kept.some((each) => each.entry.id === entry.id)
        if (isNew && left.length >= keptMax) return false
        await write(lineage, entry, clock.now() + ttlMs)
        const gone = kept.filter((each) => each.entry.id !== entry.id && (isOver || isReplaced(each)))
        for (const {
          entry: { id },
        } of gone)
          await rm(path.join(lineageFolder(lineage), `${nameOf(id)}.json`), { force: true })
        return true
      }),
    dropExpired: () =>
      stored(async () => {
        const all = await readdir(folder, { withFileTypes: true }).catch(ignoring('ENOENT', []))
        for (const each of all) {
          const own = path.join(folder, each.name)
          const kept = each.isDirectory() ? await keptIn(own) : []
          if (kept.length > 0 && !isLive(kept)) await rm(own, { recursive: true, force: true })
        }
      }),
    ping: () => stored(async () => void (await mkdir(folder, { recursive: true, mode: 0o700 }))),
    close: async () => {
      isClosed = true
    },
  }
}

const ignoring =
  <T>(code: string, instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === code) return instead
    throw error
  }
