import { canonicalJson, formatIssues, parseJson } from '@plimsoll/contracts'
import {
  type PartitionRange,
  type SignedCheckpoint,
  checkpointDigest,
  problemOfSignature,
  signedCheckpointSchema,
} from '../tree/checkpoint.js'
import type { PublicKey } from '../tree/keys.js'
import { type MerkleTree, createMerkleTree } from '../tree/merkle-tree.js'
import { type Entry, type EntrySource, entrySchema, isErased, problemOfHashes } from './entry.js'
import { type Run, addToRuns, countIn, erasureSchema, firstDifference, mergeRuns } from './erasures.js'

/** Problems of a schema that are shown of a line. */
const ISSUES_MAX = 3

export interface TreeStateOptions {
  /** Of the recorder. */
  readonly key: PublicKey
  /** Default: that of the first line. */
  readonly tree?: string
  /** Whether the inclusion proof of an entry is wanted. Default: of none. */
  readonly isTracked?: (entry: Entry) => boolean
}

/**
 * What the lines of a proof file amount to so far. Verifying and recording use the same: so a recorder never continues a file that does
 * not verify. Memory: the logarithm of the entries, the partitions, and the runs of erased entries.
 */
export interface TreeState {
  /** Undefined before the first line. */
  name(): string | undefined
  readonly tree: Pick<MerkleTree, 'size' | 'root' | 'proofs'>
  /** The last one. */
  checkpoint(): SignedCheckpoint | undefined
  checkpoints(): number
  /** Entries after the last checkpoint. */
  unsigned(): number
  erased(): number
  partitions(): readonly PartitionRange[]
  /** Whether a record of the log has been entered, or a later one of its partition. */
  has(source: Pick<EntrySource, 'topic' | 'partition' | 'offset'>): boolean
  /** Takes a line; returns what it is, or why it does not belong here. */
  take(text: string): Taken
  /** Takes an entry or a checkpoint; returns why it does not belong here. */
  takeEntry(entry: Entry): string | undefined
  takeCheckpoint(signed: SignedCheckpoint): string | undefined
  /** What is wrong at the end of the file: an entry without a body that no erasure names, or an erased one with a body. */
  problemAtEnd(): string | undefined
}

export type Taken =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'checkpoint'; readonly signed: SignedCheckpoint }
  | { readonly kind: 'problem'; readonly problem: string }

