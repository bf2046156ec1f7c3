import { tenantOf } from '@plimsoll/contracts'
import { type Entry, erased } from '../file/entry.js'
import { type Erasure, type Run, RUNS_MAX, addToRuns, countIn } from '../file/erasures.js'
import { lockFolder, treesIn } from '../file/folder.js'
import { openTreeFile } from '../file/tree-file.js'
import type { SigningKey } from '../tree/keys.js'
import { FLEET_TREE } from '../tree/names.js'

/** Whose entries are erased: a session's, or those of the sessions of a tenant that began with this agent or user. */
export type Erased =
  | { readonly session: string }
  | { readonly tenant: string; readonly agent: string }
  | { readonly tenant: string; readonly user: string }

export interface EraseOptions {
  readonly folder: string
  readonly key: SigningKey
  readonly whose: Erased
  /** Who erases. */
  readonly by: string
  readonly reason?: string | undefined
  readonly nowMs: number
}

export interface ErasedEntries {
  readonly sessions: number
  readonly entries: number
}

/**
 * Deletes bodies and salts of entries, records that in the tree, and signs it. The leaves stay, so the tree verifies, and so do receipts that
 * were made before. Rejects as `lockFolder` and `openTreeFile` do; a file is then as it was.
 */
export async function eraseEntries({
  folder,
  key,
  whose,
  by,
  reason,
  nowMs,
}: EraseOptions): Promise<ErasedEntries> {
  const release = await lockFolder(folder)
  try {
    const sessions = new Set<string>()
    let entries = 0
    const tenant = 'session' in whose ? tenantOf(whose.session) : whose.tenant
    const trees = (await treesIn(folder)).filter((tree) => tree === tenant || tree === FLEET_TREE)
    for (const tree of trees) {
      const isWanted = await sessionFilter(folder, tree, key, whose)
      const runs: Run[] = []
      const file = await openTreeFile(folder, tree, key, (entry) => {
        const session = sessionOf(entry)
        if (session === undefined || !isWanted(session)) return
        sessions.add(session)
        addToRuns(runs, entry.index)
      })
      if (runs.length === 0) continue
      entries += countIn(runs)
      for (let i = 0; i < runs.length; i += RUNS_MAX) {
        const part = runs.slice(i, i + RUNS_MAX)
        const body: Erasure = { runs: part, by, ...(reason !== undefined && { reason }), time: nowMs }
        file.add({ kind: 'erasure', source: null, body })
      }
      file.sign(nowMs)
      const chosen = createRunFinder(runs)
      await file.rewrite((entry) => (chosen(entry.index) ? erased(entry) : entry))
    }
    return { sessions: sessions.size, entries }
  } finally {
    await release()
  }
}

/** The session that an entry is about; undefined for none, and once it is erased. */
function sessionOf({ body }: Entry): string | undefined {
  const session = body?.['sessionId']
  return typeof session === 'string' ? session : undefined
}

async function sessionFilter(
  folder: string,
  tree: string,
  key: SigningKey,
  whose: Erased,
): Promise<(session: string) => boolean> {
  if ('session' in whose) return (session) => session === whose.session
  const sessions = new Set<string>()
  const [member, value] = 'agent' in whose ? ['agent', whose.agent] : ['user', whose.user]
  await openTreeFile(folder, tree, key, (entry) => {
    const session = sessionOf(entry)
    if (entry.kind !== 'session' || session === undefined || entry.body?.[member] !== value) return
    if (tenantOf(session) === whose.tenant) sessions.add(session)
  })
  return (session) => sessions.has(session)
}

/** Whether an index is in the runs, for indexes that ascend. */
function createRunFinder(runs: readonly Run[]): (index: number) => boolean {
  let at = 0
  return (index) => {
    while ((runs[at]?.[1] ?? Infinity) < index) at++
    return (runs[at]?.[0] ?? Infinity) <= index
  }
}
