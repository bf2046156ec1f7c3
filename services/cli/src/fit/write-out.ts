import { access, constants, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'

/** Fitting takes a while: that its result cannot be written is told before, not after. Throws `usage_invalid`. */
export async function assertWritable(file: string): Promise<void> {
  await access(path.dirname(path.resolve(file)), constants.W_OK).catch(unwritable(file))
}

export async function writeOut(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch(unwritable(file))
}

const unwritable = (file: string) => (cause: unknown) => {
  throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
}
