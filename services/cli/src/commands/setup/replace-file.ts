import { randomBytes } from 'node:crypto'
import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'
import { failureText } from '../../format/text.js'

/** Mode of a new file: configurations hold keys. */
const NEW_FILE_MODE = 0o600

/**
 * Replaces a file at once, or makes it with its folder: readers see the old text or the new one. Keeps the mode, and writes through a link
 * to the file that it names. Throws `usage_invalid` if it cannot be written.
 */
export async function replaceFile(file: string, text: string, modeOfNew = NEW_FILE_MODE): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const draft = `${target}.${randomBytes(4).toString('hex')}.tmp`
  try {
    await mkdir(path.dirname(target), { recursive: true })
    const mode = await stat(target)
      .then(({ mode }) => mode & 0o777)
      .catch(() => modeOfNew)
    const handle = await open(draft, 'wx', mode)
    try {
      // The mask of the process has narrowed it.
      await handle.chmod(mode)
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, target)
  } catch (cause) {
    await rm(draft, { force: true })
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written: ${failureText(cause)}`, {
      cause,
    })
  }
}
