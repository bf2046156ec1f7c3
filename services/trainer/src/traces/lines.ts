import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { PlimsollError } from '@plimsoll/contracts'

/** The longest line, in characters; a recorded session is about a tenth of it. */
export const LINE_CHARS_MAX = 4_000_000

/**
 * The lines of a file, gunzipped where its name ends in `.gz`, never more than one chunk and one line in memory. `onBytes` is told
 * of each chunk read from the disk.
 *
 * @throws PlimsollError `traces_invalid` where the file cannot be read or a line is longer than `LINE_CHARS_MAX`
 */
export async function* readLines(
  file: string,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<string> {
  const source = createReadStream(file).on('data', (chunk) => onBytes(chunk.length))
  // pipeline hands an error of the source on to the reader, and closes the file when the reader leaves early.
  const text = file.endsWith('.gz') ? pipeline(source, createGunzip(), () => {}) : source
  text.setEncoding('utf8')
  let rest = ''
  let whole = 0
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > LINE_CHARS_MAX)
        throw new RangeError(`a line is longer than ${LINE_CHARS_MAX} characters`)
      whole += lines.length
      yield* lines
    }
  } catch (cause) {
    const place = whole > 0 ? ` after line ${whole}` : ''
    const problem = `\`${file}\` cannot be read${place}: ${reasonOf(cause)}`
    throw new PlimsollError('traces_invalid', problem, { cause })
  }
  if (rest !== '') yield rest
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
