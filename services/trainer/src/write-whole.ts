import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'

/**
 * Writes a file so that it is there whole or as it was before, whenever the process ends: beside it first, and then in its place. What is
 * no file, as /dev/stdout, is written to as it is.
 *
 * @throws PlimsollError `usage_invalid` where it cannot be written
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`
  try {
    if (!(await isReplaceable(file))) return await writeFile(file, text)
    await writeFile(partial, text)
    await rename(partial, file)
  } catch (cause) {
    await rm(partial, { force: true })
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
  }
}

async function isReplaceable(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found === undefined || found.isFile()
}
