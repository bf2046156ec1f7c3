/**
 * Counts the steps of regular expressions on a thread of its own: the profile that counts the blocks of the work would count those of
 * the counter too, and slow it down.
 */
import { MessageChannel, Worker, isMainThread, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { createStepCounter, type StepCounter } from './regexp-steps.js'

/** One call of `exec`, as the engine answered it. */
export interface ExpressionCall {
  readonly expression: number
  readonly text: number
  readonly from: number
  readonly found: readonly [start: number, end: number]
}

export interface ExpressionCalls {
  readonly expressions: readonly RegExp[]
  readonly texts: readonly string[]
  readonly calls: readonly ExpressionCall[]
  readonly stepsMax: number
}

type Answer = { readonly steps: number } | { readonly problem: string }

/** For a failure of the thread alone. */
const ANSWER_MS_MAX = 300_000

interface Thread {
  readonly port: MessagePort
  readonly answered: Int32Array
}

let thread: Thread | undefined

/** The steps of all calls together. */
export function stepsOfCalls(calls: ExpressionCalls): number {
  if (calls.calls.length === 0) return 0
  thread ??= startThread()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has none
  thread.port.postMessage(calls)
  Atomics.wait(thread.answered, 0, 0, ANSWER_MS_MAX)
  Atomics.store(thread.answered, 0, 0)
  const { message } = (receiveMessageOnPort(thread.port) ?? {}) as { readonly message?: Answer }
  if (message !== undefined && 'steps' in message) return message.steps
  throw new Error(message?.problem ?? 'the counting thread does not answer')
}

function startThread(): Thread {
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { port: port2, answered },
    transferList: [port2],
    execArgv: [],
  })
  worker.unref()
  port1.unref()
  return { port: port1, answered }
}

function answerCalls({ port, answered }: Thread): void {
  const counters = new Map<string, StepCounter>()
  const counterOf = (expression: RegExp): StepCounter => {
    const key = String(expression)
    const counter = counters.get(key) ?? createStepCounter(expression)
    counters.set(key, counter)
    return counter
  }
  port.on('message', ({ expressions, texts, calls, stepsMax }: ExpressionCalls) => {
    let steps = 0
    let problem: string | undefined
    for (const call of calls) {
      const expression = expressions[call.expression] ?? /(?:)/
      const counted = counterOf(expression)(texts[call.text] ?? '', call.from, stepsMax - steps)
      steps += counted.steps
      if (steps > stepsMax) problem ??= `more than ${stepsMax} steps, at ${String(expression)}`
      else if (String(counted.found) !== String(call.found))
        problem ??= `${String(expression)} is counted to ${String(counted.found)}, and matches at ${String(call.found)}`
      if (problem !== undefined) break
    }
    port.postMessage(problem === undefined ? { steps } : { problem })
    Atomics.store(answered, 0, 1)
    Atomics.notify(answered, 0)
  })
}

if (!isMainThread) {
  const given = workerData as Partial<Thread> | null
  if (given?.port !== undefined && given.answered !== undefined) answerCalls(given as Thread)
}
