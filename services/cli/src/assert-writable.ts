import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'

/** What takes a while tells before, not after, that its result cannot be written. Throws `usage_invalid`. */
export async function assertWritable(file: string): Promise<void> {
  try {
    const there = await stat(file).catch(() => undefined)
    if (there?.isDirectory()) throw new RangeError('it is a folder')
    // A file is replaced, which is up to its folder; what is none, as /dev/stdout, is written to.
    const isReplaced = there === undefined || there.isFile()
    // The trailing slash: what is no folder holds no file.
    await access(isReplaced ? `${path.dirname(path.resolve(file))}${path.sep}` : file, constants.W_OK)
  } catch (cause) {
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
  }
}
