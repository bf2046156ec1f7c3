import type { StepResult } from '@plimsoll/client'
import { claimedLabelsSchema } from '@plimsoll/contracts'
import type { McpOutcome } from '../metrics.js'
import type { Arguments } from './approvals.js'
import { LABELS_KEY } from './meta.js'
import { readableIn } from './readable.js'
import { type Members, invalid, isObject, metaIn, textMember } from './rpc/messages.js'
import { type StepCaller, type Steps, refusedResult, stampOf, stamped } from './steps.js'
import type { OfferedTool, WithheldTool } from './tools/offer.js'
import type { Toolset } from './tools/toolset.js'

export interface CallsOptions {
  readonly toolset: Toolset
  readonly steps: Steps
  readonly onOutcome: (outcome: McpOutcome) => void
  /** Runs a call on its server; returns the server's result. */
  readonly forward: (offered: OfferedTool, args: Arguments, caller: StepCaller) => Promise<Members>
  /** What a human can do about a withheld tool. */
  readonly remedyOf: (withheld: WithheldTool) => string
  /** Gets each result of a server, which may be that of a task. */
  readonly onResult: (offered: OfferedTool, result: Members) => void
}

/** Handles a `tools/call`: proposes it, runs it on its server if it may run, and reports the result. */
export function createCalls({ toolset, steps, onOutcome, forward, remedyOf, onResult }: CallsOptions) {
  return async (params: Members, callerOf: () => Promise<StepCaller>): Promise<Members> => {
    const name = textMember(params, 'name') ?? ''
    const { arguments: given = {} } = params
    if (!isObject(given)) throw invalid('expected an object in `arguments`')
    const offered = await toolset.find(name)
    if (!offered) throw invalid(`there is no tool \`${name}\``)
    if ('reason' in offered) {
      onOutcome('withheld')
      return refusedResult(withheldText(offered, remedyOf(offered)), {})
    }
    const caller = await callerOf()
    const step = await steps(caller, offered, given, async (args) => {
      const result = await forward(offered, args, caller)
      onResult(offered, result)
      return { result, report: stepResultOf(result) }
    })
    const stamp = step.answer ? stampOf({ ...caller, offered }, step.answer) : {}
    if ('refused' in step) {
      onOutcome(step.outcome)
      return refusedResult(step.refused, stamp)
    }
    onOutcome(step.ran['isError'] === true ? 'failed' : 'ran')
    return stamped(step.ran, stamp)
  }
}

/** Why a tool is withheld, and what a human can do. */
export const withheldText = ({ name, why }: WithheldTool, remedy: string): string =>
  `\`${name}\` is withheld: ${why}.${remedy && ` ${remedy}`}`

/** What a tool's result reports to its session: its texts, and its server's labels. */
function stepResultOf(result: Members): StepResult {
  const claimed = claimedLabelsSchema.safeParse(metaIn(result)[LABELS_KEY])
  return {
    outcome: result['isError'] === true ? 'error' : 'ok',
    ...readableIn(result),
    ...(claimed.success && { labels: claimed.data }),
  }
}
