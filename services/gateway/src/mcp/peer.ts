import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** What is read of a client here; of the 2026 era each request tells it anew, of the 2025 era the handshake has. */
const capabilitiesSchema = z.object({ elicitation: z.record(z.string(), z.unknown()).optional() })
const infoSchema = z.object({ name: z.string() })

/** Whether the client of a call can ask its user in a form. */
export function canElicit(context: ServerContext, server: Server): boolean {
  const told = inEnvelope(context, CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities()
  const elicitation = capabilitiesSchema.safeParse(told).data?.elicitation
  return elicitation !== undefined && (Object.keys(elicitation).length === 0 || 'form' in elicitation)
}

/** What the client of a call says it is. */
export function clientName(context: ServerContext, server: Server): string | undefined {
  const told = inEnvelope(context, CLIENT_INFO_META_KEY) ?? server.getClientVersion()
  return infoSchema.safeParse(told).data?.name
}

function inEnvelope({ mcpReq }: ServerContext, key: string): unknown {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
  return envelope[key]
}
