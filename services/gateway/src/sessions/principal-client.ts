import {
  createClient,
  TIMEOUT_MS,
  type ClientSettings,
  type PlimsollClient,
  type ResumedSession,
  type Session,
  type SessionOptions,
} from '@plimsoll/client'
import { PlimsollError } from '@plimsoll/contracts'
import { createEntryFinder } from '@plimsoll/labels'
import { readDocument } from '@plimsoll/policy'
import type { LineageScope } from '../lineage/scope.js'
import type { Lineage } from '../lineage/lineage.js'
import { memberSession } from '../lineage/member-session.js'
import type { Principal } from '../principals/principal.js'
import { withoutVouching } from './agent-session.js'
import { sessionIdOf } from './session-ids.js'
import type { OnDecision, Switchboard } from './switchboard.js'

export interface PrincipalClient extends PlimsollClient {
  /** Whether it has no session. */
  isIdle(): boolean
  /** Of a host: the same client, whose sessions begin with what the others of `scope` have read. */
  withScope(scope: LineageScope): PlimsollClient
}

/** Of one principal, so that it fills its own queue before anybody's memory. */
const OF_ONE = { queueEventsMax: 2_000, openProposalsMax: 1_000, sessionsMax: 5_000 } as const

/** A client for the sessions of one principal that are held in this process. */
export async function createPrincipalClient(
  principal: Principal,
  switchboard: Switchboard,
  settings: ClientSettings,
  lineageOf?: (scope?: LineageScope) => Lineage,
): Promise<PrincipalClient> {
  const catalogue = settings.catalogue ?? (await readDocument('catalogue'))
  const entryOf = createEntryFinder(catalogue)
  const isAgent = principal.trust === 'agent'
  const ownLineage = isAgent ? lineageOf?.() : undefined
  const claimed = new Set<string>()
  let line: OnDecision = () => {}
  const client = await createClient({
    ...settings,
    limits: { ...OF_ONE, ...settings.limits },
    catalogue,
    principal: principal.name,
    channel: {
      send: (records) => switchboard.send(records),
      listen: async (onRecord) => {
        line = onRecord
        return { close: async () => claimed.forEach((id) => switchboard.release(id, line)) }
      },
    },
  })

  function claim(id: string): void {
    claimed.add(id)
    switchboard.claim(id, line)
  }

  function letGo(id: string): void {
    claimed.delete(id)
    switchboard.end(id)
  }

  async function startSession(options: SessionOptions = {}, lineage = ownLineage): Promise<Session> {
    const id = sessionIdOf(principal, options.id)
    const isNew = !claimed.has(id)
    if (isNew) claim(id)
    try {
      const session = await startOf({ ...allowedOptions(principal, options), id }, lineage)
      return { ...session, end: (outcome) => session.end(outcome).then(() => letGo(id)) }
    } catch (error) {
      if (isNew) letGo(id)
      throw error
    }
  }

  const believed = (session: Session): Session =>
    isAgent ? withoutVouching(session, entryOf, settings.timeoutMs ?? TIMEOUT_MS) : session

  /** With what the earlier sessions of its lineage have read. */
  async function startOf(
    options: SessionOptions & { readonly id: string },
    lineage: Lineage | undefined,
  ): Promise<Session> {
    const member = await lineage?.begin(options.id)
    const { earlier } = member ?? {}
    const session = await client.startSession({ ...options, ...(earlier && { earlier }) })
    if (!member) return believed(session)
    try {
      await member.tell(session.handover())
    } catch (error) {
      await session.end('cancelled')
      throw error
    }
    return believed(memberSession(session, member))
  }

  async function resumeSession(resumed: ResumedSession): Promise<Session> {
    const id = sessionIdOf(principal, resumed.id)
    const isNew = !claimed.has(id)
    if (isNew) claim(id)
    try {
      const session = await resumptionOf({ ...resumed, id })
      return { ...session, end: (outcome) => session.end(outcome).then(() => letGo(id)) }
    } catch (error) {
      if (isNew) letGo(id)
      throw error
    }
  }

  /** Of an agent: what it has read is not known here any more, and counts as the worst for its other sessions too. */
  async function resumptionOf(resumed: ResumedSession): Promise<Session> {
    const session = await client.resumeSession(resumed)
    const member = await ownLineage?.begin(resumed.id)
    return believed(member ? memberSession(session, member, member.others) : session)
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

/** `options` as the principal may start a session. Throws `forbidden`. */
function allowedOptions({ name, trust, category }: Principal, options: SessionOptions): SessionOptions {
  // What a session hands over would say what its user has named himself, and nobody vouches for it.
  if (trust === 'agent' && options.parent && !('handover' in options.parent))
    throw new PlimsollError('forbidden', `\`${name}\` cannot say what another session knows: it is no host`)
  const allowed = trust === 'agent' ? withoutTask(options) : options
  return category === undefined ? allowed : { ...allowed, category }
}

/** Only a host says what the user wants: a task of an agent's own would vouch for all that is named in it. */
function withoutTask(options: SessionOptions): SessionOptions {
  const { task: _, sendTask: _sendTask, ...rest } = options
  return rest
}
