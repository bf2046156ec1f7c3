import type { ClientSettings, PlimsollClient } from '@plimsoll/client'
import { PlimsollError } from '@plimsoll/contracts'
import { type LineageStore, systemClock } from '@plimsoll/runtime'
import type { Principal } from '../auth/principals-file.js'
import { type LineageScope, createLineage } from '../lineage/lineage.js'
import { type PrincipalClient, createPrincipalClient } from './principal-client.js'
import type { Switchboard } from './switchboard.js'

/** Principals that have a client in this process at a time. */
export const PRINCIPALS_MAX = 1_000

interface PrincipalEntry {
  readonly client: Promise<PrincipalClient>
  /** Once it is there. */
  made: PrincipalClient | undefined
}

export interface PrincipalClients {
  /** With `scope`, of a host: the client for its sessions that it does not name. */
  of(principal: Principal, scope?: LineageScope): Promise<PlimsollClient>
  close(): Promise<void>
}

/** One client for each principal, made when it is first asked for: so nothing of one can be found through another. */
export function createPrincipalClients(
  switchboard: Switchboard,
  settings: ClientSettings,
  lineages?: LineageStore,
  principalsMax: number = PRINCIPALS_MAX,
): PrincipalClients {
  const { clock = systemClock } = settings
  const clients = new Map<string, PrincipalEntry>()

  /** Those without a session are made again when they are asked for again. */
  function makeRoom(): void {
    for (const [name, { made }] of clients) {
      if (!made?.isIdle()) continue
      clients.delete(name)
      made.close().catch(() => {})
      return
    }
  }

  function add(principal: Principal): Promise<PrincipalClient> {
    if (clients.size >= principalsMax) makeRoom()
    if (clients.size >= principalsMax)
      throw new PlimsollError('queue_full', `\`principalsMax\` (${principalsMax}) is reached`)
    const lineageOf =
      lineages && ((scope?: LineageScope) => createLineage(principal, { store: lineages, clock, scope }))
    const client = createPrincipalClient(principal, switchboard, settings, lineageOf)
    const entry: PrincipalEntry = { client, made: undefined }
    clients.set(principal.name, entry)
    client.then(
      (made) => void (entry.made = made),
      () => clients.delete(principal.name),
    )
    return client
  }

  return {
    of: async (principal, scope) => {
      const client = await (clients.get(principal.name)?.client ?? add(principal))
      return scope === undefined || principal.trust === 'agent' ? client : client.withScope(scope)
    },
    close: async () => {
      await Promise.all([...clients.values()].map(async ({ client }) => (await client).close()))
      clients.clear()
    },
  }
}
