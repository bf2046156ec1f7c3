import type { Decision } from '@plimsoll/contracts'
import type { Approvals } from '../pending/approvals.js'
import type { Proposals } from '../pending/proposals.js'
import { type Outbound, type OutboundEvent, outboundEvent } from './outbound.js'

/** Events of a session kept until a decision shows that the monitor has them. */
const EVENTS_MAX = 64

/** How often in a row a gap is filled by sending again; after that, the refusal is the answer. */
const HEALS_MAX = 3

export interface HistoryOptions {
  readonly outbound: Pick<Outbound, 'pushFirst'>
  readonly proposals: Pick<Proposals, 'has' | 'rename' | 'watch'>
  readonly nextId: () => string
  /** Called with the number of events that were sent again. */
  readonly onResent: (count: number) => void
}

export type History = ReturnType<typeof createHistory>

/** The last events of a session that no decision has confirmed. If the monitor misses one, it and all later ones are sent again. */
export function createHistory({ outbound, proposals, nextId, onResent }: HistoryOptions) {
  let kept: readonly OutboundEvent[] = []
  let heals = 0

  /** The events from number `seq` on that were handed to the channel; the others are still queued. */
  function sentFrom(seq: number): readonly OutboundEvent[] {
    const index = kept.findIndex(({ event }) => event.seq === seq)
    return index < 0 ? [] : kept.slice(index).filter(({ isSent }) => isSent)
  }

  /** Gives an awaited proposal a new id, so that a refusal of the first sending is not taken for the answer to this one. */
  function renew({ event, attachments }: OutboundEvent): OutboundEvent {
    if (event.type !== 'step.proposed') return outboundEvent(event, attachments)
    if (!proposals.has(event.id)) {
      proposals.watch(event.id, event)
      return outboundEvent(event, attachments)
    }
    const renewed = { ...event, id: nextId() }
    proposals.rename(event.id, renewed.id)
    return outboundEvent(renewed, attachments)
  }

  return {
    add: (outgoing: OutboundEvent): void => {
      kept = [...kept.slice(1 - EVENTS_MAX), outgoing]
    },
    /** Notes that the monitor has folded event `eventId`, and so all before it. */
    confirm: (eventId: string): void => {
      heals = 0
      const index = kept.findIndex(({ event }) => event.id === eventId)
      if (index >= 0) kept = kept.slice(index + 1)
    },
    /** Sends again what `refusal` shows to be missing; false if that cannot help, so that the refusal is the answer. */
    heal: (refusal: Decision): boolean => {
      const missing = missingFrom(refusal)
      if (missing === undefined || heals >= HEALS_MAX) return false
      const again = sentFrom(missing).map(renew)
      if (again.length === 0) return false
      heals++
      const bySeq = new Map(again.map((outgoing) => [outgoing.event.seq, outgoing]))
      kept = kept.map((outgoing) => bySeq.get(outgoing.event.seq) ?? outgoing)
      outbound.pushFirst(again)
      onResent(again.length)
      return true
    },
  }
}

/**
 * The number of the first event that the monitor misses, if `refusal` shows that. Without any record all are missing; they can be sent
 * again while the start is still kept, that is before the first decision.
 */
export function missingFrom({ reasons, expectedSeq }: Decision): number | undefined {
  if (reasons.some(({ code }) => code === 'session_state_lost')) return 0
  return reasons.some(({ code }) => code === 'sequence_gap') ? expectedSeq : undefined
}

/** Awaited proposals kept of a session; more than may be open at a time. */
const AWAITED_MAX = 64

export interface AwaitedProposalsOptions {
  readonly outbound: Pick<Outbound, 'push'>
  readonly proposals: Pick<Proposals, 'has'>
  readonly approvals: Pick<Approvals, 'isAwaited'>
}

/**
 * The proposals of a session whose decision or approval is still awaited. When decisions may have been missed they are sent again
 * unchanged: the monitor recognises them and repeats its current answer.
 */
export function createAwaitedProposals({ outbound, proposals, approvals }: AwaitedProposalsOptions) {
  let kept: readonly OutboundEvent[] = []
  const isAwaited = ({ event }: OutboundEvent) =>
    event.type === 'step.proposed' && (proposals.has(event.id) || approvals.isAwaited(event.callId))
  return {
    add: (outgoing: OutboundEvent): void => {
      if (kept.length >= AWAITED_MAX) kept = kept.filter(isAwaited).slice(1 - AWAITED_MAX)
      kept = [...kept, outgoing]
    },
    askAgain: (): void => {
      kept = kept.filter(isAwaited)
      for (const { event, attachments, isSent } of kept)
        if (isSent) outbound.push(outboundEvent(event, attachments))
    },
  }
}
