import { PlimsollError } from '@plimsoll/contracts'
import type { Logger } from '@plimsoll/runtime'
import type { Principal } from '../../auth/principals-file.js'
import { type Beginning, type McpSession, type McpSessionOptions, openMcpSession } from './mcp-session.js'

/** Gives requests that no connection holds together the session that they belong to. */
export interface McpSessionRegistry {
  /** The session of that token. Rejects with `session_unknown` where it is not one of the principal's. */
  ofToken(principal: Principal, token: string): Promise<McpSession>
  /**
   * The session of the principal's user and conversation, or of the principal where it tells of none: an agent goes on with the one it
   * has, and cannot leave behind what it has read.
   */
  of(principal: Principal, beginning: Beginning): Promise<McpSession>
  /** A session that a connection holds; it is ended by anyone who asked for it. */
  hold(principal: Principal, beginning: Beginning): Promise<McpSession>
  end(seat: McpSession, outcome: 'completed' | 'cancelled'): Promise<void>
  close(): Promise<void>
}

export interface McpSessionRegistryOptions extends McpSessionOptions {
  /** How long a session may go unused, milliseconds. */
  readonly idleMs: number
  /** Sessions of one principal: a further one ends the one of its own that was unused for longest. */
  readonly sessionsOfOneMax: number
  readonly logger: Logger
}

const SWEEPS_PER_IDLE = 10

export function createMcpSessionRegistry(options: McpSessionRegistryOptions): McpSessionRegistry {
  const { now, idleMs, sessionsOfOneMax, logger } = options
  const byName = new Map<string, Promise<McpSession>>()
  const byToken = new Map<string, McpSession>()
  const sweeper = setInterval(sweep, Math.max(1_000, idleMs / SWEEPS_PER_IDLE))
  sweeper.unref()

  async function take(principal: Principal, beginning: Beginning): Promise<McpSession> {
    await makeRoom(principal)
    const seat = await openMcpSession(principal, beginning, options)
    byToken.set(seat.token, seat)
    return seat
  }

  async function makeRoom(principal: Principal): Promise<void> {
    const own = [...byToken.values()].filter((seat) => isOf(seat, principal))
    if (own.length < sessionsOfOneMax) return
    const [oldest] = own.filter(({ calls }) => calls === 0).toSorted((a, b) => a.usedAt - b.usedAt)
    if (!oldest)
      throw new PlimsollError('queue_full', `\`sessionsOfOneMax\` (${sessionsOfOneMax}) is reached`)
    await end(oldest, 'completed')
  }

  function of(principal: Principal, beginning: Beginning): Promise<McpSession> {
    const name = nameOf(principal, beginning)
    const known = byName.get(name)
    if (known) return known
    const taking = take(principal, beginning)
    byName.set(name, taking)
    taking.catch(() => byName.delete(name))
    return taking
  }

  async function ofToken(principal: Principal, token: string): Promise<McpSession> {
    const seat = byToken.get(token)
    if (seat && isOf(seat, principal)) return seat
    throw new PlimsollError('session_unknown', 'there is no such session of yours')
  }

  async function end(seat: McpSession, outcome: 'completed' | 'cancelled'): Promise<void> {
    byToken.delete(seat.token)
    for (const [name, known] of byName) if ((await known.catch(() => undefined)) === seat) byName.delete(name)
    try {
      await seat.session.end(outcome)
    } catch (error) {
      logger.warn('a session could not be ended', { error })
    }
  }

  function sweep(): void {
    for (const seat of byToken.values())
      if (seat.calls === 0 && now() - seat.usedAt > idleMs) void end(seat, 'completed')
  }

  return {
    of,
    ofToken,
    hold: take,
    end,
    close: async () => {
      clearInterval(sweeper)
      await Promise.all([...byToken.values()].map((seat) => end(seat, 'cancelled')))
    },
  }
}

const isOf = ({ principal }: McpSession, { name, tenant }: Principal): boolean =>
  principal.name === name && principal.tenant === tenant

/** Only a host tells its users and conversations apart; an agent would split itself to forget. */
function nameOf({ tenant, name, trust }: Principal, { user, conversation }: Beginning): string {
  const own = trust === 'host' ? [user ?? null, conversation ?? null] : []
  return JSON.stringify([tenant, name, ...own])
}
