import { z } from 'zod'

const ID = /^[A-Za-z0-9][A-Za-z0-9._:/@+=~-]{0,159}$/

/** An id chosen by a producer: 1–160 characters of `A–Z a–z 0–9 . _ : / @ + = ~ -`, the first a letter or digit. */
export const idSchema = z.string().regex(ID, 'expected 1–160 characters of A–Z a–z 0–9 . _ : / @ + = ~ -')

/** Whether `text` is an id; faster than the schema. */
export const isId = (text: unknown): boolean => typeof text === 'string' && ID.test(text)

/** The tenant of sessions whose id names none. */
export const DEFAULT_TENANT = 'default'

export const TENANT_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/

/** A tenant's name: 1–63 of `a–z 0–9 -`, not starting with a hyphen. */
export const tenantSchema = z.string().regex(TENANT_PATTERN, 'expected 1–63 characters of a–z 0–9 -')

/**
 * The tenant of a session: the part of its id before the first `~` (`acme~run-7`), else `default`. It is in the id so that Kafka's keys,
 * Redis' keys and every event agree on it. Source: docs/decisions/20261122-tenants-and-quotas.md.
 */
export function tenantOf(sessionId: string): string {
  const end = sessionId.indexOf('~')
  if (end < 1) return DEFAULT_TENANT
  const name = sessionId.slice(0, end)
  // Called for every event: the pattern alone is many times faster than the schema.
  return TENANT_PATTERN.test(name) ? name : DEFAULT_TENANT
}

const TOOL_NAME = /^[\x21-\x7e]{1,200}$/

/** A tool's name as its framework gives it: 1–200 printable characters. */
export const toolNameSchema = z.string().regex(TOOL_NAME, 'expected 1–200 printable characters')

export const isToolName = (text: unknown): boolean => typeof text === 'string' && TOOL_NAME.test(text)

/** A SHA-256, or an HMAC by it. */
export const digestSchema = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hex')

/** Text that goes into one-line messages. */
export const lineSchema = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u, 'expected no control characters')

/** A version of a document: the first 128 bits, in hex, of the SHA-256 of its canonical JSON. */
export const versionSchema = z.string().regex(/^[0-9a-f]{32}$/, 'expected 32 hex digits')

/**
 * `step`, `repeat` and `refusal` answer a proposal, `approval` an approval or its expiry. `alert` answers no event of a client: it
 * informs subscribers about a session.
 */
export const DECISION_KINDS = ['step', 'approval', 'repeat', 'refusal', 'alert'] as const
export type DecisionKind = (typeof DECISION_KINDS)[number]

/** The id of the decision of `kind` that answers event `eventId`; `#` occurs in no other id. */
export function decisionId(sessionId: string, eventId: string, kind: DecisionKind): string {
  return `${sessionId}#${eventId}#${kind}`
}

/** The parts of a decision id, or undefined if `id` is not one. */
export function parseDecisionId(
  id: string,
): { sessionId: string; eventId: string; kind: DecisionKind } | undefined {
  const [sessionId, eventId, kind, ...rest] = id.split('#')
  const known = DECISION_KINDS.find((each) => each === kind)
  if (!sessionId || !eventId || !known || rest.length > 0) return undefined
  return { sessionId, eventId, kind: known }
}
