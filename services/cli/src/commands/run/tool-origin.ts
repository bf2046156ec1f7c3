import path from 'node:path'
import { digestOf } from '@plimsoll/contracts'
import { type OfferedTool, type ServersDocument, definitionDigest } from '@plimsoll/gateway'

/** Where a tool of `servers` comes from: the digest of its definition and of its server's URL, or its command with its folder. */
export const toolOrigins =
  ({ servers }: ServersDocument) =>
  ({ server, tool }: OfferedTool): string =>
    digestOf({ server: addressOf(servers[server]), definition: definitionDigest(tool) })

/**
 * What starts or reaches a server. The same words start another one in another folder: `node server.js`, `npx server`. Its variables may
 * change.
 */
function addressOf(server: ServersDocument['servers'][string] | undefined): object {
  if (server === undefined) return {}
  if ('url' in server) return { url: server.url }
  const { command, args, cwd = '' } = server
  return { command, args, cwd: path.resolve(cwd) }
}
