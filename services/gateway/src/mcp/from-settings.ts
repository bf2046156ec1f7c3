import { randomUUID } from 'node:crypto'
import { type Catalogue, type Topics, PlimsollError, approvalRecord } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import type { GatewayPlugin } from '../context.js'
import type { GatewayConfig } from '../settings.js'
import type { Approve } from './approvals.js'
import { createMcpPlugin } from './http.js'
import { readServersFile } from './servers-file.js'
import { createFilePins, createMemoryPins } from './tools/pins.js'

/** Publishes a user's approval, signed with the deployment's key, for the monitors to decide the step again. */
function createSignedApprover(log: Pick<EventLog, 'produce'>, topic: string, signingKey: string): Approve {
  return async ({ decision, callId }, approval) => {
    if (!decision) throw new PlimsollError('approval_unknown', `call \`${callId}\` waits for no approval`)
    const { id: decisionId, sessionId, argumentsDigest, expiresAt = 0 } = decision
    const asked = { sessionId, decisionId, argumentsDigest, expiresAt }
    const id = `approval-${randomUUID()}`
    const event = { ...asked, ...approval, id, producer: 'plimsoll-gateway', timeMs: Date.now() }
    await log.produce(topic, [approvalRecord(event, signingKey)])
  }
}

interface Environment {
  /** Variables that servers may get. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly catalogue: Catalogue
  readonly log: Pick<EventLog, 'produce'>
  readonly topics: Topics
}

/** The MCP proxy if the settings name servers; otherwise none. Rejects with `document_invalid`. */
export async function mcpPluginsOf(
  config: Pick<GatewayConfig, 'mcpServersFile' | 'mcpPinsFile' | 'mcpApprovedOnly' | 'signingKey'>,
  { environment, catalogue, log, topics }: Environment,
): Promise<readonly GatewayPlugin[]> {
  const { mcpServersFile: file, mcpPinsFile: pins, mcpApprovedOnly, signingKey } = config
  if (file === undefined) return []
  const plugin = createMcpPlugin({
    servers: await readServersFile(file),
    environment,
    pins: pins === undefined ? createMemoryPins() : createFilePins(pins),
    approvesFirst: !mcpApprovedOnly,
    catalogue,
    ...(signingKey !== undefined && { approve: createSignedApprover(log, topics.events, signingKey) }),
  })
  return [plugin]
}
