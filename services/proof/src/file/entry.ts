import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson, digestSchema } from '@plimsoll/contracts'
import { z } from 'zod'
import { offsetSchema, partitionSchema, timeSchema, topicSchema } from '../tree/checkpoint.js'
import { leafHash } from '../tree/merkle-tree.js'
import { treeNameSchema } from '../tree/names.js'

/**
 * What an entry records: a decision; who a session said to be when it started; an answer of a human; a control change; records that the
 * log lost before they were read; that entries were erased.
 */
export const ENTRY_KINDS = [
  'decision',
  'session',
  'approval',
  'declassification',
  'control',
  'gap',
  'erasure',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

const sourceSchema = z.strictObject({
  topic: topicSchema,
  partition: partitionSchema,
  offset: offsetSchema,
  time: timeSchema.describe('Append time of the record, milliseconds since 1970.'),
})
/** Where in the log a record is. */
export type EntrySource = z.infer<typeof sourceSchema>

/** The members that the leaf covers. They stay when the entry is erased. */
const headSchema = z.strictObject({
  tree: treeNameSchema,
  index: z.int().min(0).describe('The place of the leaf, from 0.'),
  kind: z.enum(ENTRY_KINDS),
  source: sourceSchema.nullable().describe('Null for an erasure, which is no record of the log.'),
  digest: digestSchema.describe('SHA-256 of the salt and the canonical JSON of the body.'),
})
export type EntryHead = z.infer<typeof headSchema>

export type EntryBody = Readonly<Record<string, unknown>>

const isBody = (body: unknown): boolean => typeof body === 'object' && body !== null && !Array.isArray(body)

export const entrySchema = headSchema.extend({
  leaf: digestSchema.describe(
    'SHA-256 of the byte 0 and the canonical JSON of the members but `body`, `leaf` and `salt`.',
  ),
  body: z
    .custom<EntryBody>(isBody, 'expected an object')
    .nullable()
    .describe('The record, as JSON. Null once it is erased.'),
  salt: digestSchema
    .nullable()
    .describe('Random: without it nobody can try out which body the digest is of.'),
})
/** One line of a proof file, for one leaf. */
export type Entry = z.infer<typeof entrySchema>

/** SHA-256 in hex of the salt's 32 bytes and the body's canonical JSON. */
const saltedDigest = (salt: string, body: EntryBody): string =>
  createHash('sha256').update(Buffer.from(salt, 'hex')).update(canonicalJson(body)).digest('hex')

export const leafOf = ({ tree, index, kind, source, digest }: EntryHead): Buffer =>
  leafHash(canonicalJson({ tree, index, kind, source, digest }))

export interface NewEntry {
  readonly kind: EntryKind
  readonly source: EntrySource | null
  readonly body: EntryBody
}

/** The entry at place `index` of a tree, with a new salt. */
export function makeEntry(tree: string, index: number, { kind, source, body }: NewEntry): Entry {
  const salt = randomBytes(32).toString('hex')
  const head = { tree, index, kind, source, digest: saltedDigest(salt, body) }
  return { ...head, leaf: leafOf(head).toString('hex'), body, salt }
}

/** The entry without what can be read of its record. */
export const erased = (entry: Entry): Entry => ({ ...entry, body: null, salt: null })

/** Whether an entry was erased. */
export const isErased = ({ body }: Pick<Entry, 'body'>): boolean => body === null

/** Why the entry's hashes are not those of its content; undefined if they are. An erased one has no content. */
export function problemOfHashes(entry: Entry): string | undefined {
  const { body, salt, digest } = entry
  if ((body === null) !== (salt === null)) return 'it has a body without a salt, or a salt without a body'
  if (body !== null && salt !== null && saltedDigest(salt, body) !== digest)
    return 'its body is not the recorded one'
  return leafOf(entry).toString('hex') === entry.leaf ? undefined : 'its leaf is not the hash of its members'
}
