import { open } from 'node:fs/promises'

/** A line has one record of the log, at most 1 MiB by Kafka's default, written as JSON. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024

const CHUNK_BYTES = 256 * 1024
const LINE_FEED = 10

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A line without its line feed. */
export interface Line {
  /** From 1. */
  readonly number: number
  /** Undefined if it is not UTF-8, or too long. */
  readonly text: string | undefined
  readonly isTooLong: boolean
  /** Whether a line feed ends it. The last may lack one, and a line that is too long has none. */
  readonly isWhole: boolean
  /** Bytes of the file up to its end. */
  readonly end: number
}

/** The lines of a file, up to the first that is longer than `LINE_BYTES_MAX`. Rejects with what the system answers. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  const handle = await open(file, 'r')
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    let parts: Buffer[] = []
    let bytes = 0
    let number = 0
    let end = 0
    const lineOf = (isWhole: boolean): Line => {
      const isTooLong = bytes > LINE_BYTES_MAX
      const text = isTooLong ? undefined : textOf(Buffer.concat(parts))
      parts = []
      bytes = 0
      return { number: ++number, text, isTooLong, isWhole, end }
    }
    const keep = (part: Buffer) => {
      bytes += part.length
      end += part.length
      // The chunk is written over.
      parts.push(Buffer.from(part))
    }
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES)
      if (bytesRead === 0) break
      let from = 0
      while (from < bytesRead) {
        const at = chunk.subarray(0, bytesRead).indexOf(LINE_FEED, from)
        keep(chunk.subarray(from, at < 0 ? bytesRead : at))
        if (bytes > LINE_BYTES_MAX) return yield lineOf(false)
        if (at < 0) break
        end++
        yield lineOf(true)
        from = at + 1
      }
    }
    if (bytes > 0) yield lineOf(false)
  } finally {
    await handle.close()
  }
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
