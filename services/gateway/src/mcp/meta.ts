import { META_KEY } from '@plimsoll/labels'

/** Keys of `_meta` that are Plimsoll's own: they are never passed on to a server. */
const OWN = 'dev.plimsoll/'

/** In a request: the session that it goes on with, as an answer told it. In an answer: the session that it was part of. */
export const SESSION_KEY = `${OWN}session`

/** In a request of a host: whichever of its conversations this is, by a name of the host's own. Each is a session. */
export const CONVERSATION_KEY = `${OWN}conversation`

/** In a request of a host: whom the conversation is with, where it begins. */
export const USER_KEY = `${OWN}user`

/** In a request of a host: what the user wants, where the conversation begins with it. */
export const TASK_KEY = `${OWN}task`

/** In a request of a host: what the user has said since the task. */
export const MESSAGE_KEY = `${OWN}message`

/** In an answer: what was decided of the call. */
export const DECISION_KEY = `${OWN}decision`

/** In an answer: what the tool's result is taken to be. In a server's answer: what it says of it, which can only raise. */
export const LABELS_KEY = META_KEY

export type Meta = Readonly<Record<string, unknown>>

/** What MCP lets anything carry along. */
export interface Carrier {
  readonly _meta?: Meta | undefined
}

export const metaOf = ({ _meta }: Carrier): Meta | undefined => _meta

/** What a server may see of a request's `_meta`. The progress token is the connection's own. */
export function forwardedMeta(meta: Meta | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(meta ?? {}).filter(([key]) => !key.startsWith(OWN) && key !== 'progressToken'),
  )
}

/** A member of `_meta` that is a line of text of at most `max` characters. */
export function textIn(meta: Meta | undefined, key: string, max: number): string | undefined {
  const value = meta?.[key]
  return typeof value === 'string' && value.length > 0 && value.length <= max ? value : undefined
}
