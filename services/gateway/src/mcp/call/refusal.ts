import { explain, type Answer } from '@plimsoll/client'
import type { CallToolResult } from '@modelcontextprotocol/server'

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
  refused(`${explain({ ...asked, tool })}. There is nobody here who could be asked.`)

/** Told to an agent whose call may not run. */
export const blocked = (tool: string, answer: Answer): CallToolResult =>
  refused(`${explain({ ...answer, tool })}.`)
