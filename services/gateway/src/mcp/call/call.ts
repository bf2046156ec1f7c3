import { randomBytes } from 'node:crypto'
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type Progress,
  type ServerContext,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import type { Answer, StepResult } from '@plimsoll/client'
import { claimedLabelsSchema, createArgumentDigest } from '@plimsoll/contracts'
import { createOpenRequests } from '../../check/plugin.js'
import type { McpLimits } from '../limits.js'
import { DECISION_KEY, LABELS_KEY, SESSION_KEY, forwardedMeta, metaOf } from '../meta.js'
import type { McpSession } from '../session/mcp-session.js'
import type { Toolset } from '../tools/toolset.js'
import { reasonOf } from '../upstream/upstream.js'
import {
  type Approvals,
  blocked,
  refused,
  type Call,
  type Outcome,
  type Arguments,
  type Caller,
} from './approvals.js'

/** The object that `json` holds, which nobody can change: what is asked about is what runs. */
export function frozen(json: string): Arguments {
  return freeze(JSON.parse(json) as Arguments)
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}

/** A call's arguments as they are asked about and run, or what is wrong with their size. */
export type Bounded = { readonly args: Arguments } | { readonly problem: string }

/** A copy of a call's arguments that nobody can change. Looks at no more than is allowed. */
export function bounded(
  values: Arguments,
  { argumentBytesMax, argumentDepthMax }: Pick<McpLimits, 'argumentBytesMax' | 'argumentDepthMax'>,
): Bounded {
  if (depthOf(values, argumentDepthMax) > argumentDepthMax)
    return { problem: `its arguments are nested more than ${argumentDepthMax} deep` }
  const text = JSON.stringify(values)
  if (Buffer.byteLength(text) > argumentBytesMax)
    return { problem: `its arguments are longer than ${argumentBytesMax} bytes` }
  return { args: frozen(text) }
}

/** How deep objects and lists stand within each other; stops beyond `max`. Without recursion, which is what is guarded against. */
function depthOf(value: unknown, max: number): number {
  let level: readonly unknown[] = [value]
  for (let depth = 0; ; depth++) {
    const inner = level.flatMap(membersOf)
    if (inner.length === 0 || depth > max) return depth
    level = inner
  }
}

const membersOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).filter((member) => typeof member === 'object' && member !== null)
    : []

/** What `make` gives, made when it is first wanted. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** What a tool's answer tells its session: its texts, and what its server says of it. */
export function stepResultOf(result: CallToolResult): StepResult {
  const claimed = claimedLabelsSchema.safeParse(metaOf(result)?.[LABELS_KEY])
  return {
    outcome: result.isError === true ? 'error' : 'ok',
    result: seenOf(result),
    ...(claimed.success && { labels: claimed.data }),
  }
}

/** All of an answer that can be read: pictures and sounds cannot. */
function seenOf({ content, structuredContent }: CallToolResult): unknown {
  const texts = content.flatMap(textsOf)
  if (structuredContent === undefined) return texts.length === 1 ? texts[0] : texts
  // Most servers say the same twice, for clients of all ages.
  const isSame = texts.length === 1 && texts[0] === JSON.stringify(structuredContent)
  return isSame ? structuredContent : [...texts, structuredContent]
}

function textsOf(block: CallToolResult['content'][number]): readonly string[] {
  if (block.type === 'text') return [block.text]
  if (block.type === 'resource_link')
    return [block.uri, block.name, block.description].filter((text) => text !== undefined)
  if (block.type !== 'resource') return []
  const { resource } = block
  return 'text' in resource ? [resource.uri, resource.text] : [resource.uri]
}

/**
 * Runs a call that may run on its server, with the very arguments that were asked about, and tells the session how it ended. Rejects
 * with what the server answers as an error of the protocol, and with the signal's reason.
 */
