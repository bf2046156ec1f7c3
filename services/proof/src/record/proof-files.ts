import { PlimsollError } from '@plimsoll/contracts'
import { type TreeFile, openTreeFile } from '../file/tree-file.js'
import { readProgress, treesIn, writeProgress } from '../file/folder.js'
import type { SigningKey } from '../tree/keys.js'
import { FLEET_TREE } from '../tree/names.js'

/** Files beside the fleet's. Tenants beyond it share the fleet's tree: anybody who may start sessions can name tenants. */
export const TREES_MAX = 10_000

/** The files of all trees in a folder, and how far the topics were read. Its caller orders the calls. */
export interface ProofFiles {
  /** The file of a tenant, or of the fleet. */
  of(tree: string): Promise<TreeFile>
  /** Where reading of a topic goes on, by partition. The caller moves it on. */
  next(topic: string): Map<number, bigint>
  /** Whether an offset of the log lies before what the files have. */
  isBefore(topic: string, partition: number, nextOffset: bigint): boolean
  /** Writes what was added. */
  flush(): Promise<void>
  /** Signs and writes everything, and then how far the topics were read. Returns the trees that got a checkpoint. */
  sign(nowMs: number): Promise<readonly TreeFile[]>
  /** Forgets what was not written, after a failure: files are read again at their next use. */
  reopen(): void
  /** Entries that are not signed yet. */
  unsigned(): number
}

/**
 * Opens every file in `folder`. Rejects with `record_invalid` if one does not verify, or lacks what was signed before.
 */
export async function openProofFiles(
  folder: string,
  key: SigningKey,
  treesMax = TREES_MAX,
): Promise<ProofFiles> {
  const progress = await readProgress(folder)
  const next = new Map([...progress.next].map(([topic, partitions]) => [topic, new Map(partitions)] as const))
  const signed = new Map(progress.signed)
  const known = new Set([...(await treesIn(folder)), ...signed.keys()])
  const open = new Map<string, TreeFile>()

  async function openTree(tree: string): Promise<TreeFile> {
    const file = await openTreeFile(folder, tree, key)
    const size = file.state.checkpoint()?.checkpoint.size ?? 0
    const wanted = signed.get(tree) ?? 0
    if (size < wanted)
      throw new PlimsollError(
        'record_invalid',
        `the file of tree \`${tree}\` in \`${folder}\` has a checkpoint of ${size} entries, and one of ${wanted} was signed: it was cut. Restore it, or give a new folder`,
      )
    known.add(tree)
    open.set(tree, file)
    return file
  }

  for (const tree of known) await openTree(tree)

  const nextOf = (topic: string): Map<number, bigint> => {
    const of = next.get(topic) ?? new Map<number, bigint>()
    next.set(topic, of)
    return of
  }
  return {
    of: async (tenant) => {
      const tree = known.has(tenant) || known.size < treesMax ? tenant : FLEET_TREE
      return open.get(tree) ?? openTree(tree)
    },
    next: nextOf,
    isBefore: (topic, partition, nextOffset) =>
      (next.get(topic)?.get(partition) ?? 0n) > nextOffset ||
      [...open.values()].some(({ state }) => state.has({ topic, partition, offset: String(nextOffset) })),
    flush: async () => {
      for (const file of open.values()) await file.flush()
    },
    sign: async (nowMs) => {
      // After `reopen` some are closed, and may have entries without a checkpoint.
      for (const tree of known) if (!open.has(tree)) await openTree(tree)
      const given = [...open.values()].filter(({ state }) => state.unsigned() > 0)
      for (const file of given) {
        file.sign(nowMs)
        await file.flush()
      }
      for (const [tree, { state }] of open) {
        const size = state.checkpoint()?.checkpoint.size
        if (size !== undefined) signed.set(tree, size)
      }
      await writeProgress(folder, { next, signed })
      return given
    },
    reopen: () => open.clear(),
    unsigned: () => [...open.values()].reduce((sum, { state }) => sum + state.unsigned(), 0),
  }
}
