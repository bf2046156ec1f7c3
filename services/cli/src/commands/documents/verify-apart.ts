import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { PlimsollError, type ErrorCode } from '@plimsoll/contracts'
import type { VerificationReport, VerifyOptions } from '@plimsoll/policy'

/** The message of the thread: its report, or the error of the documents. */
export type WorkerMessage =
  | { readonly report: VerificationReport }
  | {
      readonly code: ErrorCode
      readonly message: string
      readonly details: Readonly<Record<string, unknown>>
    }

/**
 * Verifies in its own thread, since the search blocks its thread. Undefined if `signal` ended it first. Rejects with
 * `document_invalid` as `verifyPolicy` throws it.
 */
export async function verifyApart(
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<VerificationReport | undefined> {
  const worker = new Worker(new URL('./verify-worker.js', import.meta.url), { workerData: options })
  try {
    const [reported] = (await once(worker, 'message', { signal })) as [WorkerMessage]
    if ('report' in reported) return reported.report
    throw new PlimsollError(reported.code, reported.message, { details: { ...reported.details } })
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    await worker.terminate()
  }
}
