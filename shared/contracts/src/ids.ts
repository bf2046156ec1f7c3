import { z } from 'zod'

const ID = /^[A-Za-z0-9][A-Za-z0-9._:/@+=~-]{0,159}$/

/** An id chosen by a producer: 1–160 characters of `A–Z a–z 0–9 . _ : / @ + = ~ -`, the first a letter or digit. */
export const idSchema = z.string().regex(ID, 'expected 1–160 characters of A–Z a–z 0–9 . _ : / @ + = ~ -')

/** A tool's name as its framework gives it: 1–200 printable characters. */
export const toolNameSchema = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'expected 1–200 printable characters')

/** A version of a document: the first 128 bits, in hex, of the SHA-256 of its canonical JSON. */
export const versionSchema = z.string().regex(/^[0-9a-f]{32}$/, 'expected 32 hex digits')

export const DECISION_KINDS = ['step', 'approval', 'repeat', 'refusal'] as const
export type DecisionKind = (typeof DECISION_KINDS)[number]

/** The id of the decision of `kind` that answers event `eventId`; `#` occurs in no other id. */
export function decisionId(sessionId: string, eventId: string, kind: DecisionKind): string {
  return `${sessionId}#${eventId}#${kind}`
}

/** The parts of a decision id, or undefined where `id` is none. */
export function parseDecisionId(
  id: string,
): { sessionId: string; eventId: string; kind: DecisionKind } | undefined {
  const [sessionId, eventId, kind, ...rest] = id.split('#')
  const known = DECISION_KINDS.find((each) => each === kind)
  if (!sessionId || !eventId || !known || rest.length > 0) return undefined
  return { sessionId, eventId, kind: known }
}
