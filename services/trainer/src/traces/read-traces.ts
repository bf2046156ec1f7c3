import { stat } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { readLines } from './lines.js'
import { traceSchema, type Trace } from './trace.js'

/** How far reading has come, over all files. */
export interface ReadProgress {
  /** The file being read. */
  readonly file: string
  /** Bytes on the disk: read so far, and of all files; of a pipe nobody knows how many come. */
  readonly bytesRead: number
  readonly bytesTotal: number
  readonly traces: number
  readonly steps: number
}

/**
 * Recorded sessions from JSON lines, file after file, one at a time. Blank lines are passed over.
 *
 * @throws PlimsollError `traces_invalid`, naming the file and the line
 */
export async function* readTraces(
  files: readonly string[],
  onProgress: (progress: ReadProgress) => void = () => {},
): AsyncGenerator<Trace> {
  const bytesTotal = await totalBytes(files)
  let bytesRead = 0
  let traces = 0
  let steps = 0
  for (const file of files) {
    let line = 0
    for await (const text of readLines(file, (bytes) => (bytesRead += bytes))) {
      line++
      if (text.trim() === '') continue
      const trace = parseTrace(text, `\`${file}\` line ${line}`)
      steps += trace.steps.length
      yield trace
      if (++traces % REPORT_EVERY === 0) onProgress({ file, bytesRead, bytesTotal, traces, steps })
    }
    onProgress({ file, bytesRead, bytesTotal, traces, steps })
  }
}

/** Sessions between two reports of progress. */
const REPORT_EVERY = 256

async function totalBytes(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file).catch((cause: unknown) => {
        throw new PlimsollError('traces_invalid', `\`${file}\` cannot be read`, { cause })
      })
      return found.size
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

function parseTrace(text: string, where: string): Trace {
  const result = traceSchema.safeParse(parseJson(text, where))
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'trace'}: ${message}`)
  throw new PlimsollError('traces_invalid', `${where}: ${problems.slice(0, 5).join('; ')}`)
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new PlimsollError('traces_invalid', `${where}: not JSON`, { cause })
  }
}
