import { PlimsollError } from '@plimsoll/contracts'
import { pause } from '@plimsoll/runtime'

/** How long is waited for room before it is tried again, milliseconds. */
const WAIT_MS = 100

/**
 * Does `work`, again and again while the client has no room for what it sends, until the abort; `onFull` is told each time. Undefined
 * where the abort came first. Rejects with any other error.
 */
export async function whenRoom<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onFull: () => void,
): Promise<T | undefined> {
  while (!signal.aborted)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PlimsollError && error.code === 'queue_full')) throw error
      onFull()
      await pause(WAIT_MS, signal)
    }
  return undefined
}
