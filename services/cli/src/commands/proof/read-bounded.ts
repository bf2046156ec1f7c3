import { readFile, stat } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { RECEIPT_BYTES_MAX } from '@plimsoll/proof'

/** The text of a receipt or a checkpoint. Rejects with `document_invalid` if there is no such file, or it is larger than a receipt can be. */
export async function readBounded(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined)
  // A pipe or a device may have no end.
  if (!found?.isFile()) throw new PlimsollError('document_invalid', `there is no file \`${file}\``)
  if (found.size <= RECEIPT_BYTES_MAX) return readFile(file, 'utf8')
  throw new PlimsollError(
    'document_invalid',
    `\`${file}\` has ${found.size} bytes: a receipt has at most ${RECEIPT_BYTES_MAX}`,
  )
}
