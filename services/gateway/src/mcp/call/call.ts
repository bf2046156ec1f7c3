import type { Answer } from '@plimsoll/client'
import { randomBytes } from 'node:crypto'
import { createArgumentDigest } from '@plimsoll/contracts'
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { createOpenRequests } from '../../check/open-requests.js'
import type { McpLimits } from '../limits.js'
import { LABELS_KEY, DECISION_KEY, metaOf, passedOn, SESSION_KEY } from '../meta.js'
import type { Seat } from '../session/seat.js'
import type { OfferedTool } from '../tools/offer.js'
import type { Toolset } from '../tools/toolset.js'
import { bounded } from './bounds.js'
import type { Arguments } from './frozen.js'
import { once } from './once.js'
import type { Hearing } from './hearing.js'
import { blocked, refused } from './refusal.js'
import { runUpstream } from './run-upstream.js'

/** Whose call it is. */
export interface Caller {
  readonly seat: Seat
  /** What later calls show to go on with the session. */
  readonly token: string
  /** Whether the client can ask its user, and is to be believed what he says. */
  readonly canAsk: () => boolean
}

/** A call on its way. */
export interface Call extends Caller {
  readonly offered: OfferedTool
  readonly args: Arguments
  /** Of the tool and its arguments; most calls need none. */
  readonly digest: () => string
  readonly context: ServerContext
}

export interface CallsOptions {
  readonly toolset: Toolset
  readonly limits: McpLimits
  readonly hearing: Hearing
  readonly onOutcome: (outcome: Outcome) => void
}

/** What became of a call. */
export type Outcome = 'ran' | 'failed' | 'blocked' | 'asked' | 'withheld' | 'refused'

export type Respond = (
  request: CallToolRequest,
  context: ServerContext,
  callerOf: () => Promise<Caller>,
) => Promise<CallToolResult | InputRequiredResult>

/** What becomes of a `tools/call`: asked about, run on its server if it may, and told. */
export function createCalls({ toolset, limits, hearing, onOutcome }: CallsOptions): Respond {
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
    const { seat } = caller
    return open.during(seat.principal.name, () =>
      inUse(seat, () => respond({ ...caller, offered, args, digest, context })),
    )
  }

  async function respond(call: Call): Promise<CallToolResult | InputRequiredResult> {
    const { name } = call.offered
    const heard = await hearing(call)
    if ('instead' in heard) return ended(heard.outcome, stamped(call, heard.instead, heard.answer))
    const { answer } = heard
    if (!answer.mayRun) return ended('blocked', stamped(call, blocked(name, answer), answer))
    const result = await runUpstream(call, answer, passedOn(metaOf(call.context.mcpReq)))
    return ended(result.isError === true ? 'failed' : 'ran', stamped(call, result, answer))
  }

  function ended<R>(outcome: Outcome, result: R): R {
    onOutcome(outcome)
    return result
  }
}

async function inUse<T>(seat: Seat, action: () => Promise<T>): Promise<T> {
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
      ...passedOn(metaOf(result)),
      [SESSION_KEY]: token,
      [DECISION_KEY]: { verdict, by, ...(decision && { id: decision.id }) },
      ...(offered.labels && { [LABELS_KEY]: offered.labels }),
    },
  }
}
