import {
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server'
import {
  type Answer,
  type Approval,
  type ProposedStep,
  approvalLines,
  approveCommand,
  explain,
  isWaiting,
} from '@plimsoll/client'
import { type PermittedScope, type TraceContext, PERMITTED_SCOPES } from '@plimsoll/contracts'
import { z } from 'zod'
import type { McpOutcome } from '../metrics.js'
import { type OpenApprovals, recordedScopes } from '../sessions/open-approvals.js'
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
  /** How long to wait for open calls, milliseconds. 0 for a step within another one, which would wait for itself. */
  readonly prerequisitesMs?: number | undefined
}

/**
 * Passes on a human's answer to a `confirm`. Rejects with `approval_unknown` if it waits for no approval, and if the answer cannot be
 * passed on.
 */
export type Approve = (answer: Answer, approval: GivenApproval, offered: OfferedTool) => Promise<void>

/** A human's answer. */
export interface GivenApproval extends Approval {
  /** Whether it counts in later sessions on this machine too. Only where a queue keeps approvals. */
  readonly isToKeep?: boolean
}

/** Travels to the client with an approval request and back, signed. */
export interface RequestState {
  readonly session: string
  readonly call: string
  /** Of the tool and its arguments: the approval is for no others. */
  readonly digest: string
}

/** Where humans who are not the client's user find approval requests. */
export interface ApprovalQueue {
  /** How they answer this one, for the model and its user. Default: the command line. */
  readonly approveWith?: (answer: Answer) => string
  /** Shows a request until it is answered or has expired. `lines`: the step, for a human. */
  add(answer: Answer, lines: readonly string[], offered: OfferedTool): Promise<void>
  /** Takes back a request that the client's user has answered. */
  readonly remove?: (answer: Answer) => Promise<void>
  /** Passes on the answers that have come, for queues that do not do so themselves. */
  readonly collect?: () => Promise<void>
  /** The answer to a request that a human has given for later sessions; undefined if there is none. */
  readonly findKept?: (asked: Answer, offered: OfferedTool) => Promise<Approval | undefined>
}

/** The deployment's own: the monitors keep the requests. */
export const queueOf = (approvals: OpenApprovals): ApprovalQueue => ({
  add: async ({ decision }, lines) => {
    if (decision) approvals.describe(decision.id, lines)
  },
})

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
  readonly limits: Pick<McpLimits, 'userMs' | 'answerMs'>
  /** Undefined if only the approval queue may answer. */
  readonly approve: Approve | undefined
  /** Undefined if nobody but the client's user can answer. */
  readonly queue: ApprovalQueue | undefined
  /** Signs a state that travels to the client and back. */
  readonly mint: (state: RequestState, call: Call) => Promise<string>
}

/**
 * Proposes a call and gets the approval it needs. The client's user is asked if that is possible. Otherwise the call is answered at once,
 * with the reasons and what to do; its request stays open, and the same call gets the answer.
 */
export function createApprovals({ limits, approve, queue, mint }: ApprovalsOptions) {
  async function propose(call: Call, approvalMs = 0): Promise<Answer> {
    const { held, context, prerequisitesMs } = call
    const within = prerequisitesMs !== undefined && { prerequisitesMs }
    return held.session.ask(stepOf(call), { signal: context.mcpReq.signal, approvalMs, ...within })
  }

  /** The answer of the client's user; `asked` if the client asks and calls again; undefined if there is none. */
  async function askUser(call: Call, asked: Answer): Promise<UserAnswer | Instead | undefined> {
    const scopes = scopesOf(asked, queue?.findKept !== undefined)
    const brought = broughtAnswer(call, asked, scopes)
    if (brought) return brought
    const { mcpReq } = call.context
    if (mcpReq.envelope === undefined) return elicit(call, asked, scopes, limits.userMs)
    // It has asked before, and its user has not answered.
    if (mcpReq.requestState<RequestState>()?.call === asked.callId) return undefined
    const state = { session: call.held.session.id, call: asked.callId, digest: call.digest() }
    const request = inputRequired.elicit(questionOf(call, asked, scopes))
    const requestState = await mint(state, call)
    const instead = inputRequired({ inputRequests: { [APPROVAL_REQUEST]: request }, requestState })
    return { answer: asked, instead, outcome: 'asked' }
  }

  async function takeAnswer(call: Call, asked: Answer, given: GivenApproval): Promise<ApprovalOutcome> {
    const { offered } = call
    try {
      await approve?.(asked, given, offered)
    } catch (error) {
      const text = `\`${offered.name}\` was not run: the approval could not be recorded (${reasonOf(error)}).`
      return { answer: asked, instead: refused(text), outcome: 'refused' }
    }
    await queue?.remove?.(asked)
    const answer = await propose(call, limits.answerMs)
    return isWaiting(answer) ? leaveOpen(call, answer) : { answer }
  }

  async function leaveOpen(call: Call, asked: Answer): Promise<Instead> {
    const { name, tool } = call.offered
    const named = { ...asked, tool: name }
    if (!queue) {
      const text = `${explain(named, tool.annotations)}. No approver is configured here.`
      return { answer: asked, instead: refused(text), outcome: 'blocked' }
    }
    await queue.add(asked, linesOf(call, asked), call.offered)
    const how = queue.approveWith?.(asked) ?? approveCommand(asked.decision?.id ?? '')
    const text = `${explain({ ...named, approveWith: how }, tool.annotations)}. ${RETRY}`
    return { answer: asked, instead: refused(text), outcome: 'asked' }
  }

  return async (call: Call): Promise<ApprovalOutcome> => {
    await queue?.collect?.()
    const asked = await propose(call)
    if (!isWaiting(asked)) return { answer: asked }
    const kept = await queue?.findKept?.(asked, call.offered)
    if (kept) return takeAnswer(call, asked, kept)
    const given = approve && call.canAsk() ? await askUser(call, asked) : undefined
    if (!given) return leaveOpen(call, asked)
    if ('instead' in given) return given
    return takeAnswer(call, asked, { ...given, by: `the user of ${call.held.principal.name}` })
  }
}

