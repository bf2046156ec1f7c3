import { existsSync } from 'node:fs'
import { rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'
import { failureText } from '../../../format/text.js'
import { readWithCopy } from '../kept-copy.js'
import { replaceFile } from '../replace-file.js'
import {
  type HookEntries,
  type IsOwn,
  assertHooks,
  bareText,
  hasEntries,
  hasOwn,
  withEntries,
} from './json-entries.js'

/** A file of a client with hooks: entries among others, or a file that is Plimsoll's alone. */
export type HookFile =
  | ({ readonly kind: 'entries'; readonly file: string } & HookEntries)
  | { readonly kind: 'own'; readonly file: string; readonly text: string; readonly mode: number }

/** A change of a file. Texts are undefined where there is no file. */
export interface FileChange {
  readonly file: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** The byte-order mark of the file, or nothing. */
  readonly mark: string
  /** The mode of a new file. */
  readonly mode: number
  readonly copyFile: string
  /** The copy of the file as it is without hooks; undefined if none is needed. */
  readonly copy: string | undefined
}

/** `mcp wrap` keeps a copy of its own, which may be of the same file. */
const COPY_SUFFIX = '.plimsoll-hooks-backup'
const PRIVATE_MODE = 0o600

/**
 * What installs the hooks of a file. `created`: the files that Plimsoll has made. Rejects with `document_invalid` if the file is not what
 * the client reads, and with `usage_invalid` if it cannot be read, or is the user's where it must be Plimsoll's.
 */
export async function planInstall(
  hookFile: HookFile,
  isOwn: IsOwn,
  created: ReadonlySet<string>,
): Promise<FileChange> {
  const { file } = hookFile
  const { text: before, mark, copyFile, copy } = await readWithCopy(file, COPY_SUFFIX)
  const change = { file, before, mark, copyFile }
  if (hookFile.kind === 'own') {
    if (before !== undefined && !isOwn(before))
      throw new PlimsollError(
        'usage_invalid',
        `\`${file}\` is not Plimsoll's: move it, or install the hook elsewhere (with or without \`--project\`)`,
      )
    return { ...change, after: hookFile.text, mode: hookFile.mode, copy: undefined }
  }
  const events = Object.keys(hookFile.entries)
  assertHooks(before ?? '', file, events)
  if (copy !== undefined) assertHooks(copy, copyFile, events)
  if (before !== undefined && hasEntries(before, hookFile, isOwn))
    return { ...change, after: before, mode: PRIVATE_MODE, copy }
  const original = { copy, isCreated: created.has(file) }
  const bare = before === undefined ? undefined : bareText(before, hookFile, isOwn, original)
  return { ...change, after: withEntries(bare ?? '', hookFile), mode: PRIVATE_MODE, copy: bare }
}

/** What removes the hooks of a file. `created`: the files that Plimsoll has made. Rejects as `planInstall`. */
export async function planUninstall(
  hookFile: HookFile,
  isOwn: IsOwn,
  created: ReadonlySet<string>,
): Promise<FileChange> {
  const { file } = hookFile
  const { text: before, mark, copyFile, copy } = await readWithCopy(file, COPY_SUFFIX)
  const change = { file, before, mark, copyFile, mode: PRIVATE_MODE, copy: undefined }
  if (before === undefined) return { ...change, after: before }
  if (hookFile.kind === 'own') return { ...change, after: isOwn(before) ? undefined : before }
  assertHooks(before, file, [])
  if (!hasOwn(before, isOwn)) return { ...change, after: before }
  if (copy !== undefined) assertHooks(copy, copyFile, Object.keys(hookFile.entries))
  const original = { copy, isCreated: created.has(file) }
  return { ...change, after: bareText(before, hookFile, isOwn, original) }
}

/** Whether there is something to write. */
export const isChanged = ({ before, after }: FileChange): boolean => before !== after

/** Writes a change, its copy first. Rejects with `usage_invalid` if a file cannot be written. */
export async function applyChange({ file, after, mark, mode, copyFile, copy }: FileChange): Promise<void> {
  if (copy !== undefined) await replaceFile(copyFile, mark + copy, (await stat(file)).mode & 0o777)
  if (after === undefined) await removeFile(file)
  else await replaceFile(file, mark + after, mode)
  if (copy === undefined) await rm(copyFile, { force: true })
}

const removeFile = (file: string): Promise<void> =>
  rm(file).catch((cause: unknown) => {
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be removed: ${failureText(cause)}`, {
      cause,
    })
  })

/** The file and the folders that a change makes, folders first. */
export function createdBy({ file, before }: FileChange): readonly string[] {
  if (before !== undefined) return []
  const missing = [file]
  for (let folder = path.dirname(file); !existsSync(folder); folder = path.dirname(folder))
    missing.unshift(folder)
  return missing
}

/** Removes those of the folders that are empty. */
export async function removeEmptyFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toSorted((a, b) => b.length - a.length))
    await rmdir(folder).catch(() => undefined)
}
