import { createBackoff, pause } from '../timing.js'

/** How much of a batch was committed: all, some or none. */
export type Outcome = 'done' | 'begun' | 'nothing'

/** Pauses fetching the partition; the returned function resumes it. */
export type Hold = () => () => void

export interface LaneLimits {
  /** How long a batch may block its fetch, and with it other partitions. */
  readonly patienceMs: number
  readonly redeliveryMsMax: number
}

/**
 * The work on one partition: one batch at a time, across rebalances and reconnections. A batch that exceeds the patience, and the pause after
 * an incomplete batch, hold the partition, so that the fetch loop continues with the others and keeps the membership alive.
 *
 * idle → working → (done) idle | (not done) waiting → idle
 */
export interface Lane {
  /** Runs `work` if the lane is idle, else holds the partition until it is. Resolves when the fetch loop may continue. Never rejects. */
  take(work: () => Promise<Outcome>, hold: Hold): Promise<void>
  /** Resolves once it is idle. */
  whenIdle(): Promise<void>
}

export function createLane(limits: LaneLimits, closing: AbortSignal): Lane {
  const backoff = createBackoff({ maxMs: limits.redeliveryMsMax })
  let current: Promise<void> | undefined
  let isFailing = false
  let release: (() => void) | undefined
  const isBusy = () => current !== undefined

  const settle = async (working: Promise<Outcome>): Promise<void> => {
    const outcome = await working
    isFailing = outcome !== 'done'
    if (outcome !== 'nothing') backoff.reset()
    if (isFailing) await pause(backoff.next(), closing)
  }
  const run = async (working: Promise<Outcome>): Promise<void> => {
    await settle(working)
    current = undefined
    release?.()
    release = undefined
  }
  return {
    take: async (work, hold) => {
      if (isBusy()) {
        release = hold()
        return
      }
      // After a failure the batch may be slow again: do not block other partitions twice.
      const patienceMs = isFailing ? 0 : limits.patienceMs
      const working = work()
      current = run(working)
      if ((await outcomeWithin(working, patienceMs)) === 'done') return
      if (isBusy()) release = hold()
    },
    whenIdle: () => current ?? Promise.resolve(),
  }
}

async function outcomeWithin(working: Promise<Outcome>, ms: number): Promise<Outcome | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  const outcome = await Promise.race([working, late])
  clearTimeout(timer)
  return outcome
}