const RETRY = 'The request stays open: tell the user, and use exactly the same arguments.'

const formSchema = z.object({ scope: z.enum(PERMITTED_SCOPES).optional() })

type UserAnswer = Omit<GivenApproval, 'by'>

/** What the client's user may choose: what the policy permits, and `always` only where approvals are kept. */
function scopesOf({ decision }: Answer, keeps: boolean): readonly PermittedScope[] {
  return (keeps && decision?.approval?.scopes) || recordedScopes(decision ?? {})
}

/** The form's only field, where there is a choice. */
function scopeField({ decision }: Answer, scopes: readonly PermittedScope[]) {
  const { arguments: covered = 'same', days = 0 } = decision?.approval?.always ?? {}
  const later = covered === 'any' ? 'calls of this tool' : 'this same call'
  const titles: Readonly<Record<PermittedScope, string>> = {
    once: 'this call only',
    session: 'calls like it, until this session ends',
    always: `${later} in every session on this machine, for ${days} days`,
  }
  return {
    type: 'string' as const,
    title: 'What the approval counts for',
    oneOf: scopes.map((scope) => ({ const: scope, title: titles[scope] })),
    default: 'once',
  }
}

/** What an answer records of the scope that a human has chosen. */
const inScope = (scope: PermittedScope): Pick<GivenApproval, 'scope' | 'isToKeep'> =>
  scope === 'always' ? { scope: 'session', isToKeep: true } : { scope }

/** An accepted form is the approval; a dismissed one leaves the request open. */
function answerIn(
  action: unknown,
  content: unknown,
  scopes: readonly PermittedScope[],
): UserAnswer | undefined {
  if (action !== 'accept') return action === 'decline' ? { resolution: 'denied' } : undefined
  const { scope = 'once' } = formSchema.safeParse(content).data ?? {}
  return { resolution: 'approved', ...(scopes.includes(scope) && inScope(scope)) }
}

/** The user's answer that the call brings along, if it is for this request. */
function broughtAnswer(
  { held, context, digest }: Call,
  asked: Answer,
  scopes: readonly PermittedScope[],
): UserAnswer | undefined {
  const { mcpReq } = context
  const state = mcpReq.requestState<RequestState>()
  if (state?.session !== held.session.id || state.call !== asked.callId || state.digest !== digest())
    return undefined
  const response = inputResponse(mcpReq.inputResponses, APPROVAL_REQUEST)
  return response.kind === 'elicit' ? answerIn(response.action, response.content, scopes) : undefined
}

/** Asks the user while the call waits. A client that fails to ask has no answer. */
async function elicit(
  call: Call,
  asked: Answer,
  scopes: readonly PermittedScope[],
  timeout: number,
): Promise<UserAnswer | undefined> {
  const { mcpReq } = call.context
  try {
    const question = { mode: 'form' as const, ...questionOf(call, asked, scopes) }
    const { action, content } = await mcpReq.elicitInput(question, { timeout, signal: mcpReq.signal })
    return answerIn(action, content, scopes)
  } catch {
    mcpReq.signal.throwIfAborted()
    return undefined
  }
}

function stepOf({ offered, args, context }: Call): ProposedStep {
  const { asked: tool, claimed: labels } = offered
  const { description } = offered.tool
  const trace = traceOf(context)
  return {
    tool,
    arguments: args,
    labels,
    trace,
    isRemote: true,
    ...(description !== undefined && { description }),
  }
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

function linesOf({ offered, args }: Call, asked: Answer): readonly string[] {
  const { name, tool } = offered
  return approvalLines({ ...asked, tool: name }, { arguments: args, hints: tool.annotations })
}

const questionOf = (call: Call, asked: Answer, scopes: readonly PermittedScope[]) => ({
  message: linesOf(call, asked).join('\n'),
  requestedSchema: {
    type: 'object' as const,
    properties: scopes.length > 1 ? { scope: scopeField(asked, scopes) } : {},
  },
})
