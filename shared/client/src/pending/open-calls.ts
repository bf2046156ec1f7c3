import { LIMITS } from '@plimsoll/engine'
import { createBackoff } from '@plimsoll/runtime'
import type { Answer } from '../session.js'
import { type Timers, type Wait, createWait } from '../wait.js'

/** Bounds of the pause where nothing here tells when a call is over: another process made it, or it is over already. */
const PAUSE = { firstMs: 10, maxMs: 1_000 } as const

/** The calls of one session that are proposed here and not over: what a proposal waits for that needs them first. */
export interface OpenCalls {
  opened(callId: string): void
  /** Notes that a call runs no more: it is completed, or never will run. */
  over(callId: string): void
  /** Notes what `answer` says: a call that will not run is over. */
  answered(answer: Answer): void
  /**
   * Resolves once those of `callIds` that are open here are over, true, or after `timeoutMs`, false; where none of them is, after a
   * pause. Rejects with the signal's reason.
   */
  whenOver(callIds: readonly string[], terms: OverTerms): Promise<boolean>
  /** Whether a further call has to wait for room: as many are open as a session may have, or others wait already. */
  isFull(): boolean
  /**
   * Resolves in turn, true, as calls that are open here are over, or after `timeoutMs`, false; where none is open here, after a pause. Rejects
   * with the signal's reason.
   */
  whenRoom(terms: OverTerms): Promise<boolean>
  /** Lets on anyone who waits for room that there is. */
  release(): void
  /** Waits for nothing more. */
  close(): void
}

export interface OverTerms {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** How often the same proposal has waited before. */
  readonly attempt: number
}

export function createOpenCalls(timers: Timers): OpenCalls {
  const open = new Set<string>()
  const waits = new Map<Wait<boolean>, Set<string>>()
  const roomless = new Set<Wait<boolean>>()

  function over(callId: string): void {
    if (!open.delete(callId)) return
    release()
    for (const [wait, left] of waits) if (left.delete(callId) && left.size === 0) wait.answer(true)
  }

  async function whenRoom(terms: OverTerms): Promise<boolean> {
    const wait = waitFor(open.size > 0, terms)
    if (!wait) return false
    roomless.add(wait)
    try {
      return await wait.promise
    } finally {
      roomless.delete(wait)
    }
  }

  /** Undefined where the time is over. */
  function waitFor(isKnown: boolean, { timeoutMs, signal, attempt }: OverTerms): Wait<boolean> | undefined {
    signal?.throwIfAborted()
    if (timeoutMs <= 0) return undefined
    const ms = isKnown ? timeoutMs : Math.min(timeoutMs, pauseMs(attempt))
    return createWait({ timers, signal, timeoutMs: ms, onTimeout: () => !isKnown })
  }

  function release(): void {
    let room = LIMITS.liveCallsMax - open.size
    for (const wait of roomless) {
      if (room-- <= 0) return
      roomless.delete(wait)
      wait.answer(true)
    }
  }

  async function whenOver(callIds: readonly string[], terms: OverTerms): Promise<boolean> {
    const left = new Set(callIds.filter((callId) => open.has(callId)))
    const wait = waitFor(left.size > 0, terms)
    if (!wait) return false
    waits.set(wait, left)
    try {
      return await wait.promise
    } finally {
      waits.delete(wait)
    }
  }

  return {
    opened: (callId) => void open.add(callId),
    over,
    answered: ({ callId, mayRun, verdict }) => {
      if (!mayRun && verdict !== 'confirm') over(callId)
    },
    whenOver,
    isFull: () => open.size >= LIMITS.liveCallsMax || roomless.size > 0,
    whenRoom,
    release: release,
    close: () => {
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
