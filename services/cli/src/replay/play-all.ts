import { PlimsollError } from '@plimsoll/contracts'
import { foldOf, readTraces, type ReadProgress, type Trace } from '@plimsoll/trainer'

export interface Selection {
  readonly files: readonly string[]
  /** Sessions of this fold alone. */
  readonly fold: number | undefined
  readonly limit: number | undefined
}

/** The selected sessions, one at a time. Throws `traces_invalid` where the files hold none at all. */
export async function* selectTraces(
  { files, fold, limit = Infinity }: Selection,
  onProgress: (progress: ReadProgress) => void,
): AsyncGenerator<Trace, void, void> {
  let selected = 0
  let read = 0
  for await (const trace of readTraces(files, onProgress)) {
    read++
    if (fold !== undefined && foldOf(trace) !== fold) continue
    if (selected++ >= limit) return
    yield trace
  }
  if (read === 0) throw new PlimsollError('traces_invalid', 'there is no session in the files')
}

/** Has `play` take the traces, `concurrency` at a time; rejects with its first error once none is under way. */
export async function playAll(
  traces: AsyncGenerator<Trace, void, void>,
  concurrency: number,
  play: (trace: Trace) => Promise<void>,
): Promise<void> {
  const failure = new AbortController()
  const worker = async (): Promise<void> => {
    try {
      while (!failure.signal.aborted) {
        const next = await traces.next()
        if (next.done) return
        await play(next.value)
      }
    } catch (error) {
      failure.abort()
      throw error
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, worker))
  await traces.return()
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
