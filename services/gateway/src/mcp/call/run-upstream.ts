import type { Answer, StepResult } from '@plimsoll/client'
import { ProtocolError, type CallToolResult, type Progress } from '@modelcontextprotocol/server'
import { reasonOf } from '../upstream/upstream.js'
import type { Call } from './call.js'
import { refused } from './refusal.js'
import { stepResultOf } from './result.js'

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
    await tell(call, answer, stepResultOf(result))
    return result
  } catch (error) {
    await tell(call, answer, { outcome: 'error', result: reasonOf(error) })
    if (signal.aborted || error instanceof ProtocolError) throw error
    return refused(`\`${offered.name}\` failed: ${reasonOf(error)}`)
  }
}

/** What ran has run, whether or not it can be told; the session counts a call that never completes as its worst. */
async function tell({ seat }: Call, answer: Answer, result: StepResult): Promise<void> {
  await seat.session.complete(answer, result).catch((error: unknown) => {
    process.emitWarning(`plimsoll: a completed call could not be told: ${reasonOf(error)}`)
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
