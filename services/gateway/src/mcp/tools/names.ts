import { toolNameSchema } from '@plimsoll/contracts'

/** Between a server's name and its tool's; no server's name has it, so no two tools of two servers are ever called alike. */
const SEPARATOR = '__'

/** Names longer than that are refused by the models of several vendors. */
const NAME_CHARS_MAX = 128

export const SERVER_NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/

/** What an agent calls `tool` of `server`; undefined where it can have no name. */
export function exposedName(server: string, tool: string, isPrefixed: boolean): string | undefined {
  const name = isPrefixed ? `${server}${SEPARATOR}${tool}` : tool
  return name.length <= NAME_CHARS_MAX && toolNameSchema.safeParse(name).success ? name : undefined
}
