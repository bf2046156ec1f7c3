import { Transform } from 'node:stream'
import { PlimsollError } from '@plimsoll/contracts'
import { assertExact } from './exact-json.js'

export interface ExactLinesOptions {
  /** The longest line that is held, bytes; of longer ones nothing is held, anyone who reads them cuts them off. */
  readonly lineBytesMax: number
  /** Told of each line that is kept back: the `id` of its request, where it has one, and why. */
  readonly onRefused: (id: string | number | null, message: string) => void
}

const NEWLINE = 0x0a

/** Lines of JSON as they came, but for those that would be read as something else than was sent. */
export function createExactLines({ lineBytesMax, onRefused }: ExactLinesOptions): Transform {
  let held: Buffer[] = []
  let bytes = 0

  function take(part: Buffer, stream: Transform): void {
    held.push(part)
    bytes += part.length
    if (part.at(-1) !== NEWLINE && bytes <= lineBytesMax) return
    const line = held.length === 1 ? part : Buffer.concat(held)
    held = []
    bytes = 0
    const problem = line.length > lineBytesMax ? undefined : problemOf(line)
    if (problem === undefined) stream.push(line)
    else onRefused(idIn(line), problem)
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let start = 0; start < chunk.length;) {
        const end = chunk.indexOf(NEWLINE, start)
        const next = end < 0 ? chunk.length : end + 1
        take(chunk.subarray(start, next), this)
        start = next
      }
      done()
    },
  })
}

function problemOf(line: Buffer): string | undefined {
  try {
    assertExact(line)
    return undefined
  } catch (error) {
    if (error instanceof PlimsollError) return error.message
    throw error
  }
}

function idIn(line: Buffer): string | number | null {
  try {
    const { id } = JSON.parse(line.toString('utf8')) as { readonly id?: unknown }
    return typeof id === 'string' || typeof id === 'number' ? id : null
  } catch {
    return null
  }
}
