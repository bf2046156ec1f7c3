import type { ModelMessage } from 'ai'

export interface CallInMessages {
  readonly toolCallId: string
  readonly messages?: readonly ModelMessage[]
}

/**
 * Whether the call is one of a turn before, whose user was asked about it since: the SDK asks once more before it runs it. What a user
 * was shown is known from when the call was new; a history that comes from a browser proves nothing.
 */
export const isInHistory = ({ toolCallId, messages = [] }: CallInMessages): boolean =>
  messages.some(({ content }) => Array.isArray(content) && content.some((part) => isCall(part, toolCallId)))

const isCall = (part: unknown, id: string): boolean =>
  typeof part === 'object' &&
  part !== null &&
  'type' in part &&
  part.type === 'tool-call' &&
  'toolCallId' in part &&
  part.toolCallId === id
