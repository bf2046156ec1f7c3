import { stat } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'

/**
 * Rejects with `config_invalid` unless this user owns the file or folder, and others lack the rights `denied`. Windows has no such rights.
 *
 * @param denied mode bits, such as 0o077
 * @param advice what to do, for the message
 */
export async function assertOwn(file: string, denied: number, advice: string): Promise<void> {
  const { uid, mode } = await stat(file)
  const user = process.getuid?.()
  if (user === undefined || (uid === user && (mode & denied) === 0)) return
  throw new PlimsollError('config_invalid', `\`${file}\` is not yours alone: ${advice}`)
}
