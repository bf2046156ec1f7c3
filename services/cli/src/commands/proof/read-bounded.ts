import { readFile, stat } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { RECEIPT_BYTES_MAX } from '@plimsoll/proof'

/** The text of a receipt or a checkpoint. Rejects with `document_invalid` if it is larger than a receipt can be, or cannot be read. */
export async function readBounded(file: string): Promise<string> {
  let size: number
  try {
    ;({ size } = await stat(file))
    if (size <= RECEIPT_BYTES_MAX) return await readFile(file, 'utf8')
  } catch (cause) {
    throw new PlimsollError('document_invalid', `\`${file}\` cannot be read`, { cause })
  }
  throw new PlimsollError(
    'document_invalid',
    `\`${file}\` has ${size} bytes: a receipt has at most ${RECEIPT_BYTES_MAX}`,
  )
}
