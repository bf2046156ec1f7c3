import { z } from 'zod'
import { ACTS } from '../words.js'

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

/** Maximum of those of a result, which may be an inbox or a file. */
export const RESULT_FINGERPRINTS_MAX = 192
export const resultFingerprintsSchema = z.array(fingerprintSchema).max(RESULT_FINGERPRINTS_MAX)

/** Limits of one kind that a session keeps at most. */
export const LIMITS_MAX = 48

/** Limits that a user's text sets to what a session changes, as fingerprints of their names. */
export const limitsSchema = z.strictObject({
  only: fingerprintsSchema
    .max(LIMITS_MAX)
    .optional()
    .describe('Places to which changes are restricted: a change with none of these names needs an approval.'),
  never: fingerprintsSchema
    .max(LIMITS_MAX)
    .optional()
    .describe(
      'What stays as it is, and acts that the user forbids: a change with one of these names needs an approval.',
    ),
  waits: fingerprintsSchema
    .max(LIMITS_MAX)
    .optional()
    .describe('All that may change before a later message asks for a change.'),
  allows: fingerprintsSchema
    .max(LIMITS_MAX)
    .optional()
    .describe('What a later message asks to change or do: earlier limits no longer forbid it.'),
  goes: z.literal(true).optional().describe('A later message asks for a change, which ends `waits`.'),
})
export type ReportedLimits = z.infer<typeof limitsSchema>

export const followsSchema = fingerprintsSchema
  .max(24)
  .optional()
  .describe('Fingerprints of the names of people whose messages say what is to be done, as the user writes.')

export const linkSchema = fingerprintsSchema
  .optional()
  .describe(
    'Of the link that a request goes to: the fingerprint of the whole; then for each of its parts two, of the part and of the part with its host. The parts of a link that was read as a whole do not count as content.',
  )

export const recipientsSchema = z
  .array(fingerprintsSchema.min(1).max(8))
  .max(8)
  .optional()
  .describe(
    'For each person or account to whom the step goes, if all are known: fingerprints of the whole, then of the names by which a task may mean it.',
  )

/** A message in a result, of an author whom the task may name. */
export const messageSchema = z.strictObject({
  by: fingerprintsSchema
    .min(1)
    .max(8)
    .describe('Fingerprints of its author: of the whole address or name, then of its parts.'),
  values: fingerprintsSchema.max(32).describe('Fingerprints of its distinctive values.'),
  asks: z.array(z.enum(ACTS)).max(ACTS.length).optional().describe('The irreversible acts that it asks for.'),
})
export const messagesSchema = z
  .array(messageSchema)
  .max(16)
  .optional()
  .describe(
    'Messages in the result, by their authors: a task that leaves to one of them what is to be done names at second hand what it names.',
  )
export type ReportedMessage = z.infer<typeof messageSchema>

/** Fingerprints of one record, and records of one result. */
export const RECORD_FINGERPRINTS_MAX = 16
export const RECORDS_MAX = 24

/** A record in a result: its ids, and what it is called. */
export const recordSchema = fingerprintsSchema.min(2).max(RECORD_FINGERPRINTS_MAX)
export const recordsSchema = z
  .array(recordSchema)
  .max(RECORDS_MAX)
  .optional()
  .describe(
    'Records in the result, which later steps name by their ids. For each, fingerprints of its ids, of the kind `i`; then for each of its names one of the kind `n` of the whole, and those of its words.',
  )

/** A script that a step writes or reads, and what it does that cannot be taken back when it runs. */
export const scriptSchema = z.strictObject({
  name: fingerprintSchema.describe('Fingerprint of the name of the file, or of a target in it.'),
  does: z
    .array(z.enum(ACTS))
    .max(ACTS.length)
    .describe('Its irreversible acts; none if the whole text shows none.'),
  objects: z
    .array(fingerprintsSchema)
    .max(8)
    .optional()
    .describe('What they are done to, as `objects` of the step.'),
})
export type ReportedScript = z.infer<typeof scriptSchema>
