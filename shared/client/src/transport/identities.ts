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

export interface IdentifiedStart {
  readonly id: string
  readonly category: string | undefined
  readonly agent: string | undefined
  readonly user: string | undefined
  /** Undefined if it is the session itself. */
  readonly root: string | undefined
  /** Handover of the session that delegated. */
  readonly parent: Handover | undefined
}

export interface IdentitiesOptions {
  readonly key: string
  readonly principal: string
  readonly now: () => number
}

export type Identities = ReturnType<typeof createIdentities>

/** Issues tokens of sessions and proofs of their events. Source: docs/decisions/20261122-enforcement.md, identity. */
export function createIdentities({ key, principal, now }: IdentitiesOptions) {
  return {
    /**
     * The token of a session that starts. Throws `identity_missing` if the session that delegates has no token, and `identity_invalid`
     * if that token is not the deployment's, or is of another tenant or lineage.
     */
    issue: ({ id, category, agent, user, root, parent }: IdentifiedStart): string => {
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
      try {
        return issueToken(claims, key)
      } catch (cause) {
        const message = `no token can identify session \`${id}\`: its category, agent or user is too long, or not one line`
        throw new PlimsollError('schema_invalid', message, { cause })
      }
    },
    /** The root in a session's token. Throws `identity_invalid` if the token is not the deployment's for that session. */
    rootOf: (id: string, token: string): string => {
      const claims = readToken(token, [key])
      if (claims?.sid !== id)
        throw new PlimsollError('identity_invalid', `the token is not that of session \`${id}\``)
      return claims.root ?? id
    },
    prove: (sessionId: string, value: string): string => proofOf(value, sessionKeyOf(sessionId, key)),
  }
}

function parentOf({ identity, root }: Handover, tenant: string, key: string): IdentityClaims {
  if (identity === undefined)
    throw new PlimsollError('identity_missing', 'the session that delegates hands over no token')
  const claims = readToken(identity, [key])
  if (!claims) throw invalid('is signed with another identity key')
  if (claims.tenant !== tenant) throw invalid(`is of tenant \`${claims.tenant}\``)
  if ((claims.root ?? claims.sid) !== root) throw invalid('is of another lineage than its handover')
  return claims
}

const invalid = (what: string): PlimsollError =>
  new PlimsollError('identity_invalid', `the token of the session that delegates ${what}`)
