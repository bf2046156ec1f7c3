import {
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server'
import { type Answer, type Approval, explain } from '@plimsoll/client'
import type { TraceContext } from '@plimsoll/contracts'
import { argumentLines, visibleText } from '@plimsoll/labels'
import { LRUCache } from 'lru-cache'
import type { McpOutcome } from '../metrics.js'
import type { HeldSession } from '../sessions/session-registry.js'
import type { McpLimits } from './limits.js'
import { metaOf, textIn } from './meta.js'
import type { OfferedTool } from './tools/offer.js'
import { reasonOf } from './upstream/upstream.js'

export type Arguments = Readonly<Record<string, unknown>>

/** Whose call it is. */
export interface Caller {
  readonly held: HeldSession
  /** Whether the client can ask its user and may speak for them. */
  readonly canAsk: () => boolean
}

/** A call in progress. */
export interface Call extends Caller {
  readonly offered: OfferedTool
  readonly args: Arguments
  /** Of the tool and its arguments, computed on demand. */
  readonly digest: () => string
  readonly context: ServerContext
}

/**
 * Passes on a human's answer to a `confirm`. Rejects with `approval_unknown` if it waits for no approval, and if the answer cannot be
 * passed on.
 */
export type Approve = (answer: Answer, approval: Approval) => Promise<void>

/** Travels to the client with an approval request and back, signed. */
export interface RequestState {
  readonly session: string
  readonly call: string
  /** Of the tool and its arguments: the approval is for no others. */
  readonly digest: string
}

/** The answer to a call, or what its client gets instead of it. */
export type ApprovalOutcome = { readonly answer: Answer } | Instead

interface Instead {
  readonly answer: Answer
  readonly instead: CallToolResult | InputRequiredResult
  readonly outcome: McpOutcome
}

/** A result for the model in place of the tool's: why, and what to do instead. */
export const refused = (text: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text }],
})

export interface ApprovalsOptions {
  readonly limits: Pick<McpLimits, 'approvalMs' | 'pendingMax'>
  /** Undefined if only the approval queue may answer. */
  readonly approve: Approve | undefined
  /** Whether there is an approval queue. */
  readonly hasQueue: boolean
  /** Signs a state that travels to the client and back. */
  readonly mint: (state: RequestState, call: Call) => Promise<string>
}

