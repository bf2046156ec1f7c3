import { tenantOf } from '@plimsoll/contracts'
import { type Entry, erased } from '../file/entry.js'
import { type Erasure, type Run, RUNS_MAX, addToRuns, countIn } from '../file/erasures.js'
import { lockFolder, treesIn } from '../file/folder.js'
import { openTreeFile } from '../file/tree-file.js'
import type { SigningKey } from '../tree/keys.js'
import { FLEET_TREE } from '../tree/names.js'

/**
 * Whose entries are erased: a session's; of a tenant, those of the sessions that began with an agent or for a user, or the answers of an
 * approver with the decisions that name them.
 */
export type Erased =
  | { readonly session: string }
  | { readonly tenant: string; readonly agent: string }
  | { readonly tenant: string; readonly user: string }
  | { readonly tenant: string; readonly approver: string }

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
      const isWanted = await createFilter(folder, tree, key, whose)
      const runs: Run[] = []
      const file = await openTreeFile(folder, tree, key, (entry) => {
        const session = sessionOf(entry)
        if (session === undefined || !isWanted(entry, session)) return
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

type IsWanted = (entry: Entry, session: string) => boolean

/** Reads the file once, unless each entry shows it by itself. */
async function createFilter(folder: string, tree: string, key: SigningKey, whose: Erased): Promise<IsWanted> {
  if ('session' in whose) return (_entry, session) => session === whose.session
  const isOfTenant = (session: string): boolean => tenantOf(session) === whose.tenant
  if ('approver' in whose) {
    const { approver } = whose
    return (entry, session) =>
      isOfTenant(session) && (isAnswerOf(entry, approver) || isNaming(entry, approver))
  }
  const sessions = new Set<string>()
  const [member, value] = 'agent' in whose ? ['agent', whose.agent] : ['user', whose.user]
  await openTreeFile(folder, tree, key, (entry) => {
    const session = sessionOf(entry)
    if (entry.kind !== 'session' || session === undefined || entry.body?.[member] !== value) return
    if (isOfTenant(session)) sessions.add(session)
  })
  return (_entry, session) => sessions.has(session)
}

const isAnswerOf = ({ kind, body }: Entry, approver: string): boolean =>
  (kind === 'approval' || kind === 'declassification') && body?.['by'] === approver

/** Decisions name an approver in `liftedBy`, and in the message of a denial, in backticks. */
function isNaming({ kind, body }: Entry, approver: string): boolean {
  const reasons: unknown = body?.['reasons']
  if (kind !== 'decision' || !Array.isArray(reasons)) return false
  return (reasons as readonly { readonly message?: unknown; readonly liftedBy?: unknown }[]).some(
    ({ message, liftedBy }) =>
      liftedBy === `approval:${approver}` || String(message).includes(`\`${approver}\``),
  )
}

/** Whether an index is in the runs, for indexes that ascend. */
function createRunFinder(runs: readonly Run[]): (index: number) => boolean {
  let at = 0
  return (index) => {
    while ((runs[at]?.[1] ?? Infinity) < index) at++
    return (runs[at]?.[0] ?? Infinity) <= index
  }
}
