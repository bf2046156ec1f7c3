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
 * What identities are verified by. Pure: the log's append time is the clock, so that a rebuild refuses what was refused. Source:
 * docs/decisions/20261122-enforcement.md, identity.
 */
export interface IdentityRules {
  /** Identity keys that are good; without any, identities are not looked at. */
  readonly keys: readonly string[]
  /** Whether events of agents are refused without. Those that come with one that does not hold are refused in either case. */
  readonly isRequired: boolean
  /** How long after its token was issued a session may start. */
  readonly tokenAgeMsMax: number
}

/** An issuer's clock may be ahead of the log's by so much. */
export const TOKEN_AHEAD_MS_MAX = 5 * 60_000
const TOKEN_AGE_MS_MAX = 50 * 60_000

export interface IdentitySettings {
  readonly keys: readonly string[]
  readonly isRequired: boolean
}

/**
 * A start is taken once: while its token is good, the session it began is still remembered, also after its end. So what `endedTtlMs`
 * says bounds the age of tokens.
 */
export function identityRulesOf(
  settings: IdentitySettings | undefined,
  { endedTtlMs }: { readonly endedTtlMs: number },
): IdentityRules | undefined {
  if (!settings || settings.keys.length === 0) return undefined
  const tokenAgeMsMax = Math.max(0, Math.min(TOKEN_AGE_MS_MAX, endedTtlMs - TOKEN_AHEAD_MS_MAX))
  return { ...settings, tokenAgeMsMax }
}

/** What is wrong with who an agent's event says it is from; undefined where nothing is. */
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
  const what = proof === undefined ? 'has no proof' : 'is not proved by its header'
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
    return invalid(sessionId, `was issued ${Math.round(ageMs / 1000)} s before the start came`)
  return undefined
}

const invalid = (sessionId: string, what: string): Fault => ({
  code: 'identity_invalid',
  message: `the token of session \`${sessionId}\` ${what}`,
})

/** What a start says otherwise than its token: nobody picks another category, agent or lineage than was vouched for. */
function disagreementOf(event: EventOf<'session.started'>, claims: IdentityClaims): string | undefined {
  const { sessionId, category, agent, root = sessionId, inherits } = event
  const reported: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['session', sessionId, claims.sid],
    ['tenant', tenantOf(sessionId), claims.tenant],
    ['category', category, claims.cat],
    ['agent', agent, claims.agt],
    ['root', root, claims.root ?? claims.sid],
  ]
  for (const [name, said, vouched] of reported)
    if (said !== vouched) return `says another ${name} than the start`
  if (claims.par !== undefined && !inherits)
    return `says that \`${claims.par}\` delegated to it, from which the start inherits nothing`
  return undefined
}
