import { z } from 'zod'
import { identityTokenSchema } from '../identity/index.js'
import { idSchema } from '../ids.js'
import { ACTS, CONFIDENTIALITIES, TAINTS } from '../words.js'

/**
 * Kinds of distinctive values, by the letter that a fingerprint begins with. `gram`: a stretch of running text, winnowed; `word`: a word
 * of a task, an instruction or arguments; `tool` and `description`: a word of the proposed tool's name, of its description.
 */
export const FINGERPRINT_KINDS = {
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
export type FingerprintKind = (typeof FINGERPRINT_KINDS)[FingerprintLetter]

/**
 * One distinctive value, keyed: the letter of its kind, then 35 bits of a keyed hash in base32. Values that are equal once normalised have
 * equal bits whatever their kind, and only within one root session, whose key clients and gateways alone hold.
 */
export const fingerprintSchema = z
  .string()
  .regex(/^[acupingwtd][a-z2-7]{7}$/, 'expected the letter of a kind and 7 characters of base32')
export type Fingerprint = z.infer<typeof fingerprintSchema>

/** Most fingerprints in one list of an event; the client keeps the most telling ones. */
export const FINGERPRINTS_MAX = 128
export const fingerprintsSchema = z.array(fingerprintSchema).max(FINGERPRINTS_MAX)

/** What was seen in a text by detectors that ran where the text is: shares and probabilities by name, each 0…1. */
export const signalsSchema = z
  .record(z.string().regex(/^[a-z][A-Za-z]{0,31}$/), z.number().min(0).max(1))
  .refine((signals) => Object.keys(signals).length <= 32, 'expected at most 32 signals')
export type Signals = z.infer<typeof signalsSchema>

/**
 * What a session takes over from a relative: a sub-agent from anyone who delegated to it, and back with its answer. It only raises what a
 * session has come to, and vouches for nothing. Source: docs/explanation/labels.md, relatives.
 */
export const inheritsSchema = z.strictObject({
  taint: z.enum(TAINTS).optional().describe('What the relative has read.'),
  confidentiality: z
    .enum(CONFIDENTIALITIES)
    .optional()
    .describe('Of the most confidential data that the relative knows.'),
  unseen: z
    .boolean()
    .optional()
    .describe('Whether it knows sensitive data that is not, or not all, among the fingerprints.'),
  held: z.boolean().optional().describe('Whether a step of it was blocked because sensitive data was in it.'),
  codeWritten: z
    .boolean()
    .optional()
    .describe("Whether it has written what a project's own targets may run."),
  fingerprints: z
    .strictObject({
      untrusted: fingerprintsSchema.optional(),
      instructed: fingerprintsSchema
        .optional()
        .describe('Of parts of untrusted results that read like instructions.'),
      sensitive: fingerprintsSchema.optional(),
    })
    .optional()
    .describe('Of what the relative has read, under the key that its root session shares with all of them.'),
})
export type Inherits = z.infer<typeof inheritsSchema>

/**
 * What a session knows, as its relatives are told of it: plain data that can go to another process as JSON. It holds fingerprints and
 * words of Plimsoll's own, nothing of a text. It is not signed: take it from nobody but hosts of your own.
 */
export const handoverSchema = z.strictObject({
  root: idSchema.describe('The session at the root of all delegation.'),
  inherits: inheritsSchema,
  task: fingerprintsSchema
    .optional()
    .describe("Of the root session's task: what the user named himself is not held against a sub-agent."),
  asks: z
    .array(z.enum(ACTS))
    .max(ACTS.length)
    .optional()
    .describe("What the root session's task asks for that cannot be taken back. Only a host is believed."),
  signals: signalsSchema.optional().describe('The most of each that untrusted results were seen to be.'),
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