/** Proposes a call and gets the approval it needs: from the client's user if they can be asked, else from the approval queue. */
export function createApprovals({ limits, approve, hasQueue, mint }: ApprovalsOptions) {
  /**
   * Answers that wait for a human while no request waits for them, by session: under the digest of a queued call, or the id of a call
   * that a user was asked about. Each is taken once, because an approval is for one call.
   */
  const pendingBySession = new WeakMap<HeldSession, LRUCache<string, Answer>>()

  function pendingOf({ held }: Call): LRUCache<string, Answer> {
    const known = pendingBySession.get(held)
    const pending = known ?? new LRUCache<string, Answer>({ max: limits.pendingMax })
    if (!known) pendingBySession.set(held, pending)
    return pending
  }

  function take(call: Call, key: string): Answer | undefined {
    const answer = pendingOf(call).get(key)
    pendingOf(call).delete(key)
    return answer
  }

  const queueKey = ({ digest }: Call): string => `queue ${digest()}`

  /** The call in the request's state, if it is this one and still waits; otherwise it is proposed like any other. */
  function askedCall(call: Call): Answer | undefined {
    const state = call.context.mcpReq.requestState<RequestState>()
    if (!state || state.session !== call.held.session.id || state.digest !== call.digest()) return undefined
    return take(call, `user ${state.call}`)
  }

  async function askUser(call: Call, asked: Answer): Promise<Instead> {
    pendingOf(call).set(`user ${asked.callId}`, asked)
    const state = { session: call.held.session.id, call: asked.callId, digest: call.digest() }
    const instead = approvalRequestOf(call, asked, await mint(state, call))
    return { answer: asked, instead, outcome: 'asked' }
  }

  async function takeUserAnswer(call: Call, asked: Answer, passOn: Approve): Promise<ApprovalOutcome> {
    const { held, offered, context } = call
    const response = inputResponse(context.mcpReq.inputResponses, APPROVAL_REQUEST)
    const isApproved =
      response.kind === 'elicit' && response.action === 'accept' && response.content?.['approve'] === true
    try {
      const by = `the user of ${held.principal.name}`
      await passOn(asked, { resolution: isApproved ? 'approved' : 'denied', by })
    } catch (error) {
      const text = `\`${offered.name}\` was not run: the approval could not be recorded (${reasonOf(error)}).`
      return { answer: asked, instead: refused(text), outcome: 'refused' }
    }
    return waitForQueue(call, asked)
  }

  async function waitForQueue(call: Call, asked: Answer): Promise<ApprovalOutcome> {
    const { held, offered, context } = call
    const { signal } = context.mcpReq
    try {
      const answer = await held.session.resolution(asked, { timeoutMs: limits.approvalMs, signal })
      if (answer.verdict !== 'confirm' || answer.mayRun) return { answer }
      pendingOf(call).set(queueKey(call), answer)
      const text = `\`${offered.name}\` waits for a human's approval. Call it again with exactly the same arguments to get the answer.`
      return { answer, instead: refused(text), outcome: 'asked' }
    } catch (error) {
      // The next call with these arguments waits for the same approval.
      if (signal.aborted) pendingOf(call).set(queueKey(call), asked)
      throw error
    }
  }

  return async (call: Call): Promise<ApprovalOutcome> => {
    const { name } = call.offered
    const brought = askedCall(call)
    if (brought && approve) return takeUserAnswer(call, brought, approve)
    const queued = pendingOf(call).size > 0 ? take(call, queueKey(call)) : undefined
    if (queued) return waitForQueue(call, queued)
    const asked = await propose(call)
    if (asked.verdict !== 'confirm' || asked.mayRun) return { answer: asked }
    if (approve && call.canAsk()) return askUser(call, asked)
    if (hasQueue) return waitForQueue(call, asked)
    const text = `${explain({ ...asked, tool: name })}. No approver is configured here.`
    return { answer: asked, instead: refused(text), outcome: 'blocked' }
  }
}

function propose({ held, offered, args, context }: Call): Promise<Answer> {
  const { asked, tool, claimed } = offered
  const { description } = tool
  const trace = traceOf(context)
  return held.session.ask(
    {
      tool: asked,
      arguments: args,
      labels: claimed,
      trace,
      ...(description !== undefined && { description }),
    },
    { signal: context.mcpReq.signal, approvalMs: 0 },
  )
}

/** Longest member of a trace context. */
const TRACE_CHARS_MAX = 512

function traceOf({ mcpReq }: ServerContext): TraceContext | undefined {
  const traceparent = textIn(metaOf(mcpReq), 'traceparent', TRACE_CHARS_MAX)
  const tracestate = textIn(metaOf(mcpReq), 'tracestate', TRACE_CHARS_MAX)
  return traceparent === undefined ? undefined : { traceparent, tracestate }
}

/** The name of the approval in `inputRequests`. */
const APPROVAL_REQUEST = 'approval'

const REASONS_MAX = 5
/** A reason may repeat names that the agent chose. */
const REASON_CHARS_MAX = 300

/** Asks the client's user whether a call may run. The step comes first, because a client may show only the beginning. */
function approvalRequestOf(
  { offered, args }: Call,
  answer: Answer,
  requestState: string,
): InputRequiredResult {
  const { name } = offered
  const reasons = (answer.decision?.reasons ?? [])
    .filter((reason) => reason.liftedBy === undefined && reason.verdict === answer.verdict)
    .slice(0, REASONS_MAX)
    .map(({ message }) => `- ${visibleText(message, REASON_CHARS_MAX)}`)
  const lines = [
    `The agent wants to call ${name} with:`,
    ...argumentLines(args).map((line) => `  ${line}`),
    'Plimsoll asks because:',
    ...reasons,
  ]
  return inputRequired({
    inputRequests: {
      [APPROVAL_REQUEST]: inputRequired.elicit({
        message: lines.join('\n'),
        requestedSchema: {
          type: 'object',
          properties: { approve: { type: 'boolean', title: `Let ${name} run, once` } },
          required: ['approve'],
        },
      }),
    },
    requestState,
  })
}
