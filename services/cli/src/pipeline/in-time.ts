import { PlimsollError } from '@plimsoll/contracts'

/** How long it may take until topics are read, milliseconds: Kafka lets a new group wait 3 s for more members. */
const JOIN_MS_MAX = 30_000

/**
 * Awaits what `start` begins, which a log that is away would let wait without end. Rejects with `log_unavailable`, naming the
 * `topics`, after `JOIN_MS_MAX`. The signal that `start` is given is that of the whole time: it outlives the start, and then only `signal` aborts it.
 */
export async function inTime<T>(
  signal: AbortSignal,
  topics: readonly string[],
  start: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), JOIN_MS_MAX)
  try {
    return await start(AbortSignal.any([signal, timeout.signal]))
  } catch (error) {
    if (!timeout.signal.aborted) throw error
    const names = topics.map((topic) => `\`${topic}\``).join(' and ')
    const message = `${names} could not be read within ${JOIN_MS_MAX / 1000} s; nothing was published`
    throw new PlimsollError('log_unavailable', message, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
