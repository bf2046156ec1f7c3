import {
  type Event,
  type EventOf,
  type Fault,
  type IdentityClaims,
  PROOF_HEADER,
  isProved,
  readToken,
  tenantOf,
} from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'

/**
 * How identities are verified. Pure: the clock is the append time, so that a rebuild refuses the same events. Source:
 * docs/decisions/20261122-enforcement.md, identity.
 */
export interface IdentityRules {
  /** Accepted identity keys; without any, identities are not verified. */
  readonly keys: readonly string[]
  /** Whether agent events without proof are refused. Events with an invalid proof always are. */
  readonly isRequired: boolean
  /** Most age of a token when its session starts. */
  readonly tokenAgeMsMax: number
}

/** How far an issuer's clock may be ahead of the log's. */
export const TOKEN_AHEAD_MS_MAX = 5 * 60_000
const TOKEN_AGE_MS_MAX = 50 * 60_000

export interface IdentitySettings {
  readonly keys: readonly string[]
  readonly isRequired: boolean
}

/**
 * A token starts one session: while it is valid the session's record exists, also after the session's end. So `endedTtlMs` bounds the age
 * of tokens.
 */
export function identityRulesOf(
  settings: IdentitySettings | undefined,
  { endedTtlMs }: { readonly endedTtlMs: number },
): IdentityRules | undefined {
  if (!settings || settings.keys.length === 0) return undefined
  const tokenAgeMsMax = Math.max(0, Math.min(TOKEN_AGE_MS_MAX, endedTtlMs - TOKEN_AHEAD_MS_MAX))
  return { ...settings, tokenAgeMsMax }
}

/** Why the identity of an agent's event is refused; undefined if it is valid. */
export function identityFaultOf(record: LogRecord, event: Event, rules: IdentityRules): Fault | undefined {
  const start = event.type === 'session.started' ? event : undefined
  const fault = start && startFault(start, record.timeMs, rules)
  return fault ?? proofFault(record, event, rules.keys, rules.isRequired || start?.identity !== undefined)
}

function proofFault(
  { value, headers }: LogRecord,
  { type, sessionId }: Event,
  keys: readonly string[],
  isRequired: boolean,
): Fault | undefined {
  const proof = headers[PROOF_HEADER]
  if (proof === undefined && !isRequired) return undefined
  if (value && proof !== undefined && isProved(value, sessionId, proof, keys)) return undefined
  const what = proof === undefined ? 'has no proof' : 'has an invalid proof'
  return { code: 'proof_invalid', message: `\`${type}\` of session \`${sessionId}\` ${what}` }
}

function startFault(
  event: EventOf<'session.started'>,
  timeMs: number,
  { keys, isRequired, tokenAgeMsMax }: IdentityRules,
): Fault | undefined {
  const { sessionId, identity } = event
  if (identity === undefined)
    return isRequired
      ? { code: 'identity_missing', message: `session \`${sessionId}\` starts without a token` }
      : undefined
  const claims = readToken(identity, keys)
  if (!claims) return invalid(sessionId, 'is signed with no identity key of this monitor')
  const other = disagreementOf(event, claims)
  if (other) return invalid(sessionId, other)
  const ageMs = timeMs - claims.iat * 1000
  if (ageMs > tokenAgeMsMax || ageMs < -TOKEN_AHEAD_MS_MAX)
    return invalid(sessionId, `was issued ${Math.round(ageMs / 1000)} s before the start`)
  return undefined
}

const invalid = (sessionId: string, what: string): Fault => ({
  code: 'identity_invalid',
  message: `the token of session \`${sessionId}\` ${what}`,
})

/** How a start differs from its token: category, agent and lineage must be those of the token. */
function disagreementOf(event: EventOf<'session.started'>, claims: IdentityClaims): string | undefined {
  const { sessionId, category, agent, root = sessionId, inherits } = event
  const claimed: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['session', sessionId, claims.sid],
    ['tenant', tenantOf(sessionId), claims.tenant],
    ['category', category, claims.cat],
    ['agent', agent, claims.agt],
    ['root', root, claims.root ?? claims.sid],
  ]
  for (const [name, inStart, inToken] of claimed)
    if (inStart !== inToken) return `has another ${name} than the start`
  if (claims.par !== undefined && !inherits)
    return `names the parent \`${claims.par}\`, from which the start inherits nothing`
  return undefined
}
