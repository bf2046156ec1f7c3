import { randomBytes } from 'node:crypto'
import type { PlimsollClient, Session, SessionOptions } from '@plimsoll/client'
import { PlimsollError, identityClaimsSchema, parseJson } from '@plimsoll/contracts'
import type { Logger } from '@plimsoll/runtime'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../auth/principals.js'
import { type Calls, createCalls } from './calls.js'
import type { LineageScope } from './lineage.js'

/** A session that requests name over HTTP or MCP. */
export interface HeldSession {
  readonly session: Session
  /** Names the session in requests. Random, or its identity token. */
  readonly token: string
  readonly principal: Principal
  readonly calls: Calls
}

export interface OpenTerms {
  /** Returns the options of a session that starts. */
  readonly start?: () => Promise<Omit<SessionOptions, 'id'>>
  /** How long the session may be unused, milliseconds. */
  readonly idleMs: number
  /** The lineage of a host's unnamed session. */
  readonly scope?: LineageScope
  /** Whether its identity token names it, so that any gateway can continue it. Otherwise it ends with this registry. */
  readonly isResumable?: boolean
  /** Sessions of one principal: a further one ends its least recently used session. No limit by default. */
  readonly ofOneMax?: number
}

interface Entry {
  readonly held: HeldSession
  readonly name: string | undefined
  readonly idleMs: number
  readonly isResumable: boolean
  usedAt: number
  /** Requests in progress. */
  active: number
}

type Outcome = Parameters<Session['end']>[0]

/** Ended sessions that are still recognised. */
const ENDED_MAX = 10_000

/** Idle sessions that are ended at each start: more than one, so that their number falls. */
const ENDED_AT_START = 2

const SWEEP_MS = 60_000

export interface SessionRegistryOptions {
  readonly clientOf: (principal: Principal, scope?: LineageScope) => Promise<PlimsollClient>
  readonly now: () => number
  readonly logger: Logger
}

export type SessionRegistry = ReturnType<typeof createSessionRegistry>

/**
 * The sessions that the gateway holds for its principals, by token and by name. A principal finds its own sessions only, and cannot see
 * that others exist.
 */
