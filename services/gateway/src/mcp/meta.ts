import { META_KEY } from '@plimsoll/labels'

/** Prefix of Plimsoll's own `_meta` keys, which are never passed on to a server. */
const OWN = 'dev.plimsoll/'

/** In a request: the session to continue, from an earlier answer. In an answer: its session. */
export const SESSION_KEY = `${OWN}session`

/** In a host's request: the host's name for the conversation. Each conversation is a session. */
export const CONVERSATION_KEY = `${OWN}conversation`

/** In a host's request: the user of the conversation that starts. */
export const USER_KEY = `${OWN}user`

/** In a host's request: the user's task, if the conversation starts with it. */
export const TASK_KEY = `${OWN}task`

/** In a host's request: what the user has said after the task. */
export const MESSAGE_KEY = `${OWN}message`

/** In an answer: the decision on the call. */
export const DECISION_KEY = `${OWN}decision`

/** In an answer: the labels of the tool's result. In a server's answer: its own labels, which can only raise. */
export const LABELS_KEY = META_KEY

type Meta = Readonly<Record<string, unknown>>

export const metaOf = ({ _meta }: { readonly _meta?: Meta | undefined }): Meta | undefined => _meta

/** `_meta` without Plimsoll's keys, and without the progress token, which belongs to the connection. */
export function forwardedMeta(meta: Meta | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(meta ?? {}).filter(([key]) => !key.startsWith(OWN) && key !== 'progressToken'),
  )
}

/** A member of `_meta` if it is a non-empty string of at most `max` characters. */
export function textIn(meta: Meta | undefined, key: string, max: number): string | undefined {
  const value = meta?.[key]
  return typeof value === 'string' && value.length > 0 && value.length <= max ? value : undefined
}
