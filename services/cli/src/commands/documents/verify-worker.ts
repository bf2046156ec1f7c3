import { parentPort, workerData } from 'node:worker_threads'
import { PlimsollError } from '@plimsoll/contracts'
import { verifyPolicy, type VerifyOptions } from '@plimsoll/policy'
import type { WorkerMessage } from './verify-apart.js'

/** The message for the waiting thread; a PlimsollError keeps its code. */
function post(): WorkerMessage {
  try {
    return { report: verifyPolicy(workerData as VerifyOptions) }
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error
    return { code: error.code, message: error.message, details: error.details }
  }
}

// The rule means windows of browsers: a thread's port has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(post())