export function createSessionRegistry({ clientOf, now, logger }: SessionRegistryOptions) {
  /** By token, least recently used first. */
  const entries = new Map<string, Entry>()
  const named = new Map<string, Promise<HeldSession>>()
  /** Ids of the principals of ended sessions, by token. */
  const ended = new LRUCache<string, string>({ max: ENDED_MAX })
  const sweeper = setInterval(endIdle, SWEEP_MS).unref()

  async function open(principal: Principal, terms: OpenTerms, name?: string): Promise<HeldSession> {
    endOldestIdle()
    await makeRoom(principal, terms.ofOneMax)
    const start = await terms.start?.()
    const client = await clientOf(principal, terms.scope)
    const session = await client.startSession(start)
    const identity = terms.isResumable ? session.handover().identity : undefined
    const token = identity ?? randomBytes(32).toString('base64url')
    return keep({ session, token, principal, calls: createCalls(session) }, terms, name)
  }

  function keep(held: HeldSession, { idleMs, isResumable = false }: OpenTerms, name?: string): HeldSession {
    entries.set(held.token, { held, name, idleMs, isResumable, usedAt: now(), active: 0 })
    return held
  }

  async function makeRoom(principal: Principal, ofOneMax = Number.POSITIVE_INFINITY): Promise<void> {
    if (entries.size < ofOneMax) return
    const own = [...entries.values()].filter(({ held, isResumable }) => !isResumable && isOf(held, principal))
    if (own.length < ofOneMax) return
    const oldest = own.find(({ active }) => active === 0)
    if (!oldest) throw new PlimsollError('queue_full', `\`sessionsOfOneMax\` (${ofOneMax}) is reached`)
    await endQuietly(oldest.held, 'completed')
  }

  const isIdle = ({ active, usedAt, idleMs }: Entry) => active === 0 && now() - usedAt > idleMs

  function endIdle(): void {
    for (const entry of entries.values()) if (isIdle(entry)) void endQuietly(entry.held, 'completed')
  }

  function endOldestIdle(): void {
    let left = ENDED_AT_START
    for (const entry of entries.values()) {
      if (left-- === 0 || !isIdle(entry)) return
      void endQuietly(entry.held, 'completed')
    }
  }

  function touch(entry: Entry): HeldSession {
    entry.usedAt = now()
    entries.delete(entry.held.token)
    entries.set(entry.held.token, entry)
    return entry.held
  }

  /** Removes the session: a later request by name opens another. */
  function forget({ token, principal }: HeldSession): void {
    const entry = entries.get(token)
    if (!entry) return
    entries.delete(token)
    ended.set(token, idOf(principal))
    if (entry.name !== undefined) named.delete(entry.name)
  }

  /** Ends the session. If that cannot be reported, the monitors' idle deadline ends it. */
  async function endQuietly(held: HeldSession, outcome: Outcome): Promise<void> {
    forget(held)
    await held.session.end(outcome).catch((error: unknown) => {
      logger.warn('a session could not be ended', { error })
    })
  }

  function lookUp(principal: Principal, token: string): HeldSession | undefined {
    const entry = entries.get(token)
    if (!entry || !isOf(entry.held, principal)) return undefined
    if (!isIdle(entry)) return touch(entry)
    void endQuietly(entry.held, 'completed')
    return undefined
  }

  /** Continues a session that another gateway started, or this one before a restart. Its token says which one it is. */
  async function resume(
    principal: Principal,
    token: string,
    terms: OpenTerms,
  ): Promise<HeldSession | undefined> {
    const id = sessionIdIn(token)
    if (id === undefined || entries.has(token)) return undefined
    const client = await clientOf(principal)
    try {
      const session = await client.resumeSession({ id, token })
      // A session that is open here is returned whatever the token.
      if (session.handover().identity !== token) return undefined
      return (
        lookUp(principal, token) ?? keep({ session, token, principal, calls: createCalls(session) }, terms)
      )
    } catch (error) {
      // Answered like an unknown session: it may be another principal's.
      if (error instanceof PlimsollError && error.code === 'identity_invalid') return undefined
      throw error
    }
  }

  const hasEnded = (principal: Principal, token: string) => ended.peek(token) === idOf(principal)

  /**
   * The session of `token`; with resumable `terms` also a session that another gateway started. Rejects with `session_ended`, and with
   * `session_unknown` unless it is a session of the principal.
   */
  async function find(principal: Principal, token: string, terms?: OpenTerms): Promise<HeldSession> {
    const known = lookUp(principal, token)
    if (known) return known
    if (hasEnded(principal, token)) throw new PlimsollError('session_ended', 'the session has ended')
    const resumed = terms?.isResumable ? await resume(principal, token, terms) : undefined
    if (resumed) return resumed
    throw new PlimsollError('session_unknown', 'you have no such session')
  }

  /** The open session of that name, if there is one. */
  async function findNamed(principal: Principal, name: string): Promise<HeldSession | undefined> {
    const known = await named.get(nameOf(principal, name))
    return known && lookUp(principal, known.token)
  }

  return {
    open: (principal: Principal, terms: OpenTerms) => open(principal, terms),
    find,
    findNamed,
    /** The session of that name, which is opened if there is none. */
    findOrOpen: async (principal: Principal, name: string, terms: OpenTerms): Promise<HeldSession> => {
      const known = await findNamed(principal, name)
      if (known) return known
      const key = nameOf(principal, name)
      const opening = named.get(key) ?? open(principal, terms, key)
      named.set(key, opening)
      opening.catch(() => named.delete(key))
      return opening
    },
    /** Runs `action`, during which the session does not count as idle. */
    during: async <T>({ token }: HeldSession, action: () => Promise<T>): Promise<T> => {
      const entry = entries.get(token)
      if (!entry) return action()
      entry.active++
      try {
        return await action()
      } finally {
        entry.active--
        if (entries.has(token)) touch(entry)
      }
    },
    /** Ends a session. Safe to repeat: the answer to the first request may be lost. */
    end: async (held: HeldSession, outcome: Outcome): Promise<void> => {
      await held.session.end(outcome)
      forget(held)
    },
    endQuietly,
    hasEnded,
    forget,
    /** Ends the sessions that no other gateway can continue. */
    close: async (): Promise<void> => {
      clearInterval(sweeper)
      const own = [...entries.values()].filter(({ isResumable }) => !isResumable)
      await Promise.all(own.map(({ held }) => endQuietly(held, 'cancelled')))
    },
  }
}

const idOf = ({ tenant, name }: Principal): string => `${tenant}\n${name}`

const isOf = ({ principal }: HeldSession, other: Principal): boolean => idOf(principal) === idOf(other)

const nameOf = (principal: Principal, name: string): string => `${idOf(principal)}\n${name}`

/** The session in an identity token, not verified: the client does that. */
function sessionIdIn(token: string): string | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  return identityClaimsSchema.safeParse(parseJson(Buffer.from(payload, 'base64url'))).data?.sid
}
