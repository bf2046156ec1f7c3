import type { Topics } from '@plimsoll/contracts'
import { readDocument } from '@plimsoll/policy'
import type { EventLog } from '@plimsoll/runtime'
import type { GatewayPlugin } from '../context.js'
import type { GatewayConfig } from '../settings.js'
import { createSignedApprover } from './call/signed-approver.js'
import { createMcpPlugin } from './http/plugin.js'
import { readServersFile } from './servers-file.js'
import { createFilePins, createMemoryPins } from './tools/pin-store.js'

type Config = Pick<GatewayConfig, 'mcpServersFile' | 'mcpPinsFile' | 'mcpApprovedOnly' | 'catalogueFile' | 'signingKey'>

/** The MCP proxy of a gateway whose settings name servers; none where they name none. Rejects with `document_invalid`. */
export async function mcpPluginsOf(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  { log, topics }: { readonly log: Pick<EventLog, 'produce'>; readonly topics: Topics },
): Promise<readonly GatewayPlugin[]> {
  const { mcpServersFile: file, mcpPinsFile: pins, mcpApprovedOnly, catalogueFile, signingKey } = config
  if (file === undefined) return []
  const [servers, catalogue] = await Promise.all([readServersFile(file), readDocument('catalogue', catalogueFile)])
  const approve = signingKey === undefined ? undefined : createSignedApprover(log, topics.events, signingKey)
  const plugin = createMcpPlugin({
    servers,
    environment,
    pins: pins === undefined ? createMemoryPins() : createFilePins(pins),
    approvesFirst: !mcpApprovedOnly,
    catalogue,
    ...(approve && { approve }),
  })
  return [plugin]
}
