import type { ClientSettings, PlimsollClient } from '@plimsoll/client'
import { PlimsollError } from '@plimsoll/contracts'
import { systemClock, type LineageStore } from '@plimsoll/runtime'
import { createLineage } from '../lineage/lineage.js'
import type { Principal } from '../principals/principal.js'
import { createPrincipalClient } from './principal-client.js'
import type { Switchboard } from './switchboard.js'

/** Principals that have a client in this process at a time. */
export const PRINCIPALS_MAX = 1_000

export interface PrincipalClients {
  of(principal: Principal): Promise<PlimsollClient>
  close(): Promise<void>
}

/** One client for each principal, made when it is first asked for: so nothing of one can be found through another. */
export function createPrincipalClients(
  switchboard: Switchboard,
  settings: ClientSettings,
  lineages?: LineageStore,
): PrincipalClients {
  const { clock = systemClock } = settings
  const clients = new Map<string, Promise<PlimsollClient>>()

  function add(principal: Principal): Promise<PlimsollClient> {
    if (clients.size >= PRINCIPALS_MAX)
      throw new PlimsollError('queue_full', `\`principalsMax\` (${PRINCIPALS_MAX}) is reached`)
    const lineage = lineages && createLineage(principal, { store: lineages, clock })
    const client = createPrincipalClient(principal, switchboard, settings, lineage)
    clients.set(principal.name, client)
    client.catch(() => clients.delete(principal.name))
    return client
  }

  return {
    of: async (principal) => clients.get(principal.name) ?? add(principal),
    close: async () => {
      await Promise.all([...clients.values()].map(async (client) => (await client).close()))
      clients.clear()
    },
  }
}
