import { createBackoff, pause } from '../timing.js'

/** What came of a batch: all of it done, some of it, or none. */
export type Outcome = 'done' | 'begun' | 'nothing'

/** Keeps the partition from being fetched; what it returns lets it be fetched again. */
export type Hold = () => () => void

export interface LaneLimits {
  /** How long a batch may keep its fetch, and with it other partitions, waiting. */
  readonly patienceMs: number
  readonly redeliveryMsMax: number
}

/**
 * The work on one partition: one batch at a time, over rebalances and reconnections too. A batch that takes longer than the patience,
 * and the wait after one that was not done, hold the partition, so that the fetch loop goes on with the others and keeps the
 * membership alive.
 *
 * idle → working → (done) idle | (not done) waiting → idle
 */
export interface Lane {
  /** Runs `work` where the lane is idle, else holds the partition until it is. Resolves when the fetch loop may go on. Never rejects. */
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
      // What has just failed may take its time again: others shall not wait for it twice.
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
