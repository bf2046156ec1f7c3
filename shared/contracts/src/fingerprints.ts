import { z } from 'zod'

/**
 * Kinds of telling values, by the letter that a fingerprint begins with. `gram`: a stretch of running text, winnowed; `word`: a word
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
 * One telling value, keyed: the letter of its kind, then 35 bits of a keyed hash in base32. Values that are equal once normalised have
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
