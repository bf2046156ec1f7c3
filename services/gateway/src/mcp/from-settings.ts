import type { Catalogue, Topics } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import type { GatewayPlugin } from '../context.js'
import type { GatewayConfig } from '../settings.js'
import { createSignedApprover } from './call/signed-approver.js'
import { createMcpPlugin } from './http/plugin.js'
import { readServersFile } from './servers-file.js'
import { createFilePins, createMemoryPins } from './tools/pin-store.js'

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
