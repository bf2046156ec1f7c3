import { lstat, readFile } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { createTwoFilesPatch } from 'diff'
import { failureText } from '../../format/text.js'

const BOM = '\uFEFF'

/** A client's file, and the copy beside it of what it was before Plimsoll. Texts are without their byte-order mark. */
export interface KeptFile {
  readonly file: string
  /** Undefined if there is no file. */
  readonly text: string | undefined
  /** The byte-order mark of the file, or nothing. */
  readonly mark: string
  readonly copyFile: string
  readonly copy: string | undefined
}

/** Rejects with `usage_invalid` if a file cannot be read, or the copy is a link. */
export async function readWithCopy(file: string, suffix: string): Promise<KeptFile> {
  const copyFile = `${file}${suffix}`
  // A project may come with a link to another configuration of the user, which the copy would replace.
  if ((await lstat(copyFile).catch(() => undefined))?.isSymbolicLink() === true)
    throw new PlimsollError('usage_invalid', `\`${copyFile}\` is a link: remove it`)
  const [given, copy] = await Promise.all([textIn(file), textIn(copyFile)])
  const mark = given?.startsWith(BOM) === true ? BOM : ''
  return { file, text: unmarked(given), mark, copyFile, copy: unmarked(copy) }
}

const unmarked = (text: string | undefined): string | undefined =>
  text?.startsWith(BOM) === true ? text.slice(BOM.length) : text

/** Undefined if there is no file. Rejects with `usage_invalid` if it cannot be read. */
export const textIn = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be read: ${failureText(cause)}`, { cause })
  })

/** The changed lines, without the header of a patch and without the carriage returns of Windows. */
export const diffOf = (file: string, before: string, after: string): string =>
  createTwoFilesPatch(file, file, before, after, '', '', { context: 1 })
    .split('\n')
    .slice(4)
    .map((line) => line.replace(/\r$/, ''))
    .join('\n')
