import { randomUUID } from 'node:crypto'
import {
  type ClientSettings,
  type PlimsollClient,
  type ResumedSession,
  type Session,
  type SessionOptions,
  TIMEOUT_MS,
  createClient,
} from '@plimsoll/client'
import { PlimsollError } from '@plimsoll/contracts'
import { createEntryFinder } from '@plimsoll/labels'
import { extendShipped } from '@plimsoll/policy'
import { type LineageStore, systemClock } from '@plimsoll/runtime'
import type { Principal } from '../auth/principals.js'
import type { DecisionRouter, OnDecision } from './decision-router.js'
import { type Lineage, type LineageScope, createLineage } from './lineage.js'
import { memberSession, startMember } from './lineage-member.js'
import { acceptOptions, acceptWorld, restrictToAgent } from './trust.js'

/** Principals that have a client in this process at a time. */
const PRINCIPALS_MAX = 1_000

/** Limits of one principal, so that it fills its own queue before the gateway's memory. */
const LIMITS_OF_ONE = { queueEventsMax: 2_000, openProposalsMax: 1_000, sessionsMax: 5_000 } as const

/**
 * Prefix of the ids of a principal's sessions: `acme~support-bot:run-7`. It shows every gateway whose session it is, so no principal can
 * claim another's. Names contain no `:`, so no prefix is the beginning of another.
 */
export const prefixOf = ({ tenant, name }: Pick<Principal, 'tenant' | 'name'>): string => `${tenant}~${name}:`

/** The id of a session that `principal` calls `name`. */
function sessionIdOf(principal: Principal, name: string = randomUUID()): string {
  const prefix = prefixOf(principal)
  return name.startsWith(prefix) ? name : prefix + name
}

interface PrincipalEntry {
  readonly client: Promise<PrincipalClient>
  /** Set once the client is there. */
  made: PrincipalClient | undefined
}

/** One client per principal, created on first use, so that no principal finds another's sessions. */
export function createPrincipalClients(
  router: DecisionRouter,
  settings: ClientSettings,
  lineages?: LineageStore,
  principalsMax: number = PRINCIPALS_MAX,
) {
  const { clock = systemClock } = settings
  const clients = new Map<string, PrincipalEntry>()

  function closeOneIdle(): void {
    for (const [name, { made }] of clients) {
      if (!made?.isIdle()) continue
      clients.delete(name)
      made.close().catch(() => {})
      return
    }
  }

  function add(principal: Principal): Promise<PrincipalClient> {
    if (clients.size >= principalsMax) closeOneIdle()
    if (clients.size >= principalsMax)
      throw new PlimsollError('queue_full', `\`principalsMax\` (${principalsMax}) is reached`)
    const lineageOf =
      lineages && ((scope?: LineageScope) => createLineage(principal, { store: lineages, clock, scope }))
    const client = createPrincipalClient(principal, router, settings, lineageOf)
    const entry: PrincipalEntry = { client, made: undefined }
    clients.set(principal.name, entry)
    client.then(
      (made) => void (entry.made = made),
      () => clients.delete(principal.name),
    )
    return client
  }

  return {
    /** With `scope`, the client of a host's unnamed sessions. */
    of: async (principal: Principal, scope?: LineageScope): Promise<PlimsollClient> => {
      const client = await (clients.get(principal.name)?.client ?? add(principal))
      return scope === undefined || principal.trust === 'agent' ? client : client.withScope(scope)
    },
    close: async (): Promise<void> => {
      await Promise.all([...clients.values()].map(async ({ client }) => (await client).close()))
      clients.clear()
    },
  }
}

interface PrincipalClient extends PlimsollClient {
  /** Whether it has no session. */
  isIdle(): boolean
  /** The same client, whose sessions start with the state of the others of `scope`. */
  withScope(scope: LineageScope): PlimsollClient
}

/** A client for the sessions of one principal that are held in this process. */
async function createPrincipalClient(
  principal: Principal,
  router: DecisionRouter,
  settings: ClientSettings,
  lineageOf?: (scope?: LineageScope) => Lineage,
): Promise<PrincipalClient> {
  const catalogue = await extendShipped(settings.catalogue)
  const entryOf = createEntryFinder(catalogue)
  const isAgent = principal.trust === 'agent'
  const ownLineage = isAgent ? lineageOf?.() : undefined
  const claimed = new Set<string>()
  let receiver: OnDecision = () => {}
  const client = await createClient({
    ...settings,
    limits: { ...LIMITS_OF_ONE, ...settings.limits },
    catalogue,
    principal: principal.name,
    channel: {
      send: router.send,
      listen: async (onRecord) => {
        receiver = onRecord
        return { close: async () => claimed.forEach((id) => router.release(id, receiver)) }
      },
    },
  })

  function end(id: string): void {
    claimed.delete(id)
    router.end(id)
  }

  /** Claims the decisions on session `id` for as long as the session that `open` returns is open. */
  async function withClaim(id: string, open: () => Promise<Session>): Promise<Session> {
    const isNew = !claimed.has(id)
    if (isNew) {
      claimed.add(id)
      router.claim(id, receiver)
    }
    try {
      const opened = await open()
      const session = isAgent ? restrictToAgent(opened, entryOf, settings.timeoutMs ?? TIMEOUT_MS) : opened
      return { ...session, end: (outcome) => session.end(outcome).then(() => end(id)) }
    } catch (error) {
      if (isNew) end(id)
      throw error
    }
  }

  function startSession(options: SessionOptions = {}, lineage = ownLineage): Promise<Session> {
    const id = sessionIdOf(principal, options.id)
    return withClaim(id, async () => {
      const accepted = { ...acceptOptions(principal, options), id }
      return lineage ? startMember(client, accepted, lineage) : client.startSession(accepted)
    })
  }

  /** An agent's resumed session has an unknown past, which counts as the worst for its other sessions too. */
  function resumeSession(resumed: ResumedSession): Promise<Session> {
    const id = sessionIdOf(principal, resumed.id)
    return withClaim(id, async () => {
      const world = acceptWorld(principal, resumed.world)
      const session = await client.resumeSession({ ...resumed, id, ...(world && { world }) })
      const member = await ownLineage?.begin(id)
      return member ? memberSession(session, member, member.others) : session
    })
  }

  const own: PlimsollClient = { ...client, startSession: (options) => startSession(options), resumeSession }
  return {
    ...own,
    isIdle: () => claimed.size === 0,
    withScope: (scope) => {
      const lineage = lineageOf?.(scope)
      return { ...own, startSession: (options) => startSession(options, lineage) }
    },
  }
}
