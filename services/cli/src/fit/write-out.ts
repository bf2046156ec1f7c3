import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'

/** A bundle takes the place of the one before it whole, or not at all. */
export { writeWhole as writeOut } from '@plimsoll/trainer'

/** Fitting takes a while: that its result cannot be written is told before, not after. Throws `usage_invalid`. */
export async function assertWritable(file: string): Promise<void> {
  await access(path.dirname(path.resolve(file)), constants.W_OK).catch((cause: unknown) => {
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
  })
}
