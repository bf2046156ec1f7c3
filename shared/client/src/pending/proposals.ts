import { type Capability, CAPABILITIES } from '@plimsoll/contracts'
import type { Labeller } from '@plimsoll/labels'
import QuickLRU from 'quick-lru'
import type { StepCall } from '../observe/handover-tracker.js'
import type { Answer } from '../answer.js'
import { type Timers, type Wait, createWait } from '../wait.js'
import { type CallName, failAnswer } from './stop-memory.js'

/** Why the fail mode answered. */
export type WithoutVerdictCause = 'timeout' | 'queue_full' | 'closed'

/** A proposal that no caller waits for any more, kept to recognise its late decision. */
interface AbandonedProposal extends CallName {
  /** Whether its step was allowed to run. */
  readonly ran: boolean
  /** Whether the client only observed, so that its decision is not late. */
  readonly observed: boolean
}

/** Abandoned proposals kept of a session. */
const ABANDONED_MAX = 64

interface ProposalTerms {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

export interface ProposalsOptions {
  readonly timers: Timers
  /** Decides, counts and journals a proposal without a verdict. */
  readonly onStepWithoutVerdict: (call: StepCall, cause: WithoutVerdictCause) => FailMode
  /** Called for each proposal that no longer waits. */
  readonly onGone: () => void
}

interface OpenProposal {
  eventId: string
  readonly call: StepCall
  readonly wait: Wait<Answer>
}

export type Proposals = ReturnType<typeof createProposals>

/** The proposals of one session, by the ids of their events. */
export function createProposals({ timers, onStepWithoutVerdict, onGone }: ProposalsOptions) {
  const open = new Map<string, OpenProposal>()
  const abandoned = new QuickLRU<string, AbandonedProposal>({ maxSize: ABANDONED_MAX })

  function close({ eventId }: OpenProposal): void {
    open.delete(eventId)
    onGone()
  }

  function abandon(eventId: string, { callId, tool }: CallName, ran: boolean, observed = false): void {
    abandoned.set(eventId, { callId, tool, ran, observed })
  }

  function fail(proposal: OpenProposal, cause: WithoutVerdictCause): Answer {
    const mode = onStepWithoutVerdict(proposal.call, cause)
    abandon(proposal.eventId, proposal.call, mode === 'open')
    close(proposal)
    return failAnswer(proposal.call, mode)
  }

  return {
    count: () => open.size,
    has: (eventId: string) => open.has(eventId),
    /** Resolves with the decision's answer or the fail mode's. Rejects with the signal's reason. */
    open: (eventId: string, call: StepCall, terms: ProposalTerms): Promise<Answer> => {
      const onTimeout = () => fail(proposal, 'timeout')
      const onAbort = () => {
        abandon(proposal.eventId, call, false)
        close(proposal)
      }
      const wait = createWait<Answer>({ timers, ...terms, onTimeout, onAbort })
      const proposal: OpenProposal = { eventId, call, wait }
      open.set(eventId, proposal)
      return wait.promise
    },
    /** False if no caller waits for it. */
    settle: (eventId: string, answer: Answer): boolean => {
      const proposal = open.get(eventId)
      if (!proposal) return false
      close(proposal)
      proposal.wait.answer(answer)
      return true
    },
    /** Moves a proposal to the id of its new event. */
    rename: (from: string, to: string): void => {
      const proposal = open.get(from)
      if (!proposal) return
      open.delete(from)
      proposal.eventId = to
      open.set(to, proposal)
    },
    /** Answers all by the fail mode. */
    failAll: (cause: WithoutVerdictCause): void => {
      for (const proposal of open.values()) proposal.wait.answer(fail(proposal, cause))
    },
    /** Notes a proposal that is sent again although no caller waits for it. */
    watch: (eventId: string, call: CallName): void => {
      if (!abandoned.has(eventId)) abandon(eventId, call, false)
    },
    /** Notes a proposal whose step runs without waiting. */
    observe: (eventId: string, call: CallName): void => abandon(eventId, call, true, true),
    abandoned: (eventId: string) => abandoned.peek(eventId),
    forget: (eventId: string): void => void abandoned.delete(eventId),
  }
}

/** Whether a step may run without a verdict. */
export type FailMode = 'open' | 'closed'
export type FailModes = Readonly<Record<Capability, FailMode>>

export const FAIL_MODES: FailModes = { read: 'open', write: 'closed', execute: 'closed', network: 'closed' }

/**
 * The fail mode of a step: that of its tool's capability in the catalogue, or of the claimed capability if that is higher. Closed for
 * tools that the catalogue does not list.
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
