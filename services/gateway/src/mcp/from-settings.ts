import { randomUUID } from 'node:crypto'
import { type Catalogue, type Topics, PlimsollError, approvalRecord } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import type { GatewayPlugin } from '../context.js'
import type { GatewayConfig } from '../settings.js'
import type { Approve } from './call/approvals.js'
import { createMcpPlugin } from './http/plugin.js'
import { readServersFile } from './servers-file.js'
import { createFilePins, createMemoryPins } from './tools/pin-store.js'

/** Publishes what a user says, signed with the deployment's key, for the monitors to judge the step once more. */
export function createSignedApprover(
  log: Pick<EventLog, 'produce'>,
  eventsTopic: string,
  signingKey: string,
): Approve {
  return async ({ decision, callId }, said) => {
    if (!decision) throw new PlimsollError('approval_unknown', `call \`${callId}\` waits for no approval`)
    const { id: decisionId, sessionId, argumentsDigest, expiresAt = 0 } = decision
    const asked = { sessionId, decisionId, argumentsDigest, expiresAt }
    const id = `approval-${randomUUID()}`
    const reported = { ...asked, ...said, id, producer: 'plimsoll-gateway', timeMs: Date.now() }
    await log.produce(eventsTopic, [approvalRecord(reported, signingKey)])
  }
}

type Config = Pick<GatewayConfig, 'mcpServersFile' | 'mcpPinsFile' | 'mcpApprovedOnly' | 'signingKey'>

interface Around {
  /** Variables that servers may be given. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly catalogue: Catalogue
  readonly log: Pick<EventLog, 'produce'>
  readonly topics: Topics
}

/** The MCP proxy of a gateway whose settings name servers; none where they name none. Rejects with `document_invalid`. */
export async function mcpPluginsOf(
  config: Config,
  { environment, catalogue, log, topics }: Around,
): Promise<readonly GatewayPlugin[]> {
  const { mcpServersFile: file, mcpPinsFile: pins, mcpApprovedOnly, signingKey } = config
  if (file === undefined) return []
  const approve = signingKey === undefined ? undefined : createSignedApprover(log, topics.events, signingKey)
  const plugin = createMcpPlugin({
    servers: await readServersFile(file),
    environment,
    pins: pins === undefined ? createMemoryPins() : createFilePins(pins),
    approvesFirst: !mcpApprovedOnly,
    catalogue,
    ...(approve && { approve }),
  })
  return [plugin]
}
