import { open, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { PlimsollError, formatIssues, parseJson } from '@plimsoll/contracts'
import { z } from 'zod'
import { offsetSchema } from '../tree/checkpoint.js'
import { treeNameSchema } from '../tree/names.js'

const EXTENSION = '.ndjson'
const LOCK = 'lock'
const PROGRESS = 'progress.json'

/** The file of a tree in a folder of proofs. */
export const fileOf = (folder: string, tree: string): string => path.join(folder, `${tree}${EXTENSION}`)

/** The trees that have a file. Empty if there is no folder. */
export async function treesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.endsWith(EXTENSION))
    .map((name) => name.slice(0, -EXTENSION.length))
    .filter((name) => treeNameSchema.safeParse(name).success)
    .toSorted()
}

/** Folders that this process has locked. */
const held = new Set<string>()

const lockSchema = z.object({ pid: z.int().min(1), host: z.string() })

/**
 * Makes the folder if it is missing, and keeps others from writing in it until `release`. Rejects with `contended` if another process
 * writes there: the lock of a killed process counts no more.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const own = path.resolve(folder)
  const file = path.join(own, LOCK)
  try {
    await mkdir(own, { recursive: true, mode: 0o700 })
    if (held.has(own)) throw contended(folder, process.pid)
    held.add(own)
    await takeLock(folder, file)
  } catch (cause) {
    if (cause instanceof PlimsollError) throw cause
    held.delete(own)
    throw new PlimsollError('config_invalid', `the folder \`${folder}\` cannot be written`, { cause })
  }
  return async () => {
    await rm(file, { force: true })
    held.delete(own)
  }
}

async function takeLock(folder: string, file: string): Promise<void> {
  const content = JSON.stringify({ pid: process.pid, host: hostname() })
  // Twice: the lock of a killed process is removed in between.
  for (const isLast of [false, true]) {
    try {
      return await writeFile(file, content, { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const { data: owner } = lockSchema.safeParse(parseJson(await readFile(file, 'utf8').catch(() => '')))
    if (isLast || (owner && isAlive(owner))) {
      held.delete(path.dirname(file))
      throw contended(folder, owner?.pid)
    }
    await rm(file, { force: true })
  }
}

/** A process on another host cannot be seen. One with our number is gone: we have it now, as after a restart of a container. */
function isAlive({ pid, host }: z.infer<typeof lockSchema>): boolean {
  if (host !== hostname()) return true
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // There is one, of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const contended = (folder: string, pid: number | undefined): PlimsollError =>
  new PlimsollError(
    'contended',
    `process ${pid ?? 'unknown'} writes in \`${folder}\`: stop it first; if it is gone, remove \`${path.join(folder, LOCK)}\``,
  )

const progressSchema = z.strictObject({
  schema: z.literal(1),
  next: z.record(z.string(), z.record(z.string().regex(/^\d{1,7}$/), offsetSchema)),
  signed: z.record(treeNameSchema, z.int().min(1)).describe('Entries under the last checkpoint, by tree.'),
})

/**
 * How far a recorder has read. It saves reading from the beginning, no more: what the files have is never entered again. With it a recorder
 * notices that a file was cut.
 */
export interface Progress {
  /** By topic and partition, where reading goes on. */
  readonly next: ReadonlyMap<string, ReadonlyMap<number, bigint>>
  readonly signed: ReadonlyMap<string, number>
}

/** Rejects with `record_invalid` if it is damaged. */
export async function readProgress(folder: string): Promise<Progress> {
  const file = path.join(folder, PROGRESS)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return { next: new Map(), signed: new Map() }
  const { data, error } = progressSchema.safeParse(parseJson(text))
  if (error)
    throw new PlimsollError(
      'record_invalid',
      `\`${file}\`: ${formatIssues(error, 'file', 3)}: remove it, and the topics are read from their beginning`,
    )
  const next = Object.entries(data.next).map(
    ([topic, partitions]) =>
      [
        topic,
        new Map(
          Object.entries(partitions).map(([partition, at]) => [Number(partition), BigInt(at)] as const),
        ),
      ] as const,
  )
  return { next: new Map(next), signed: new Map(Object.entries(data.signed)) }
}

/** Replaces what was there, whole. */
export async function writeProgress(folder: string, { next, signed }: Progress): Promise<void> {
  const file = path.join(folder, PROGRESS)
  const partitionsOf = (partitions: ReadonlyMap<number, bigint>) =>
    Object.fromEntries([...partitions].map(([partition, at]) => [partition, String(at)]))
  const content = {
    schema: 1,
    next: Object.fromEntries([...next].map(([topic, partitions]) => [topic, partitionsOf(partitions)])),
    signed: Object.fromEntries(signed),
  }
  await replaceFile(file, JSON.stringify(content))
}

async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.draft`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  await syncFolder(path.dirname(file))
}

/** Names of new files survive a loss of power from here on. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  // Windows does not sync folders.
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
