import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server'
import { type Members, MODERN, invalid, isObject, membersIn, metaIn } from '../rpc/messages.js'
import type { ClientIdentity } from '../upstream/link.js'

/** Whether a request says that it is of the 2026 era, or a later one. */
export const isEnveloped = (params: Members): boolean => PROTOCOL_VERSION_META_KEY in metaIn(params)

/** The client of an enveloped request. Throws a protocol error if the envelope is incomplete or of another revision. */
export function clientIn(params: Members): ClientIdentity {
  const meta = metaIn(params)
  const revision = meta[PROTOCOL_VERSION_META_KEY]
  if (revision !== MODERN)
    throw new UnsupportedProtocolVersionError({ supported: [MODERN], requested: String(revision) })
  if (!isObject(meta[CLIENT_CAPABILITIES_META_KEY]))
    throw invalid(`Invalid _meta envelope: ${CLIENT_CAPABILITIES_META_KEY} is missing`)
  return {
    era: MODERN,
    info: membersIn(meta, CLIENT_INFO_META_KEY),
    capabilities: membersIn(meta, CLIENT_CAPABILITIES_META_KEY),
  }
}
