/** `host`: software that runs agents and reports truly. `agent`: the agent itself, of which nothing is believed that makes a verdict milder. */
export const TRUSTS_OF_PRINCIPALS = ['host', 'agent'] as const
export type PrincipalTrust = (typeof TRUSTS_OF_PRINCIPALS)[number]

/** Who speaks to the gateway, and has proved it. Source: docs/decisions/20261122-enforcement.md. */
export interface Principal {
  /** One name for one principal, of the form of an id. */
  readonly name: string
  /** Its sessions are of this tenant and of no other. */
  readonly tenant: string
  readonly trust: PrincipalTrust
  /** Of all its sessions, whatever they say themselves. */
  readonly category?: string
  /** When what it has proved is over, milliseconds since 1970; a key does not expire. */
  readonly expiresAtMs?: number
}
