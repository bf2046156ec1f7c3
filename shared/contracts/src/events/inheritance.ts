import { z } from 'zod'
import { identityTokenSchema } from '../identity/token.js'
import { idSchema } from '../ids.js'
import { ACTS, CONFIDENTIALITIES, TAINTS } from '../words.js'
import { fingerprintsSchema, limitsSchema } from './fingerprints.js'
import { signalsSchema } from './signals.js'

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
  limits: limitsSchema.optional().describe("Limits that the root session's task sets."),
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
