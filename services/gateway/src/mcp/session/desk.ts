import { PlimsollError } from '@plimsoll/contracts'
import type { Logger } from '@plimsoll/runtime'
import type { Principal } from '../../principals/principal.js'
import { takeSeat, type Beginning, type Seat, type SeatOptions } from './seat.js'

/** Gives requests that no connection holds together the session that they belong to. */
export interface Desk {
  /** The session of that token. Rejects with `session_unknown` where it is not one of the principal's. */
  ofToken(principal: Principal, token: string): Promise<Seat>
  /**
   * The session of the principal's own name for it, or of the principal where it gives none: an agent that says nothing of sessions goes
   * on with the one it has, and cannot leave behind what it has read.
   */
  of(principal: Principal, conversation: string | undefined, beginning: Beginning): Promise<Seat>
  /** A session that a connection holds; it is ended by whoever asked for it. */
  hold(principal: Principal, beginning: Beginning): Promise<Seat>
  end(seat: Seat, outcome: 'completed' | 'cancelled'): Promise<void>
  /** What a later request shows to go on with the session. */
  tokenOf(seat: Seat): string
  close(): Promise<void>
}

export interface DeskOptions extends SeatOptions {
  /** How long a session may go unused, milliseconds. */
  readonly idleMs: number
  readonly logger: Logger
}

const SWEEPS_PER_IDLE = 10

export function createDesk(options: DeskOptions): Desk {
  const { now, idleMs, logger } = options
  const byName = new Map<string, Promise<Seat>>()
  const byToken = new Map<string, Seat>()
  const sweeper = setInterval(sweep, Math.max(1_000, idleMs / SWEEPS_PER_IDLE))
  sweeper.unref()

  async function take(principal: Principal, beginning: Beginning): Promise<Seat> {
    const seat = await takeSeat(principal, beginning, options)
    byToken.set(tokenOf(seat), seat)
    return seat
  }

  function of(principal: Principal, conversation: string | undefined, beginning: Beginning): Promise<Seat> {
    // Only a host tells its users apart; an agent would split itself to forget.
    const own = principal.trust === 'host' ? conversation : undefined
    const name = JSON.stringify([principal.tenant, principal.name, own ?? null])
    const known = byName.get(name)
    if (known) return known
    const taking = take(principal, beginning)
    byName.set(name, taking)
    taking.catch(() => byName.delete(name))
    return taking
  }

  async function ofToken(principal: Principal, token: string): Promise<Seat> {
    const seat = byToken.get(token)
    if (seat && isOf(seat, principal)) return seat
    throw new PlimsollError('session_state_lost', 'the session is none of yours, or is over')
  }

  async function end(seat: Seat, outcome: 'completed' | 'cancelled'): Promise<void> {
    byToken.delete(tokenOf(seat))
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
    tokenOf,
    close: async () => {
      clearInterval(sweeper)
      await Promise.all([...byToken.values()].map((seat) => end(seat, 'cancelled')))
    },
  }
}

const tokenOf = ({ session }: Seat): string => session.id

const isOf = ({ principal }: Seat, { name, tenant }: Principal): boolean =>
  principal.name === name && principal.tenant === tenant
