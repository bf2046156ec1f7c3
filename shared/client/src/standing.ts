import { parcelOf, type Outbound, type Parcel } from './outbound.js'

/** Proposals of a session kept; more than may be open at a time. */
const KEPT_MAX = 64

/**
 * The proposals of a session whose last word may still come. Where decisions may have been missed they are sent again as they were: the
 * monitor knows them, and says what stands.
 */
export interface Standing {
  add(parcel: Parcel): void
  askAgain(): void
}

export interface StandingOptions {
  readonly outbound: Pick<Outbound, 'push'>
  /** Whether somebody waits for what becomes of the proposal that `event` made. */
  readonly isAwaited: (event: Parcel['event']) => boolean
}

export function createStanding({ outbound, isAwaited }: StandingOptions): Standing {
  let kept: readonly Parcel[] = []
  return {
    add: (parcel) => {
      if (kept.length >= KEPT_MAX) kept = kept.filter(({ event }) => isAwaited(event)).slice(1 - KEPT_MAX)
      kept = [...kept, parcel]
    },
    askAgain: () => {
      kept = kept.filter(({ event }) => isAwaited(event))
      // What has not left yet leaves anyway.
      for (const { event, beside, taken } of kept) if (taken) outbound.push(parcelOf(event, beside))
    },
  }
}
