import { LIMITS } from '@plimsoll/engine'
import { createBackoff } from '@plimsoll/runtime'
import type { Answer } from '../answer.js'
import { type Timers, type Wait, createWait } from '../wait.js'

/** Bounds of the pause before asking again about calls that are not open here: another process has them, or they are over. */
const PAUSE = { firstMs: 10, maxMs: 1_000 } as const

export interface OpenCallTerms {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** How often the same proposal has waited before. */
  readonly attempt: number
}

export type OpenCalls = ReturnType<typeof createOpenCalls>

/** The calls of one session that were proposed here and are not over, for proposals that must wait for them. */
export function createOpenCalls(timers: Timers) {
  const open = new Set<string>()
  /** By wait, the calls that it still waits for. */
  const waits = new Map<Wait<boolean>, Set<string>>()
  const roomless = new Set<Wait<boolean>>()

  function over(callId: string): void {
    if (!open.delete(callId)) return
    release()
    for (const [wait, left] of waits) if (left.delete(callId) && left.size === 0) wait.answer(true)
  }

  function release(): void {
    let room = LIMITS.liveCallsMax - open.size
    for (const wait of roomless) {
      if (room-- <= 0) return
      roomless.delete(wait)
      wait.answer(true)
    }
  }

  /** Undefined after the timeout. */
  function waitFor(isOpenHere: boolean, { timeoutMs, signal, attempt }: OpenCallTerms) {
    signal?.throwIfAborted()
    if (timeoutMs <= 0) return undefined
    const ms = isOpenHere ? timeoutMs : Math.min(timeoutMs, pauseMs(attempt))
    return createWait<boolean>({ timers, signal, timeoutMs: ms, onTimeout: () => !isOpenHere })
  }

  return {
    opened: (callId: string): void => void open.add(callId),
    /** Notes that a call is completed or will never run. */
    over,
    /** Notes that a call is over if `answer` does not let it run. */
    answered: ({ callId, mayRun, verdict }: Answer): void => {
      if (!mayRun && verdict !== 'confirm') over(callId)
    },
    /**
     * Resolves with true once those of `callIds` that are open here are over, or with false after `timeoutMs`. If none is open here,
     * resolves with true after a pause. Rejects with the signal's reason.
     */
    whenOver: async (callIds: readonly string[], terms: OpenCallTerms): Promise<boolean> => {
      const left = new Set(callIds.filter((callId) => open.has(callId)))
      const wait = waitFor(left.size > 0, terms)
      if (!wait) return false
      waits.set(wait, left)
      return wait.promise.finally(() => waits.delete(wait))
    },
    /** Whether a further call must wait: as many are open as allowed, or others wait already. */
    isFull: () => open.size >= LIMITS.liveCallsMax || roomless.size > 0,
    isEmpty: () => open.size === 0,
    /** Resolves in turn with true as open calls end, or with false after `timeoutMs`; otherwise as `whenOver`. */
    whenRoom: async (terms: OpenCallTerms): Promise<boolean> => {
      const wait = waitFor(open.size > 0, terms)
      if (!wait) return false
      roomless.add(wait)
      return wait.promise.finally(() => roomless.delete(wait))
    },
    /** Lets waiting proposals use the room that there is. */
    release,
    close: (): void => {
      open.clear()
      for (const wait of [...waits.keys(), ...roomless]) wait.answer(false)
    },
  }
}

function pauseMs(attempt: number): number {
  const backoff = createBackoff({ ...PAUSE, random: () => 1 })
  let ms = backoff.next()
  for (let i = 0; i < Math.min(attempt, 8); i++) ms = backoff.next()
  return ms
}
