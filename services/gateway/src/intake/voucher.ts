import { issueToken, PROOF_HEADER, proofOf, sessionKeyOf, tenantOf, type Event } from '@plimsoll/contracts'
import type { Principal } from '../principals/principal.js'

/** Vouches for the events of one principal before monitors. Source: docs/decisions/20261122-enforcement.md, identity. */
export interface Voucher {
  /** A start with the token of its session, whatever it came with; other events as they are. Throws for what no token can hold. */
  sign(event: Event, user: string | undefined): Event
  /** Headers that prove a record with `value`. */
  prove(sessionId: string, value: string): Readonly<Record<string, string>>
}

/** Sessions whose keys are kept: making one is an HMAC. */
const KEYS_MAX = 2_000

export function createVoucher(principal: Pick<Principal, 'name'>, key: string, now: () => number): Voucher {
  const keys = new Map<string, Buffer>()

  function keyOf(sessionId: string): Buffer {
    const known = keys.get(sessionId)
    if (known) return known
    if (keys.size >= KEYS_MAX) for (const oldest of keys.keys()) if (keys.delete(oldest)) break
    const made = sessionKeyOf(sessionId, key)
    keys.set(sessionId, made)
    return made
  }

  return {
    sign: (event, user) => {
      if (event.type !== 'session.started') return event
      const { sessionId, category, agent, root } = event
      const claims = {
        sub: principal.name,
        sid: sessionId,
        tenant: tenantOf(sessionId),
        cat: category,
        agt: agent,
        usr: user,
        root: root === sessionId ? undefined : root,
        iat: Math.floor(now() / 1000),
      }
      return { ...event, identity: issueToken(claims, key) }
    },
    prove: (sessionId, value) => ({ [PROOF_HEADER]: proofOf(value, keyOf(sessionId)) }),
  }
}

/** Where there is no identity key nobody is vouched for, by himself neither. */
export const NO_VOUCHER: Voucher = {
  sign: (event) => {
    if (event.type !== 'session.started') return event
    const { identity: _, ...rest } = event
    return rest
  },
  prove: () => ({}),
}
