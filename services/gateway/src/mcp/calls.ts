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
import { type Answer, type StepResult, explain, parseFrozen } from '@plimsoll/client'
import { claimedLabelsSchema, createArgumentDigest } from '@plimsoll/contracts'
import { createOpenRequests } from '../http/plugin.js'
import type { McpOutcome } from '../metrics.js'
import type { SessionRegistry } from '../sessions/session-registry.js'
import { type Arguments, type Call, type Caller, type createApprovals, refused } from './approvals.js'
import type { McpLimits } from './limits.js'
import { DECISION_KEY, LABELS_KEY, SESSION_KEY, forwardedMeta, metaOf } from './meta.js'
import type { Toolset } from './tools/toolset.js'
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

export interface CallsOptions {
  readonly toolset: Toolset
  readonly sessions: SessionRegistry
  readonly limits: McpLimits
  readonly approvals: ReturnType<typeof createApprovals>
  readonly onOutcome: (outcome: McpOutcome) => void
}

type Result = CallToolResult | InputRequiredResult

/** Handles a `tools/call`: proposes it, runs it on its server if it may run, and reports the result. */
export function createCalls({ toolset, sessions, limits, approvals, onOutcome }: CallsOptions) {
  // Keyed, because the digest is readable in the state of an approval request.
  const digestOf = createArgumentDigest(randomBytes(32))
  const open = createOpenRequests(limits.callsOfOneMax)

  async function respond(call: Call): Promise<Result> {
    const { name } = call.offered
    const approved = await approvals(call)
    const { answer } = approved
    if ('instead' in approved) return ended(approved.outcome, stamped(call, approved.instead, answer))
    if (!answer.mayRun)
      return ended('blocked', stamped(call, refused(`${explain({ ...answer, tool: name })}.`), answer))
    const result = await runUpstream(call, answer)
    return ended(result.isError === true ? 'failed' : 'ran', stamped(call, result, answer))
  }

  function ended<R>(outcome: McpOutcome, result: R): R {
    onOutcome(outcome)
    return result
  }

  return async (
    { params }: CallToolRequest,
    context: ServerContext,
    callerOf: () => Promise<Caller>,
  ): Promise<Result> => {
    const { name, arguments: given = {} } = params
    const offered = await toolset.find(name)
    if (!offered) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool \`${name}\``)
    if ('reason' in offered) return ended('withheld', refused(`\`${name}\` is withheld: ${offered.why}.`))
    const within = bounded(given, limits)
    if ('problem' in within) return ended('refused', refused(`\`${name}\` was not run: ${within.problem}.`))
    const { args } = within
    let made: string | undefined
    const digest = () => (made ??= digestOf([offered.asked, args]))
    const caller = await callerOf()
    const { held } = caller
    return open.during(held.principal.name, () =>
      sessions.during(held, () => respond({ ...caller, offered, args, digest, context })),
    )
  }
}

/**
 * Runs a call on its server with the arguments that were proposed, and reports its result. Rejects with the server's protocol errors, and
 * with the signal's reason.
 */
async function runUpstream(call: Call, answer: Answer): Promise<CallToolResult> {
  const { offered, args, context } = call
  const { signal } = context.mcpReq
  const meta = forwardedMeta(metaOf(context.mcpReq))
  try {
    // The verdict may arrive in the same turn as the abort.
    signal.throwIfAborted()
    const onProgress = progressTo(context)
    const result = await offered.upstream.call(offered.tool, args, { signal, meta, onProgress })
    await report(call, answer, stepResultOf(result))
    return result
  } catch (error) {
    await report(call, answer, { outcome: 'error', result: reasonOf(error) })
    if (signal.aborted || error instanceof ProtocolError) throw error
    return refused(`\`${offered.name}\` failed: ${reasonOf(error)}`)
  }
}

/** The step has run even if it cannot be reported; the session then counts it as the worst of its labels. */
async function report({ held }: Call, answer: Answer, result: StepResult): Promise<void> {
  await held.session.complete(answer, result).catch((error: unknown) => {
    process.emitWarning(`plimsoll: a completed step could not be reported: ${reasonOf(error)}`)
  })
}

function progressTo({ mcpReq }: ServerContext): ((progress: Progress) => void) | undefined {
  const { _meta, notify } = mcpReq
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress) => {
    // If the client has gone, the call's signal aborts.
    notify({ method: 'notifications/progress', params: { ...progress, progressToken } }).catch(() => {})
  }
}

/** What a tool's result reports to its session: its texts, and its server's labels. */
function stepResultOf(result: CallToolResult): StepResult {
  const claimed = claimedLabelsSchema.safeParse(metaOf(result)?.[LABELS_KEY])
  return {
    outcome: result.isError === true ? 'error' : 'ok',
    result: readableIn(result),
    ...(claimed.success && { labels: claimed.data }),
  }
}

/** Everything readable in a result; images and sounds are not. */
function readableIn({ content, structuredContent }: CallToolResult): unknown {
  const texts = content.flatMap(textsOf)
  if (structuredContent === undefined) return texts.length === 1 ? texts[0] : texts
  // Most servers send the same content in both forms.
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

/** Adds the session, the decision and the tool's labels to a result, in place of any that its server claims. */
function stamped<R extends Result>({ held, offered }: Call, result: R, { verdict, by, decision }: Answer): R {
  return {
    ...result,
    _meta: {
      ...forwardedMeta(metaOf(result)),
      [SESSION_KEY]: held.token,
      [DECISION_KEY]: { verdict, by, ...(decision && { id: decision.id }) },
      ...(offered.labels && { [LABELS_KEY]: offered.labels }),
    },
  }
}
