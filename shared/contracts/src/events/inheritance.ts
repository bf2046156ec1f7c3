import { z } from 'zod'
import { identityTokenSchema } from '../identity/token.js'
import { idSchema } from '../ids.js'
import { ACTS, CONFIDENTIALITIES, TAINTS } from '../words.js'
import { signalsSchema } from './signals.js'

/**
 * Kinds of distinctive values, by the first letter of the fingerprint. `gram`: a winnowed stretch of running text; `word`: a word of a
 * task, an instruction or arguments; `tool` and `description`: a word of the proposed tool's name or description.
 */
const FINGERPRINT_KINDS = {
  a: 'address',
  c: 'account',
  u: 'url',
  p: 'path',
  i: 'id',
  n: 'name',
  g: 'gram',
  w: 'word',
  t: 'tool',
  d: 'description',
} as const
export type FingerprintLetter = keyof typeof FINGERPRINT_KINDS

/**
 * A fingerprint of one distinctive value: the letter of its kind, then 35 bits of a keyed hash in base32. Values that are equal after
 * normalisation have equal bits whatever their kind, within one root session, whose key only clients and gateways hold.
 */
const fingerprintSchema = z
  .string()
  .regex(/^[acupingwtd][a-z2-7]{7}$/, 'expected the letter of a kind and 7 characters of base32')
export type Fingerprint = z.infer<typeof fingerprintSchema>

/** Maximum fingerprints in one list of an event; the client keeps the most distinctive ones. */
export const FINGERPRINTS_MAX = 128
export const fingerprintsSchema = z.array(fingerprintSchema).max(FINGERPRINTS_MAX)

/**
 * Inherited state: from the delegating session to a sub-agent, and back with its answer. It only raises a session's state, and makes
 * nothing trusted. Source: docs/explanation/labels.md, relatives.
 */
export const inheritsSchema = z.strictObject({
  taint: z.enum(TAINTS).optional().describe('What the related session has read.'),
  confidentiality: z
    .enum(CONFIDENTIALITIES)
    .optional()
    .describe('The highest confidentiality of data that the related session has read.'),
  unseen: z
    .boolean()
    .optional()
    .describe('Whether it has read sensitive data whose fingerprints are incomplete.'),
  held: z
    .boolean()
    .optional()
    .describe('Whether one of its steps was blocked because it held sensitive data.'),
  codeWritten: z
    .boolean()
    .optional()
    .describe("Whether it may have written code that a project's own targets run."),
  fingerprints: z
    .strictObject({
      untrusted: fingerprintsSchema.optional(),
      instructed: fingerprintsSchema
        .optional()
        .describe('From parts of untrusted results that read like instructions.'),
      sensitive: fingerprintsSchema.optional(),
    })
    .optional()
    .describe('Fingerprints of what the related session has read, under the key of the root session.'),
})
export type Inherits = z.infer<typeof inheritsSchema>

/**
 * A session's state for related sessions: plain JSON that can cross processes. It holds fingerprints and Plimsoll's own words, no text.
 * It is not signed: accept it from your own hosts only.
 */
export const handoverSchema = z.strictObject({
  root: idSchema.describe('The session at the root of all delegation.'),
  inherits: inheritsSchema,
  task: fingerprintsSchema
    .optional()
    .describe("From the root session's task: values that the user named do not count against a sub-agent."),
  asks: z
    .array(z.enum(ACTS))
    .max(ACTS.length)
    .optional()
    .describe("Irreversible acts that the root session's task asks for. Accepted from hosts only."),
  signals: signalsSchema.optional().describe('The maximum of each signal over untrusted results.'),
  key: z
    .string()
    .max(64)
    .optional()
    .describe("Identifies the root's key: fingerprints under another key match nothing."),
  identity: identityTokenSchema
    .optional()
    .describe('The token of the delegating session: the sub-agent needs it to start its own.'),
})
export type Handover = z.infer<typeof handoverSchema>
