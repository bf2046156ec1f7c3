import { readSync } from 'node:fs'
import { REQUEST_BYTES_MAX } from '../settings.js'

/** All of standard input. Throws if it is longer than a request may be. */
export function readInput(): string {
  const parts: Buffer[] = []
  let length = 0
  for (;;) {
    const part = Buffer.allocUnsafe(65_536)
    const count = readPart(part)
    if (count === 0) return Buffer.concat(parts).toString('utf8')
    length += count
    if (length > REQUEST_BYTES_MAX) throw new Error(`the event is longer than ${REQUEST_BYTES_MAX} bytes`)
    parts.push(part.subarray(0, count))
  }
}

/** Bytes read; 0 at the end. A client may hand over a pipe that does not block. */
function readPart(part: Buffer): number {
  for (;;) {
    try {
      return readSync(0, part)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EOF') return 0
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
}
