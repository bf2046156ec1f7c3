import type { ProposedStep } from '@plimsoll/client'
import type { OfferedTool } from '@plimsoll/gateway'
import type { HookDoor } from '@plimsoll/hooks'
import { approveCommand } from '@plimsoll/client'
import type { Connected } from './mcp-connect.js'

/** How long what a conversation has read counts after its last step, milliseconds: people continue conversations weeks later. */
export const CONVERSATION_MS = 30 * 24 * 3_600_000

/** The place that decides, for hooks of coding agents. */
export function createHookDoor({ clientOf, approve, queue }: Connected): HookDoor {
  return {
    clientOf: (conversation) => clientOf({ conversation }),
    approve: approve && ((answer, approval, step) => approve(answer, approval, offeredOf(step))),
    queue: {
      approveWith: (answer) => queue.approveWith?.(answer) ?? approveCommand(answer.decision?.id ?? ''),
      add: (answer, lines, step) => queue.add(answer, lines, offeredOf(step)),
      remove: async (answer) => queue.remove?.(answer),
      collect: async () => queue.collect?.(),
      findKept: async (asked, step) => queue.findKept?.(asked, offeredOf(step)),
    },
  }
}

/** A tool of a client in the form of a server's: approvals that are kept are for tools of hooks alone. */
const offeredOf = ({ tool }: ProposedStep): OfferedTool => ({
  name: tool,
  asked: tool,
  tool: { name: tool, inputSchema: { type: 'object' } },
  server: 'hook',
  claimed: {},
  labels: undefined,
})
