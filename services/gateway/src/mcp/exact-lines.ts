import { Transform } from 'node:stream'
import { PlimsollError, parseJson } from '@plimsoll/contracts'
import { assertExact } from '../http/exact-json.js'

export interface ExactLinesOptions {
  /** Longest line that is held, bytes. Longer ones are passed on unchecked: the reader closes the connection. */
  readonly lineBytesMax: number
  /** Called for each refused line, with the `id` of its request if it has one. */
  readonly onRefused: (id: string | number | null, message: string) => void
}

const NEWLINE = 0x0a

/** Passes on lines of JSON except those that `assertExact` refuses. */
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
  const { id } = Object(parseJson(line.toString('utf8'))) as { readonly id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
