import { createHash } from 'node:crypto'
import { joinedHandover } from '@plimsoll/client'
import type { Handover } from '@plimsoll/contracts'
import { type Clock, type LineageEntry, type LineageStore, systemClock } from '@plimsoll/runtime'
import { createEmbeddedLineages } from '@plimsoll/runtime/embedded'
import type { Principal } from '../auth/principals-file.js'
import { adds, bodyOf, knowledgeIn, worstBody } from './knowledge.js'

/** Whose unnamed sessions these are, as their host says. */
export interface LineageScope {
  readonly user?: string | undefined
  /** The host's own name for a conversation. */
  readonly conversation?: string | undefined
}

/**
 * The name under which it is kept what unnamed sessions have read: of an agent one for all, for it would split itself to forget; of a
 * host one for each user and conversation that it names.
 */
export function scopeName(
  { trust, name }: Pick<Principal, 'trust' | 'name'>,
  scope: LineageScope = {},
): string {
  if (trust === 'agent') return name
  return `${name}\n${JSON.stringify([scope.user ?? null, scope.conversation ?? null])}`
}

/** For how long what a session knew counts for those that begin after it, milliseconds since it was last heard of. */
export const LINEAGE_MS = 3_600_000

/** Sessions of one lineage that have learnt something since the latest began. */
export const LINEAGE_ENTRIES_MAX = 256

/** The entry that speaks for all that have no room. */
const REST = '#rest'

/**
 * What sessions that belong together have learned, in any gateway: all sessions of one agent, or the unnamed sessions of a host for one
 * user and conversation. A new session forgets nothing, and what one of them reads the others know at their next step. Of an agent by the
 * principal alone: an agent says itself for whom it works. Rejects with `store_unavailable`. Source: docs/decisions/20261122-enforcement.md,
 * docs/decisions/20261122-gateway.md.
 */
export interface Lineage {
  /** A session that begins now. */
  begin(id: string): Promise<Member>
}

/** One session of a lineage. */
export interface Member {
  /** What it is to take over; undefined where nothing is known. */
  readonly earlier: Handover | undefined
  /** As much of it as others have told: what a session that goes on may never have been told itself. */
  readonly others: Handover | undefined
  /** What others have learned that `own` does not hold; undefined where there is nothing. */
  unknownTo(own: Handover): Promise<Handover | undefined>
  /** Has the others know what the session knows by now. */
  report(own: Handover): Promise<void>
}

export interface LineageOptions {
  readonly store: LineageStore
  readonly clock: Clock
  /** Of a host: whose sessions these are. */
  readonly scope?: LineageScope | undefined
}

export function createLineage(
  principal: Pick<Principal, 'tenant' | 'name' | 'trust'>,
  { store, clock, scope }: LineageOptions,
): Lineage {
  const lineage = createHash('sha256')
    .update(`${principal.tenant}\n${scopeName(principal, scope)}`)
    .digest('hex')
  const bounds = { ttlMs: LINEAGE_MS, keptMax: LINEAGE_ENTRIES_MAX }
  const rest = worstBody()

  async function keep(entry: LineageEntry, instead: readonly LineageEntry[]): Promise<void> {
    if (await store.report(lineage, entry, { ...bounds, instead })) return
    await store.report(lineage, { id: REST, body: rest }, { ...bounds, keptMax: LINEAGE_ENTRIES_MAX + 1 })
  }

  async function begin(id: string): Promise<Member> {
    const before = (await store.read(lineage)).toSorted(byId)
    let reported: string | undefined
    let reportedAt = 0
    /** What was read of the others, and is in what the session knows. */
    let received: readonly LineageEntry[] = before
    return {
      earlier: joinedOf(before.map(knowledgeIn)),
      others: joinedOf(before.filter((entry) => entry.id !== id).map(knowledgeIn)),
      unknownTo: async (own) => {
        const others = (await store.read(lineage)).filter((entry) => entry.id !== id)
        const isReceived = ({ id: other, body }: LineageEntry) =>
          received.some((each) => each.id === other && each.body === body)
        const news = others.filter((entry) => !isReceived(entry)).map(knowledgeIn)
        received = others
        return joinedOf(news.filter((each) => adds(own, each)))
      },
      report: async (own) => {
        const body = bodyOf(own)
        const now = clock.now()
        if (body === reported && now - reportedAt < LINEAGE_MS / 4) return
        // What it took over it speaks for from now on.
        await keep({ id, body }, reported === undefined ? before : [])
        reported = body
        reportedAt = now
      },
    }
  }

  return { begin }
}

const byId = (a: LineageEntry, b: LineageEntry): number => (a.id < b.id ? -1 : 1)

const joinedOf = (all: readonly Handover[]): Handover | undefined =>
  all.reduce<Handover | undefined>((joined, each) => joinedHandover(joined, each), undefined)

/** The entry that speaks for whatever was read before the store was there. */
const BEFORE = '#before'

/**
 * Lineages in the memory of a gateway whose log outlives it. What sessions had read before it started it cannot know: for as long as
 * that would count, each lineage holds the worst.
 */
export function createMemoryLineages(clock: Clock = systemClock): LineageStore {
  const store = createEmbeddedLineages({ clock })
  const startedAt = clock.now()
  const before = { id: BEFORE, body: worstBody() }
  return {
    ...store,
    read: async (lineage) => {
      const known = await store.read(lineage)
      return clock.now() - startedAt < LINEAGE_MS ? [...known, before] : known
    },
  }
}
