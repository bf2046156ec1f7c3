import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'

/** Checks before long work that its result can be written. Throws `usage_invalid`. */
export async function assertWritable(file: string): Promise<void> {
  try {
    const there = await stat(file).catch(() => undefined)
    if (there?.isDirectory()) throw new RangeError('it is a folder')
    // Replacing a file needs its folder; others, such as /dev/stdout, are written in place.
    const isReplaced = there === undefined || there.isFile()
    // With the trailing slash a path that is no folder fails.
    await access(isReplaced ? `${path.dirname(path.resolve(file))}${path.sep}` : file, constants.W_OK)
  } catch (cause) {
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
  }
}
