import type { Decision } from '@plimsoll/contracts'
import { HEALS_MAX, HISTORY_EVENTS_MAX } from '../pending/journal.js'
import type { Proposals } from '../pending/proposals.js'
import { type Outbound, type OutboundEvent, parcelOf } from './outbound.js'

/**
 * The last events of a session that no decision has shown to be folded yet. Where the monitor misses one of them, it and all
 * after it are sent again.
 */
export interface History {
  add(parcel: OutboundEvent): void
  /** Notes that the monitor has folded event `eventId`, and so everything before it. */
  confirm(eventId: string): void
  /** Sends again what `refusal` finds missing; false where that cannot help: the refusal is the answer then. */
  heal(refusal: Decision): boolean
}

export interface HistoryOptions {
  readonly outbound: Pick<Outbound, 'pushFirst'>
  readonly proposals: Pick<Proposals, 'has' | 'rename' | 'watch'>
  readonly nextId: () => string
  /** Told how many events were sent again. */
  readonly onResent: (count: number) => void
}

export function createHistory({ outbound, proposals, nextId, onResent }: HistoryOptions): History {
  let kept: readonly OutboundEvent[] = []
  let heals = 0

  /** What was handed to the log from number `seq` on; what was not is still to come. */
  function takenFrom(seq: number): readonly OutboundEvent[] {
    const index = kept.findIndex(({ event }) => event.seq === seq)
    return index < 0 ? [] : kept.slice(index).filter(({ taken }) => taken)
  }

  /** A proposal that is waited for gets a new id, so that refusals of the first sending are not taken for answers to this one. */
  function renew({ event, attachments: beside }: OutboundEvent): OutboundEvent {
    if (event.type !== 'step.proposed') return parcelOf(event, beside)
    if (!proposals.has(event.id)) {
      proposals.watch(event.id, event)
      return parcelOf(event, beside)
    }
    const renewed = { ...event, id: nextId() }
    proposals.rename(event.id, renewed.id)
    return parcelOf(renewed, beside)
  }

  return {
    add: (parcel) => {
      kept = [...kept.slice(1 - HISTORY_EVENTS_MAX), parcel]
    },
    confirm: (eventId) => {
      heals = 0
      const index = kept.findIndex(({ event }) => event.id === eventId)
      if (index >= 0) kept = kept.slice(index + 1)
    },
    heal: (refusal) => {
      const missing = missingFrom(refusal)
      if (missing === undefined || heals >= HEALS_MAX) return false
      const again = takenFrom(missing).map(renew)
      if (again.length === 0) return false
      heals++
      const bySeq = new Map(again.map((parcel) => [parcel.event.seq, parcel]))
      kept = kept.map((parcel) => bySeq.get(parcel.event.seq) ?? parcel)
      outbound.pushFirst(again)
      onResent(again.length)
      return true
    },
  }
}

/**
 * The number from which on the monitor misses events, where `refusal` says that it does. Where it has no record, all are missing:
 * they can be sent again as long as the start is still among those kept, which is to say, before the first decision.
 */
export function missingFrom({ reasons, expectedSeq }: Decision): number | undefined {
  if (reasons.some(({ code }) => code === 'session_state_lost')) return 0
  return reasons.some(({ code }) => code === 'sequence_gap') ? expectedSeq : undefined
}
