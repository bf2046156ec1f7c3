import type { ClientStats } from './session.js'

/** What is counted as it happens; `queued` is looked up when it is asked for. */
export type Counters = { -readonly [K in Exclude<keyof ClientStats, 'queued'>]: number }

export function createCounters(): Counters {
  return {
    proposed: 0,
    decided: 0,
    observed: 0,
    failedOpen: 0,
    failedClosed: 0,
    expired: 0,
    late: 0,
    duplicates: 0,
    undecodable: 0,
    retried: 0,
    resent: 0,
    unreported: 0,
  }
}
