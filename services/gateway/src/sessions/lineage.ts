import { createHash } from 'node:crypto'
import { WORST, addsTo, joinHandovers } from '@plimsoll/client/services'
import { type Handover, handoverSchema, parseJson } from '@plimsoll/contracts'
import { type Clock, type LineageEntry, type LineageStore, systemClock } from '@plimsoll/runtime'
import { createEmbeddedLineages } from '@plimsoll/runtime/embedded'
import type { Principal } from '../auth/principals.js'

/** What a host's unnamed session is for. */
export interface LineageScope {
  readonly user?: string | undefined
  /** The host's own name for a conversation. */
  readonly conversation?: string | undefined
}

/** How long a session's state counts for later sessions, milliseconds since its last report. */
export const LINEAGE_MS = 3_600_000

/** Sessions of one lineage that have learned something since the latest one started. */
export const LINEAGE_ENTRIES_MAX = 256

/** Id of the entry for all sessions that do not fit. */
const REST = '#rest'

export interface LineageOptions {
  readonly store: LineageStore
  readonly clock: Clock
  readonly scope?: LineageScope | undefined
  /** How long a session's state counts after its last report, milliseconds. Default: `LINEAGE_MS`. */
  readonly keepMs?: number | undefined
}

export type Lineage = ReturnType<typeof createLineage>
export type Member = Awaited<ReturnType<Lineage['begin']>>

/**
 * What related sessions have learned, in all gateways: all sessions of one agent, or a host's unnamed sessions for one user and
 * conversation. A new session starts with it, and what one session reads the others know at their next step. An agent has one lineage
 * whatever user it names: it could invent users to forget. Rejects with `store_unavailable`. Source:
 * docs/decisions/20261122-enforcement.md, docs/decisions/20261122-gateway.md.
 */
export function createLineage(
  { tenant, name, trust }: Pick<Principal, 'tenant' | 'name' | 'trust'>,
  { store, clock, scope = {}, keepMs = LINEAGE_MS }: LineageOptions,
) {
  const { user = null, conversation = null } = scope
  const scoped = trust === 'agent' ? name : `${name}\n${JSON.stringify([user, conversation])}`
  const lineage = createHash('sha256').update(`${tenant}\n${scoped}`).digest('hex')
  const bounds = { ttlMs: keepMs, keptMax: LINEAGE_ENTRIES_MAX }

  async function keep(entry: LineageEntry, instead: readonly LineageEntry[]): Promise<void> {
    if (await store.report(lineage, entry, { ...bounds, instead })) return
    const rest = { id: REST, body: WORST_BODY }
    await store.report(lineage, rest, { ...bounds, keptMax: LINEAGE_ENTRIES_MAX + 1 })
  }

  return {
    /** A session that starts or continues now. */
    begin: async (id: string) => {
      const before = (await store.read(lineage)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
      let reported: string | undefined
      let reportedAt = 0
      /** Entries of others that the session already knows. */
      let received: readonly LineageEntry[] = before
      return {
        /** The state to inherit; undefined if nothing is known. */
        earlier: joinAll(before.map(parseEntry)),
        /** The part of it from other sessions: a continued session may never have received it. */
        others: joinAll(before.filter((entry) => entry.id !== id).map(parseEntry)),
        /** What others have learned that `own` does not hold; undefined if nothing. */
        unknownTo: async (own: Handover): Promise<Handover | undefined> => {
          const others = (await store.read(lineage)).filter((entry) => entry.id !== id)
          const isReceived = ({ id: other, body }: LineageEntry) =>
            received.some((each) => each.id === other && each.body === body)
          const news = others.filter((entry) => !isReceived(entry)).map(parseEntry)
          received = others
          return joinAll(news.filter((each) => addsTo(own, each)))
        },
        /** Shares the session's state with the others. */
        report: async (own: Handover): Promise<void> => {
          const body = bodyOf(own)
          const now = clock.now()
          if (body === reported && now - reportedAt < keepMs / 4) return
          // From its first report on, the session's entry replaces those that it inherited.
          await keep({ id, body }, reported === undefined ? before : [])
          reported = body
          reportedAt = now
        },
      }
    },
  }
}

const joinAll = (handovers: readonly Handover[]): Handover | undefined =>
  handovers.reduce<Handover | undefined>((joined, each) => joinHandovers(joined, each), undefined)

/**
 * The entry's text. Without the task, which an agent writes itself, and without the token, because the session has not delegated to those
 * that follow. Sorted, so that equal states have equal texts.
 */
function bodyOf({ root, inherits, signals, key }: Handover): string {
  const { fingerprints = {} } = inherits
  const lists = {
    untrusted: fingerprints.untrusted?.toSorted(),
    instructed: fingerprints.instructed?.toSorted(),
    sensitive: fingerprints.sensitive?.toSorted(),
  }
  return JSON.stringify({ root, inherits: { ...inherits, fingerprints: lists }, signals, key })
}

/** An entry that cannot be decoded counts as the worst. */
function parseEntry({ id, body }: LineageEntry): Handover {
  return handoverSchema.safeParse(parseJson(body)).data ?? { root: id, inherits: WORST }
}

/** For sessions that cannot be listed. Its root must be an id, since sessions inherit it. */
const WORST_BODY = JSON.stringify({ root: 'lineage', inherits: WORST })

/** Id of the entry for everything read before the store was created. */
const BEFORE = '#before'

/**
 * Lineages in a gateway's memory, though its log outlives it. What sessions read before the gateway started is unknown, so each lineage
 * holds the worst for as long as that could count.
 */
export function createMemoryLineages(clock: Clock = systemClock): LineageStore {
  const store = createEmbeddedLineages({ clock })
  const startedAt = clock.now()
  return {
    ...store,
    read: async (lineage) => {
      const known = await store.read(lineage)
      const isRecent = clock.now() - startedAt < LINEAGE_MS
      return isRecent ? [...known, { id: BEFORE, body: WORST_BODY }] : known
    },
  }
}
