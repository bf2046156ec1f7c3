import { type Catalogue, type Topics, PlimsollError } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import type { GatewayPlugin } from '../context.js'
import { createPublishApproval } from '../sessions/open-approvals.js'
import type { GatewayConfig } from '../settings.js'
import type { Approve } from './approvals.js'
import { createMcpPlugin } from './http.js'
import { readServersFile } from './servers-file.js'
import { createFilePins, createMemoryPins } from './tools/pins.js'

/** Passes on what the user of a client answers. */
function createSignedApprover(...to: Parameters<typeof createPublishApproval>): Approve {
  const publish = createPublishApproval(...to)
  return async ({ decision, callId }, approval) => {
    if (!decision) throw new PlimsollError('approval_unknown', `call \`${callId}\` waits for no approval`)
    await publish(decision, approval)
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
  config: Pick<
    GatewayConfig,
    'mcpServersFile' | 'mcpPinsFile' | 'mcpApprovedOnly' | 'mcpAllowNew' | 'signingKey'
  >,
  { environment, catalogue, log, topics }: Environment,
): Promise<readonly GatewayPlugin[]> {
  const { mcpServersFile: file, mcpPinsFile: pins, mcpApprovedOnly, mcpAllowNew, signingKey } = config
  if (file === undefined) return []
  const plugin = createMcpPlugin({
    servers: await readServersFile(file),
    environment,
    pins: pins === undefined ? createMemoryPins() : createFilePins(pins),
    approvesFirst: !mcpApprovedOnly,
    allowsNew: mcpAllowNew,
    approveWith: pins === undefined ? undefined : `plimsoll mcp approve --pins ${pins} --servers ${file}`,
    catalogue,
    ...(signingKey !== undefined && { approve: createSignedApprover(log, topics, signingKey) }),
  })
  return [plugin]
}
