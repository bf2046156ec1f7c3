import { stat } from 'node:fs/promises'

/** Whether files can be read more than once: a pipe, or what comes on stdin, is read once. */
export async function areReadAgain(files: readonly string[]): Promise<boolean> {
  const stats = await Promise.all(files.map((file) => stat(file)))
  return stats.every((each) => each.isFile())
}
