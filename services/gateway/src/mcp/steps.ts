import { randomBytes } from 'node:crypto'
import {
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
  ProtocolError,
  ProtocolErrorCode,
  isInputRequiredResult,
} from '@modelcontextprotocol/server'
import { type Answer, type StepResult, explain } from '@plimsoll/client'
import { parseFrozen } from '@plimsoll/client/services'
import { createArgumentDigest } from '@plimsoll/contracts'
import { createOpenRequests } from '../http/plugin.js'
import type { McpOutcome } from '../metrics.js'
import type { SessionRegistry } from '../sessions/session-registry.js'
import {
  type ApprovalQueue,
  type Approve,
  type Arguments,
  type Call,
  type Caller,
  type RequestState,
  createApprovals,
  refused,
} from './approvals.js'
import { type Exchange, isLegacy } from './client/exchange.js'
import type { McpLimits } from './limits.js'
import { DECISION_KEY, LABELS_KEY, SESSION_KEY, forwardedMeta } from './meta.js'
import { readableInError } from './readable.js'
import { type Members, metaIn } from './rpc/messages.js'
import type { OfferedTool } from './tools/offer.js'
import { reasonOf } from './upstream/upstream.js'

/** A call's arguments as they are proposed and run, or the problem with their size. */
export type Bounded = { readonly args: Arguments } | { readonly problem: string }

/** A frozen copy of a call's arguments. Examines no more than is allowed. */
export function bounded(
  values: Arguments,
  { argumentBytesMax, argumentDepthMax }: Pick<McpLimits, 'argumentBytesMax' | 'argumentDepthMax'>,
): Bounded {
  if (depthOf(values, argumentDepthMax) > argumentDepthMax)
    return { problem: `its arguments are nested more than ${argumentDepthMax} deep` }
  const text = JSON.stringify(values)
  if (Buffer.byteLength(text) > argumentBytesMax)
    return { problem: `its arguments are longer than ${argumentBytesMax} bytes` }
  return { args: parseFrozen(text) }
}

/** Nesting of objects and lists; stops beyond `max`. Not recursive, because deep nesting is what it guards against. */
function depthOf(value: unknown, max: number): number {
  let level: readonly unknown[] = [value]
  for (let depth = 0; ; depth++) {
    const inner = level.flatMap((each) =>
      Object.values(Object(each)).filter((member) => typeof member === 'object' && member !== null),
    )
    if (inner.length === 0 || depth > max) return depth
    level = inner
  }
}

/** Who makes a step, and in which request of the client. */
export interface StepCaller extends Caller {
  readonly exchange: Exchange
  /** Whether another step of the same request is open, for which this one must not wait. */
  readonly isWithin?: boolean
}

/** Runs a step that may run; returns its result, and what is reported of it. */
export type Run = (args: Arguments) => Promise<{ readonly result: Members; readonly report: StepResult }>

/** What became of a step: its result, or the reason why there is none. */
export type Outcome =
  | { readonly ran: Members; readonly answer: Answer }
  | { readonly refused: string; readonly answer?: Answer; readonly outcome: McpOutcome }

export interface StepsOptions {
  readonly sessions: SessionRegistry
  readonly limits: McpLimits
  readonly approve: Approve | undefined
  readonly queue: ApprovalQueue | undefined
  /** Called for each question to a client's user. */
  readonly onAsked: () => void
}

export type Steps = ReturnType<typeof createSteps>

