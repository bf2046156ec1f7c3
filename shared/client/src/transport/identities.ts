import {
  type Handover,
  type IdentityClaims,
  PlimsollError,
  issueToken,
  proofOf,
  readToken,
  sessionKeyOf,
  tenantOf,
} from '@plimsoll/contracts'

/** Vouches for sessions and their events. Source: docs/decisions/20261122-enforcement.md, identity. */
export interface Identities {
  /**
   * The token of a session that starts. Throws `identity_missing` for one that is delegated to by a session without a token, and
   * `identity_invalid` where the token is not the deployment's, or of another tenant or lineage.
   */
  issue(start: IdentifiedStart): string
  /** The root of session `id` as its token says. Throws `identity_invalid` where it is no token of the deployment's for that session. */
  rootOf(id: string, token: string): string
  /** What proves that a record with `value` is of the session's. */
  prove(sessionId: string, value: string): string
}

export interface IdentifiedStart {
  readonly id: string
  readonly category: string | undefined
  readonly agent: string | undefined
  readonly user: string | undefined
  /** Undefined where it is the session itself. */
  readonly root: string | undefined
  /** What anyone who delegated to it handed over. */
  readonly parent: Handover | undefined
}

export interface IdentitiesOptions {
  readonly key: string
  readonly principal: string
  readonly now: () => number
}

export function createIdentities({ key, principal, now }: IdentitiesOptions): Identities {
  return {
    issue: ({ id, category, agent, user, root, parent }) => {
      const claims = {
        sub: principal,
        sid: id,
        tenant: tenantOf(id),
        cat: category,
        agt: agent,
        usr: user,
        par: parent && parentOf(parent, tenantOf(id), key).sid,
        root: root === id ? undefined : root,
        iat: Math.floor(now() / 1000),
      }
      return issued(claims, key)
    },
    rootOf: (id, token) => {
      const claims = readToken(token, [key])
      if (claims?.sid !== id)
        throw new PlimsollError('identity_invalid', `the token is not that of session \`${id}\``)
      return claims.root ?? id
    },
    prove: (sessionId, value) => proofOf(value, sessionKeyOf(sessionId, key)),
  }
}

function issued(claims: Parameters<typeof issueToken>[0], key: string): string {
  try {
    return issueToken(claims, key)
  } catch (cause) {
    const message = `no token can say who session \`${claims.sid}\` is: its category, agent or user is too long or no line of text`
    throw new PlimsollError('schema_invalid', message, { cause })
  }
}

function parentOf({ identity, root }: Handover, tenant: string, key: string): IdentityClaims {
  if (identity === undefined)
    throw new PlimsollError('identity_missing', 'the session that delegates hands over no token')
  const claims = readToken(identity, [key])
  if (!claims) throw invalid('is signed with another identity key')
  if (claims.tenant !== tenant) throw invalid(`is of tenant \`${claims.tenant}\``)
  if ((claims.root ?? claims.sid) !== root) throw invalid('is of another lineage than what it hands over')
  return claims
}

const invalid = (what: string): PlimsollError =>
  new PlimsollError('identity_invalid', `the token of the session that delegates ${what}`)