export async function runUpstream(
  call: Call,
  answer: Answer,
  meta: Record<string, unknown>,
): Promise<CallToolResult> {
  const { offered, args, context } = call
  const { signal } = context.mcpReq
  try {
    // The verdict may have come in the same turn as the abort: what is not begun is not to begin.
    signal.throwIfAborted()
    const onProgress = progressTo(call)
    const result = await offered.upstream.call(offered.tool, args, { signal, meta, onProgress })
    await report(call, answer, stepResultOf(result))
    return result
  } catch (error) {
    await report(call, answer, { outcome: 'error', result: reasonOf(error) })
    if (signal.aborted || error instanceof ProtocolError) throw error
    return refused(`\`${offered.name}\` failed: ${reasonOf(error)}`)
  }
}

/** What ran has run, whether or not it can be told; the session counts a call that never completes as its worst. */
async function report({ session: seat }: Call, answer: Answer, result: StepResult): Promise<void> {
  await seat.session.complete(answer, result).catch((error: unknown) => {
    process.emitWarning(`plimsoll: a completed step could not be reported: ${reasonOf(error)}`)
  })
}

function progressTo({ context }: Call): ((progress: Progress) => void) | undefined {
  const { _meta, notify } = context.mcpReq
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress) => {
    // The client may have gone: its call's signal tells.
    notify({ method: 'notifications/progress', params: { ...progress, progressToken } }).catch(() => {})
  }
}

export interface CallsOptions {
  readonly toolset: Toolset
  readonly limits: McpLimits
  readonly approvals: Approvals
  readonly onOutcome: (outcome: Outcome) => void
}

export type Respond = (
  request: CallToolRequest,
  context: ServerContext,
  callerOf: () => Promise<Caller>,
) => Promise<CallToolResult | InputRequiredResult>

/** What becomes of a `tools/call`: asked about, run on its server if it may, and told. */
export function createCalls({ toolset, limits, approvals: hearing, onOutcome }: CallsOptions): Respond {
  // It travels to the client and back in a question's state, which is signed and can be read.
  const digestOf = createArgumentDigest(randomBytes(32))
  const open = createOpenRequests(limits.callsOfOneMax)
  return async ({ params }, context, callerOf) => {
    const { name, arguments: given = {} } = params
    const offered = await toolset.find(name)
    if (!offered) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool \`${name}\``)
    if ('reason' in offered) return ended('withheld', refused(`\`${name}\` is withheld: ${offered.why}.`))
    const within = bounded(given, limits)
    if ('problem' in within) return ended('refused', refused(`\`${name}\` was not run: ${within.problem}.`))
    const { args } = within
    const digest = once(() => digestOf([offered.asked, args]))
    const caller = await callerOf()
    const { session: seat } = caller
    return open.during(seat.principal.name, () =>
      inUse(seat, () => respond({ ...caller, offered, args, digest, context })),
    )
  }

  async function respond(call: Call): Promise<CallToolResult | InputRequiredResult> {
    const { name } = call.offered
    const received = await hearing(call)
    if ('instead' in received)
      return ended(received.outcome, stamped(call, received.instead, received.answer))
    const { answer } = received
    if (!answer.mayRun) return ended('blocked', stamped(call, blocked(name, answer), answer))
    const result = await runUpstream(call, answer, forwardedMeta(metaOf(call.context.mcpReq)))
    return ended(result.isError === true ? 'failed' : 'ran', stamped(call, result, answer))
  }

  function ended<R>(outcome: Outcome, result: R): R {
    onOutcome(outcome)
    return result
  }
}

async function inUse<T>(seat: McpSession, action: () => Promise<T>): Promise<T> {
  seat.calls++
  try {
    return await action()
  } finally {
    seat.calls--
    seat.usedAt = Date.now()
  }
}

/** With what the client may want to know: the session, what was decided, and what the result is to be taken for. */
function stamped<R extends CallToolResult | InputRequiredResult>(
  { token, offered }: Call,
  result: R,
  { verdict, by, decision }: Answer,
): R {
  return {
    ...result,
    _meta: {
      // What a server says in our name is not said on.
      ...forwardedMeta(metaOf(result)),
      [SESSION_KEY]: token,
      [DECISION_KEY]: { verdict, by, ...(decision && { id: decision.id }) },
      ...(offered.labels && { [LABELS_KEY]: offered.labels }),
    },
  }
}