/** Proposes steps, gets the approvals they need, runs them if they may run, and reports their results. */
export function createSteps({ sessions, limits, approve, queue, onAsked }: StepsOptions) {
  // Keyed, because the digest can be read in the state of an approval request.
  const digestOf = createArgumentDigest(randomBytes(32))
  const open = createOpenRequests(limits.callsOfOneMax)
  // The state never leaves this process: what travels to the client is the state of its exchange.
  const approvals = createApprovals({
    limits,
    approve,
    queue,
    mint: async (state) => JSON.stringify(state),
  })

  /** Asks the client until the approval is answered. */
  async function approved(call: Call, exchange: Exchange): ReturnType<typeof approvals> {
    let current = call
    for (;;) {
      const outcome = await approvals(current)
      if (!('instead' in outcome) || !isInputRequiredResult(outcome.instead)) return outcome
      onAsked()
      const { inputRequests = {}, requestState } = outcome.instead
      const responses = await exchange.ask(inputRequests, stampOf(current, outcome.answer))
      const state = JSON.parse(requestState ?? 'null') as RequestState
      current = { ...call, context: contextOf(exchange, { responses, state }) }
    }
  }

  async function perform(call: Call, exchange: Exchange, run: Run): Promise<Outcome> {
    const approval = await approved(call, exchange)
    const { answer } = approval
    if ('instead' in approval) return { refused: textOf(approval.instead), answer, outcome: approval.outcome }
    if (!answer.mayRun)
      return { refused: `${explain({ ...answer, tool: call.offered.name })}.`, answer, outcome: 'blocked' }
    try {
      // The verdict may arrive in the same turn as the abort.
      exchange.signal.throwIfAborted()
      const { result, report: reported } = await run(call.args)
      await report(call, answer, reported)
      return { ran: result, answer }
    } catch (error) {
      await report(call, answer, { outcome: 'error', ...readableInError(error) })
      if (exchange.signal.aborted || error instanceof ProtocolError) throw error
      return { refused: `\`${call.offered.name}\` failed: ${reasonOf(error)}`, answer, outcome: 'failed' }
    }
  }

  /** Rejects with protocol errors of the server, and with the reason of an abort. */
  return (caller: StepCaller, offered: OfferedTool, given: Arguments, run: Run): Promise<Outcome> => {
    const within = bounded(given, limits)
    if ('problem' in within)
      return Promise.resolve({
        refused: `\`${offered.name}\` was not run: ${within.problem}.`,
        outcome: 'refused',
      })
    const { args } = within
    const { held, exchange, isWithin } = caller
    let made: string | undefined
    const digest = () => (made ??= digestOf([offered.asked, args]))
    const call: Call = {
      ...caller,
      offered,
      args,
      digest,
      context: contextOf(exchange),
      ...(isWithin && { prerequisitesMs: 0 }),
    }
    return open.during(held.principal.name, () => sessions.during(held, () => perform(call, exchange, run)))
  }
}

/** The step has run even if it cannot be reported; the session then counts it as the worst of its labels. */
async function report({ held }: Caller, answer: Answer, result: StepResult): Promise<void> {
  await held.session.complete(answer, result).catch((error: unknown) => {
    process.emitWarning(`plimsoll: a completed step could not be reported: ${reasonOf(error)}`)
  })
}

interface Answered {
  readonly responses: Members
  readonly state: RequestState
}

/** A request as approvals read it. */
function contextOf(exchange: Exchange, answered?: Answered): ServerContext {
  const { params, method, signal } = exchange
  const mcpReq = {
    id: exchange.id,
    method,
    _meta: metaIn(params),
    signal,
    ...(!isLegacy(exchange) && { envelope: {} }),
    inputResponses: answered?.responses,
    requestState: () => answered?.state,
    elicitInput: async (question: Members) => {
      const sent = { method: 'elicitation/create', params: question }
      return (await exchange.ask({ question: sent }))['question']
    },
  }
  return { mcpReq } as unknown as ServerContext
}

function textOf(instead: CallToolResult | InputRequiredResult): string {
  const { content } = instead as Partial<CallToolResult>
  return (content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('\n')
}

/** The session, the decision and the catalogue's labels, for the `_meta` of a result. */
export const stampOf = (
  { held, offered }: Pick<Call, 'held' | 'offered'>,
  { verdict, by, decision }: Answer,
): Members => ({
  [SESSION_KEY]: held.token,
  [DECISION_KEY]: { verdict, by, ...(decision && { id: decision.id }) },
  ...(offered.labels && { [LABELS_KEY]: offered.labels }),
})

/** A result with the stamp in place of any that its server claims. */
export function stamped(result: Members, stamp: Members): Members {
  return { ...result, _meta: { ...forwardedMeta(metaIn(result)), ...stamp } }
}

/** A tool's result for a step that did not run. */
export const refusedResult = (text: string, stamp: Members): Members => ({ ...refused(text), _meta: stamp })

/** The error of another request whose step did not run. */
export const refusedError = (
  text: string,
  data: Members,
  code: number = ProtocolErrorCode.InvalidRequest,
): ProtocolError => new ProtocolError(code, text, data)
