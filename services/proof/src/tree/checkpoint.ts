import { sign, verify } from 'node:crypto'
import { canonicalJson, digestOf, digestSchema } from '@plimsoll/contracts'
import { z } from 'zod'
import { treeNameSchema } from './names.js'
import type { PublicKey, SigningKey } from './keys.js'

export const CHECKPOINT_SCHEMA = 1
/** Partitions that a checkpoint can name. */
const PARTITIONS_MAX = 10_000

export const offsetSchema = z.string().regex(/^(?:0|[1-9]\d{0,18})$/, 'expected an offset')
export const topicSchema = z.string().regex(/^[A-Za-z0-9._-]{1,249}$/, 'expected the name of a topic')
export const partitionSchema = z.int().min(0).max(1_000_000)
export const timeSchema = z.int().min(0)

const partitionRangeSchema = z.strictObject({
  topic: topicSchema,
  partition: partitionSchema,
  first: offsetSchema.describe('Of the first record of the partition in the tree.'),
  last: offsetSchema,
})
export type PartitionRange = z.infer<typeof partitionRangeSchema>

const checkpointSchema = z.strictObject({
  schema: z.literal(CHECKPOINT_SCHEMA),
  tree: treeNameSchema,
  key: digestSchema.describe('The id of the public key.'),
  size: z.int().min(1).describe('Leaves of the tree.'),
  root: digestSchema,
  previous: digestSchema.nullable().describe('Digest of the checkpoint before it, with its signature.'),
  partitions: z
    .array(partitionRangeSchema)
    .max(PARTITIONS_MAX)
    .describe('In the order of their first records.'),
  time: timeSchema.describe("The recorder's clock, milliseconds since 1970."),
})
export type Checkpoint = z.infer<typeof checkpointSchema>

/** What a tree was at one time, and who says so. */
export const signedCheckpointSchema = z.strictObject({
  checkpoint: checkpointSchema,
  signature: z
    .string()
    .regex(/^[A-Za-z0-9+/]{86}==$/, 'expected an Ed25519 signature in Base64')
    .describe(
      'Ed25519 over the text `plimsoll-checkpoint`, a line feed, and the canonical JSON of `checkpoint`.',
    ),
})
export type SignedCheckpoint = z.infer<typeof signedCheckpointSchema>

/** The first line keeps a signature of a checkpoint from being taken for one of something else. */
const signedText = (checkpoint: Checkpoint): Buffer =>
  Buffer.from(`plimsoll-checkpoint\n${canonicalJson(checkpoint)}`)

export const signCheckpoint = (
  checkpoint: Omit<Checkpoint, 'schema' | 'key'>,
  key: SigningKey,
): SignedCheckpoint => {
  const whole = { schema: CHECKPOINT_SCHEMA, key: key.public.id, ...checkpoint } as const
  return { checkpoint: whole, signature: sign(null, signedText(whole), key.secret).toString('base64') }
}

/** Why the checkpoint is not one of the key's owner; undefined if it is. */
export function problemOfSignature(
  { checkpoint, signature }: SignedCheckpoint,
  key: PublicKey,
): string | undefined {
  if (checkpoint.key !== key.id) return `it was signed by another key, \`${checkpoint.key.slice(0, 16)}…\``
  const given = Buffer.from(signature, 'base64')
  return verify(null, signedText(checkpoint), key.key, given) ? undefined : 'its signature is not of this key'
}

/** What the next checkpoint has as `previous`. */
export const checkpointDigest = (signed: SignedCheckpoint): string => digestOf(signed)
