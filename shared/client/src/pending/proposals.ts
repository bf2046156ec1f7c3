import { type Capability, CAPABILITIES } from '@plimsoll/contracts'
import type { Labeller } from '@plimsoll/labels'
import type { StepCall } from '../observe/lineage.js'
import type { Answer } from '../session.js'
import { type Timers, type Wait, createWait } from '../wait.js'
import { ABANDONED_MAX } from './journal.js'
import { type CallName, failAnswer } from './stop-memory.js'

/** Why the fail mode answered. */
export type WithoutVerdictCause = 'timeout' | 'queue_full' | 'closed'

/** A proposal that was given up: what a late decision on it is to find. */
export interface AbandonedProposal extends CallName {
  /** Whether its step was let run. */
  readonly ran: boolean
  /** Whether nobody was to wait: its decision is no late one. */
  readonly observed: boolean
}

/** The proposals of one session, by the id of the event that made them. */
export interface Proposals {
  count(): number
  has(eventId: string): boolean
  /** Resolves with the answer, or with the fail mode's. Rejects with the signal's reason. */
  open(eventId: string, call: StepCall, terms: ProposalTerms): Promise<Answer>
  /** False where nobody waits for it. */
  settle(eventId: string, answer: Answer): boolean
  /** From now on the proposal is known by another event. */
  rename(from: string, to: string): void
  /** Answers all by the fail mode. */
  failAll(cause: WithoutVerdictCause): void
  /** Notes a proposal that is sent again although nobody waits for it. */
  watch(eventId: string, call: CallName): void
  /** Notes a proposal whose step runs without waiting. */
  observe(eventId: string, call: CallName): void
  abandoned(eventId: string): AbandonedProposal | undefined
  forget(eventId: string): void
}

export interface ProposalTerms {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

export interface ProposalsOptions {
  readonly timers: Timers
  /** Decides, counts and journals what becomes of a proposal without a verdict. */
  readonly onStepWithoutVerdict: (call: StepCall, cause: WithoutVerdictCause) => FailMode
  /** Told of each proposal that waits no more. */
  readonly onGone: () => void
}

interface Entry {
  eventId: string
  readonly call: StepCall
  readonly wait: Wait<Answer>
}

export function createProposals({ timers, onStepWithoutVerdict, onGone }: ProposalsOptions): Proposals {
  const open = new Map<string, Entry>()
  const givenUp = new Map<string, AbandonedProposal>()

  function close({ eventId }: Entry): void {
    open.delete(eventId)
    onGone()
  }

  function keep(eventId: string, { callId, tool }: CallName, ran: boolean, observed = false): void {
    if (givenUp.size >= ABANDONED_MAX) for (const oldest of givenUp.keys()) if (givenUp.delete(oldest)) break
    givenUp.set(eventId, { callId, tool, ran, observed })
  }

  function fail(entry: Entry, cause: WithoutVerdictCause): Answer {
    const mode = onStepWithoutVerdict(entry.call, cause)
    keep(entry.eventId, entry.call, mode === 'open')
    close(entry)
    return failAnswer(entry.call, mode)
  }

  function abandon(entry: Entry): void {
    keep(entry.eventId, entry.call, false)
    close(entry)
  }

  return {
    count: () => open.size,
    has: (eventId) => open.has(eventId),
    open: (eventId, call, terms) => {
      const onTimeout = () => fail(entry, 'timeout')
      const wait = createWait<Answer>({ timers, ...terms, onTimeout, onAbort: () => abandon(entry) })
      const entry: Entry = { eventId, call, wait }
      open.set(eventId, entry)
      return wait.promise
    },
    settle: (eventId, answer) => {
      const entry = open.get(eventId)
      if (!entry) return false
      close(entry)
      entry.wait.answer(answer)
      return true
    },
    rename: (from, to) => {
      const entry = open.get(from)
      if (!entry) return
      open.delete(from)
      entry.eventId = to
      open.set(to, entry)
    },
    failAll: (cause) => {
      for (const entry of open.values()) entry.wait.answer(fail(entry, cause))
    },
    watch: (eventId, call) => {
      if (!givenUp.has(eventId)) keep(eventId, call, false)
    },
    observe: (eventId, call) => keep(eventId, call, true, true),
    abandoned: (eventId) => givenUp.get(eventId),
    forget: (eventId) => void givenUp.delete(eventId),
  }
}

/** Whether a step may run for want of a verdict. */
export type FailMode = 'open' | 'closed'
export type FailModes = Readonly<Record<Capability, FailMode>>

export const FAIL_MODES: FailModes = { read: 'open', write: 'closed', execute: 'closed', network: 'closed' }

/**
 * The fail mode of a step: of the capability that the catalogue gives its tool, and of the one that it claims where that is more.
 * A tool that the catalogue does not know is closed.
 */
export function createFailModes(
  labelOf: Labeller,
  modes: Partial<FailModes> = {},
): (call: Pick<StepCall, 'tool' | 'labels'>) => FailMode {
  const all = { ...FAIL_MODES, ...modes }
  return ({ tool, labels }) => {
    const known = labelOf(tool)?.capability
    if (known === undefined) return 'closed'
    const claimed = labels?.capability
    const isRaised = claimed !== undefined && CAPABILITIES.indexOf(claimed) > CAPABILITIES.indexOf(known)
    return all[isRaised ? claimed : known]
  }
}