export function createTreeState({ key, tree: wanted, isTracked = () => false }: TreeStateOptions): TreeState {
  const tree = createMerkleTree()
  const partitions = new Map<string, { topic: string; partition: number; first: string; last: string }>()
  const bodiless: Run[] = []
  /** What signed erasures name; those after the last checkpoint do not count. */
  const named: Run[] = []
  let unsignedRuns: Run[] = []
  let name = wanted
  let signed: SignedCheckpoint | undefined
  let checkpoints = 0

  function takeEntry(entry: Entry): string | undefined {
    const problem = problemOf(entry)
    if (problem !== undefined) return problem
    name = entry.tree
    if (entry.kind === 'erasure')
      for (const run of erasureSchema.parse(entry.body).runs) unsignedRuns.push(run)
    if (isErased(entry)) addToRuns(bodiless, entry.index)
    if (entry.source) pass(entry.source)
    tree.append(Buffer.from(entry.leaf, 'hex'), isTracked(entry))
    return undefined
  }

  function problemOf(entry: Entry): string | undefined {
    if (name !== undefined && entry.tree !== name)
      return `it is of tree \`${entry.tree}\`, the file of \`${name}\``
    if (entry.index !== tree.size()) return `it has index ${entry.index}, and ${tree.size()} follows`
    if (entry.kind === 'erasure') {
      const { error, data } = erasureSchema.safeParse(entry.body)
      if (error) return `it is no erasure: ${formatIssues(error, 'body', ISSUES_MAX)}`
      if (data.runs.some(([, last]) => last >= entry.index)) return 'it erases what comes after it'
    }
    return problemOfPlace(entry) ?? problemOfHashes(entry)
  }

  function problemOfPlace({ source, kind }: Entry): string | undefined {
    if ((source === null) !== (kind === 'erasure')) return `as \`${kind}\`, it has the wrong \`source\``
    if (!source || !has(source)) return undefined
    const { topic, partition, offset } = source
    return `offset ${offset} of \`${topic}\`, partition ${partition}, comes after a later one`
  }

  const pass = ({ topic, partition, offset }: EntrySource) => {
    const range = partitions.get(`${topic} ${partition}`)
    if (range) range.last = offset
    else partitions.set(`${topic} ${partition}`, { topic, partition, first: offset, last: offset })
  }

  const has: TreeState['has'] = ({ topic, partition, offset }) => {
    const last = partitions.get(`${topic} ${partition}`)?.last
    return last !== undefined && BigInt(offset) <= BigInt(last)
  }

  function takeCheckpoint(given: SignedCheckpoint): string | undefined {
    const { checkpoint } = given
    if (name !== undefined && checkpoint.tree !== name)
      return `it is of tree \`${checkpoint.tree}\`, the file of \`${name}\``
    const problem = problemOfSignature(given, key)
    if (problem !== undefined) return problem
    if (checkpoint.size !== tree.size())
      return `it covers ${checkpoint.size} entries, and ${tree.size()} are before it`
    if (checkpoint.root !== tree.root().toString('hex'))
      return 'the entries before it are not those that it covers'
    if (checkpoint.previous !== (signed ? checkpointDigest(signed) : null))
      return 'the checkpoint before it is another'
    if (canonicalJson(checkpoint.partitions) !== canonicalJson([...partitions.values()]))
      return 'the offsets in it are not those of the entries before it'
    for (const run of unsignedRuns) named.push(run)
    unsignedRuns = []
    signed = given
    checkpoints++
    return undefined
  }

  function take(text: string): Taken {
    const json = parseJson(text)
    if (typeof json !== 'object' || json === null) return problemIs('it is not JSON')
    const isCheckpoint = 'checkpoint' in json
    const { error } = (isCheckpoint ? signedCheckpointSchema : entrySchema).safeParse(json)
    if (error)
      return problemIs(
        `it is no ${isCheckpoint ? 'checkpoint' : 'entry'}: ${formatIssues(error, 'line', ISSUES_MAX)}`,
      )
    // Byte by byte: a reader of JSON could take another of two members with one name.
    if (canonicalOf(json) !== text) return problemIs('it is not written as a recorder writes')
    // As it was read: a schema could leave members of the body out.
    const problem = isCheckpoint ? takeCheckpoint(json as SignedCheckpoint) : takeEntry(json as Entry)
    if (problem !== undefined) return problemIs(problem)
    return isCheckpoint
      ? { kind: 'checkpoint', signed: json as SignedCheckpoint }
      : { kind: 'entry', entry: json as Entry }
  }

  return {
    name: () => name,
    tree,
    checkpoint: () => signed,
    checkpoints: () => checkpoints,
    unsigned: () => tree.size() - (signed?.checkpoint.size ?? 0),
    erased: () => countIn(bodiless),
    partitions: () => [...partitions.values()].map((range) => ({ ...range })),
    has,
    take,
    takeEntry,
    takeCheckpoint,
    problemAtEnd: () => {
      const merged = mergeRuns(named)
      const index = firstDifference(merged, bodiless)
      if (index === undefined) return undefined
      const isNamed = merged.some(([first, last]) => first <= index && index <= last)
      return isNamed
        ? `entry ${index} has a body, and an erasure says that it has none`
        : `entry ${index} has no body, and no signed erasure names it`
    },
  }
}

const problemIs = (problem: string): Taken => ({ kind: 'problem', problem })

/** Undefined for what is nested too deeply. */
function canonicalOf(json: unknown): string | undefined {
  try {
    return canonicalJson(json)
  } catch {
    return undefined
  }
}
