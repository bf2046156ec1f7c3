import { PlimsollError } from '@plimsoll/contracts'

/** What `work` comes to. Rejects with `closed` and `message` when `signal` aborts before. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, message: string): Promise<T> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new PlimsollError('closed', message))
  })
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
