import type { McpSession } from '../session/mcp-session.js'
import type { OfferedTool } from '../tools/offer.js'
import {
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
  inputResponse,
} from '@modelcontextprotocol/server'
import { type Answer, type Approval, explain } from '@plimsoll/client'
import type { TraceContext } from '@plimsoll/contracts'
import type { McpLimits } from '../limits.js'
import { metaOf, textIn } from '../meta.js'
import { reasonOf } from '../upstream/upstream.js'
import { type AskedState, APPROVAL_REQUEST, approvalRequestOf } from './question.js'

/** An answer to the model instead of the tool's: what it reads tells it why, and what it may do instead. */
export const refused = (text: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text }],
})

/** Told to an agent whose call a human has been asked about and has not answered yet. */
export const waitsForApproval = (tool: string): CallToolResult =>
  refused(
    `\`${tool}\` waits for a human's approval. Call it again with the very same arguments to hear the answer; with others it is another call.`,
  )

/** Told to an agent whose call needs a human where there is none. */
export const nobodyToAsk = (tool: string, asked: Answer): CallToolResult =>
  refused(`${explain({ ...asked, tool })}. No approver is configured here.`)

/** Told to an agent whose call may not run. */
export const blocked = (tool: string, answer: Answer): CallToolResult =>
  refused(`${explain({ ...answer, tool })}.`)

/** What is said of a call: the answer to go by, or what its client gets instead. */
export type ApprovalOutcome = { readonly answer: Answer } | Instead

interface Instead {
  readonly answer: Answer
  readonly instead: CallToolResult | InputRequiredResult
  readonly outcome: Outcome
}

/** Asks about a call, the user of its client where he is to be asked, or the approval queue. */
export type Approvals = (call: Call) => Promise<ApprovalOutcome>

export interface ApprovalsOptions {
  readonly limits: Pick<McpLimits, 'approvalMs'>
  /** Undefined where nobody here may answer for a human: the queue alone can. */
  readonly approve: Approve | undefined
  /** Whether there is a queue whose humans answer. */
  readonly hasQueue: boolean
  /** Signs what travels to the client and back. */
  readonly mint: (state: AskedState, call: Call) => Promise<string>
}

/** Longer, and it is no trace's. */
const TRACE_CHARS_MAX = 512

export function createApprovals({ limits, approve, hasQueue, mint }: ApprovalsOptions): Approvals {
  async function hear(call: Call): Promise<ApprovalOutcome> {
    const { session: seat, digest } = call
    const brought = askedOf(call)
    if (brought && approve) return settle(call, brought, approve)
    const queued = seat.pending.takeQueued(digest)
    if (queued) return fromQueue(call, queued)
    const asked = await propose(call)
    if (asked.verdict !== 'confirm' || asked.mayRun) return { answer: asked }
    if (approve && call.canAsk()) return ask(call, asked)
    if (!hasQueue)
      return { answer: asked, instead: nobodyToAsk(call.offered.name, asked), outcome: 'blocked' }
    return fromQueue(call, asked)
  }

  /** The user of the client is asked; his answer comes with the same call again. */
  async function ask(call: Call, asked: Answer): Promise<ApprovalOutcome> {
    const { session: seat, digest, offered, args } = call
    seat.pending.awaitUser(asked)
    const state = await mint({ session: seat.session.id, call: asked.callId, digest: digest() }, call)
    return { answer: asked, instead: approvalRequestOf(offered.name, args, asked, state), outcome: 'asked' }
  }

  async function settle(call: Call, asked: Answer, approve: Approve): Promise<ApprovalOutcome> {
    const { session: seat, offered, context } = call
    const said = inputResponse(context.mcpReq.inputResponses, APPROVAL_REQUEST)
    const isApproved =
      said.kind === 'elicit' && said.action === 'accept' && said.content?.['approve'] === true
    try {
      const by = `the user of ${seat.principal.name}`
      await approve(asked, { resolution: isApproved ? 'approved' : 'denied', by })
    } catch (error) {
      const text = `\`${offered.name}\` was not run: the approval could not be taken (${reasonOf(error)}).`
      return { answer: asked, instead: refused(text), outcome: 'refused' }
    }
    return fromQueue(call, asked)
  }

  async function fromQueue(call: Call, asked: Answer): Promise<ApprovalOutcome> {
    const { session: seat, offered, context, digest } = call
    const { signal } = context.mcpReq
    try {
      const answer = await seat.session.resolution(asked, { timeoutMs: limits.approvalMs, signal })
      if (answer.verdict !== 'confirm' || answer.mayRun) return { answer }
      seat.pending.awaitQueue(digest(), answer)
      return { answer, instead: waitsForApproval(offered.name), outcome: 'asked' }
    } catch (error) {
      // Anyone who asks again goes on with the same question.
      if (signal.aborted) seat.pending.awaitQueue(digest(), asked)
      throw error
    }
  }

  return hear
}

function propose({ session: seat, offered, args, context }: Call): Promise<Answer> {
  const { asked, tool, claimed } = offered
  return seat.session.ask(
    {
      tool: asked,
      arguments: args,
      labels: claimed,
      trace: traceOf(context),
      ...(tool.description !== undefined && { description: tool.description }),
    },
    // Humans are asked here, and in other ways.
    { signal: context.mcpReq.signal, approvalMs: 0 },
  )
}

/** The trace that a request says it belongs to. */
function traceOf({ mcpReq }: ServerContext): TraceContext | undefined {
  const traceparent = textIn(metaOf(mcpReq), 'traceparent', TRACE_CHARS_MAX)
  const tracestate = textIn(metaOf(mcpReq), 'tracestate', TRACE_CHARS_MAX)
  return traceparent === undefined ? undefined : { traceparent, tracestate }
}

/** The call that the state of a question speaks of, where it is this one and still open; else it is asked about as any other. */
function askedOf({ session: seat, digest, context }: Call): Answer | undefined {
  const state = context.mcpReq.requestState<AskedState>()
  if (!state || state.session !== seat.session.id || state.digest !== digest()) return undefined
  return seat.pending.takeAsked(state.call)
}

/**
 * Tells what a human said to a `confirm`. Rejects with `approval_unknown` where it waits for no approval any more, and where the answer
 * cannot be told.
 */
export type Approve = (answer: Answer, approval: Approval) => Promise<void>

/** A call on its way. */
export interface Call extends Caller {
  readonly offered: OfferedTool
  readonly args: Arguments
  /** Of the tool and its arguments; most calls need none. */
  readonly digest: () => string
  readonly context: ServerContext
}

/** What became of a call. */
export type Outcome = 'ran' | 'failed' | 'blocked' | 'asked' | 'withheld' | 'refused'

export type Arguments = Readonly<Record<string, unknown>>

/** Whose call it is. */
export interface Caller {
  readonly session: McpSession
  /** What later calls show to go on with the session. */
  readonly token: string
  /** Whether the client can ask its user, and is to be believed what he says. */
  readonly canAsk: () => boolean
}
