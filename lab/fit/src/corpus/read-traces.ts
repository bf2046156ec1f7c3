import { createReadStream, readdirSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { PlimsollError, formatIssues, parseJson } from '@plimsoll/contracts'
import { fileProblem } from '@plimsoll/policy'
import { type Trace, traceSchema } from './trace.js'

/** The longest line, in characters; a recorded session is about a tenth of it. */
export const LINE_CHARS_MAX = 4_000_000

/**
 * The lines of a file, gunzipped where its name ends in `.gz`, never more than one chunk and one line in memory. `onBytes` gets
 * the size of each chunk read from the disk.
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
    const problem = `\`${file}\` cannot be read${place}: ${fileProblem(cause)}`
    throw new PlimsollError('traces_invalid', problem, { cause })
  }
  if (rest !== '') yield rest
}

/** How far reading has come, over all files. */
export interface ReadProgress {
  /** The file being read. */
  readonly file: string
  /** Bytes on the disk: read so far, and of all files; 0 for a pipe. */
  readonly bytesRead: number
  readonly bytesTotal: number
  readonly traces: number
  readonly steps: number
}

/**
 * Recorded sessions from JSON lines, file after file, one at a time. Blank lines are skipped.
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

/** For files that hold no session at all. */
export const noSessionError = (files: readonly string[]): PlimsollError =>
  new PlimsollError(
    'traces_invalid',
    `there is no session in ${files.map((file) => `\`${file}\``).join(', ')}: expected a JSON object a line`,
  )

/** Sessions between two reports of progress. */
const REPORT_EVERY = 256

async function totalBytes(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file).catch((cause: unknown) => {
        throw new PlimsollError('traces_invalid', `\`${file}\` cannot be read: ${fileProblem(cause)}`, {
          cause,
        })
      })
      return found.size
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

function parseTrace(text: string, where: string): Trace {
  const value = parseJson(text)
  if (value === undefined)
    throw new PlimsollError(
      'traces_invalid',
      `${where}: not JSON: expected recorded sessions, a JSON object a line`,
    )
  const result = traceSchema.safeParse(value)
  if (result.success) return result.data
  throw new PlimsollError('traces_invalid', `${where}: ${formatIssues(result.error, 'trace', 5)}`)
}

/**
 * The folder of recorded sessions: `PLIMSOLL_TRACES`, else `../shared/traces` seen from the project's root (not the project's own
 * `shared/`). Undefined where there is no such folder.
 */
export function findTraces(
  env: Readonly<Record<string, string | undefined>>,
  projectRoot: string,
): string | undefined {
  const folder = resolve(projectRoot, env['PLIMSOLL_TRACES'] || '../shared/traces')
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined
}

/** The files of recorded sessions in `folder`, `*.jsonl` and `*.jsonl.gz`, by name. */
export function traceFilesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /\.jsonl(\.gz)?$/.test(name))
  return names.sort().map((name) => join(folder, name))
}

/** Whether files can be read more than once: a pipe, or what comes on stdin, is read once. */
export async function areReadAgain(files: readonly string[]): Promise<boolean> {
  const stats = await Promise.all(files.map((file) => stat(file)))
  return stats.every((each) => each.isFile())
}

/** The values of `source` until `signal` aborts; then it throws the signal's reason. */
export async function* stoppable<T>(source: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  for await (const value of source) {
    signal?.throwIfAborted()
    yield value
  }
}
