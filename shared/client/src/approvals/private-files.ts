import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseJson } from '@plimsoll/contracts'

/** Writes a file, whole at once, that only this user can read, in a folder that only this user can open. */
export async function writePrivate(file: string, value: object): Promise<void> {
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // It may exist with other rights.
  await chmod(folder, 0o700)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, JSON.stringify(value), { mode: 0o600, flag: 'wx' })
  await rename(draft, file)
}

/** The object in a JSON file; undefined where there is none. Nothing is known of its members. */
export async function readObject(file: string): Promise<object | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const value = text === undefined ? undefined : parseJson(text)
  return typeof value === 'object' && value !== null ? value : undefined
}
