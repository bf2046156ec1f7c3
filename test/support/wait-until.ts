import { setTimeout as sleep } from 'node:timers/promises'

export interface WaitOptions {
  /** Ends the wait with an error; 30 s by default. */
  readonly timeoutMs?: number
  /** Between two attempts; 25 ms by default. */
  readonly everyMs?: number
  /** The reason to stop waiting, checked after each attempt; undefined to go on. */
  readonly hopeless?: () => Promise<string | undefined> | string | undefined
}

/** Resolves once `probe` says true. A probe that rejects counts as false; the last such error is the cause of the timeout. */
export async function waitUntil(
  what: string,
  probe: () => Promise<boolean> | boolean,
  options: WaitOptions = {},
): Promise<void> {
  const { timeoutMs = 30_000, everyMs = 25, hopeless } = options
  const deadline = performance.now() + timeoutMs
  let cause: unknown
  for (;;) {
    try {
      if (await probe()) return
    } catch (error) {
      cause = error
    }
    const reason = await hopeless?.()
    if (reason !== undefined) throw new Error(`${what}: ${reason}`, { cause })
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`, { cause })
    await sleep(everyMs)
  }
}
