import { controlsBefore, createControlView } from '@plimsoll/engine'
import { type LogRecord, revisionAfter } from '@plimsoll/runtime'
import { foldControl } from '../controls/fold.js'
import { type HeldControls, controlsWrite } from '../controls/record.js'
import type { IsCounted } from '../fold/counting.js'
import { asksOf } from '../fold/fleet-readings.js'
import { type FoldContext, type Folded, foldSession, stateBefore } from '../fold/fold.js'
import { type Sessions, bySession, storeFolded } from '../fold/sessions.js'
import { type Held, NO_OFFSET, bodyOf, contended, readHeld } from '../records/progress.js'
import type { SessionEvent, ValidControl, ValidatedRecord } from '../records/validate.js'
import { type Recorded, NOTHING_RECORDED, readRecorded, recordedFleet } from './recorded-readings.js'
import type { StoreContext } from './store-context.js'
import type { Window } from './window.js'

/** The part of a partition to replay. */
export interface Stretch extends Window {
  readonly partition: number
  /** Exclusive. */
  readonly upTo: bigint
  /** Session records last written before this offset are lost. */
  readonly trustedFrom: bigint
  /** The controls at `upTo` as far as known; later changes in the stretch are folded. */
  readonly controls: HeldControls
  /** Whether transitions are counted: only if the counts were lost with the records. */
  readonly isCounting: boolean
  /** Sessions to rebuild; all by default. */
  readonly only?: ReadonlySet<string>
  readonly admit: (record: LogRecord) => ValidatedRecord
  /** False once another monitor owns the partition, which ends the replay. */
  readonly isOwned: () => boolean
  readonly onRead?: (offset: bigint) => void
}

export interface FoldedBack {
  readonly records: number
  /** Sessions whose record was written. */
  readonly sessions: number
  /** Sessions whose start was not found. */
  readonly lost: number
  readonly controls: HeldControls
  /** The latest append time read; 0 where there was none. */
  readonly timeMs: number
}

/** Folds a stretch chunk by chunk, and counts what it did. */
export function createRun(context: StoreContext, stretch: Stretch) {
  const { store, rulesCache, lifetimes } = context
  const { casAttemptsMax } = context.limits
  const isCounted: IsCounted = stretch.isCounting ? context.isCounted : () => false
  const { partition } = stretch
  /** Sessions that must not start later: they began before the stretch, or their rules are missing. */
  const lost = new Set<string>()
  const written = new Set<string>()
  let { controls } = stretch
  let records = 0
  let timeMs = 0
  let recorded: Recorded | undefined

  /** The recorded fleet readings, read once an event needs any. */
  const fleetFor = async (
    held: readonly Held[],
    sessions: Sessions,
    status: Pick<FoldContext, 'view' | 'warmth'>,
  ) => {
    const isAsked = (each: Held) => {
      const { before, rules } = stateBefore(each, { ...status, rulesCache })
      return asksOf(each.id, before, sessions.get(each.id) ?? [], rules).length > 0
    }
    if (!recorded && held.some(isAsked)) {
      const times = [...sessions.values()].flatMap((events) => events.map(({ record }) => record.timeMs))
      const place = { partition, partitions: context.partitions, fromMs: Math.min(...times) }
      recorded = await readRecorded(context.log, context.topics, place)
    }
    return recordedFleet(recorded ?? NOTHING_RECORDED)
  }
  const fold = (
    held: Held,
    events: readonly SessionEvent[],
    { view, warmth, fleet }: Pick<FoldContext, 'view' | 'warmth' | 'fleet'>,
  ): Folded | undefined => {
    const startsHere = events[0]?.event.type === 'session.started'
    if (!held.state && !startsHere && (held.isLost || !stretch.isWhole)) {
      lost.add(held.id)
      return stretch.only ? undefined : lostHere(held, events)
    }
    const chunkStart = stretch.upTo
    const place = { rulesCache, lifetimes, isCounted, view, warmth, partition, chunkStart, fleet }
    const folded = foldSession(startsHere ? { ...held, isLost: false } : held, events, place)
    const { write, rules } = folded
    const last = events.at(-1)?.record.offset
    if (!rules) lost.add(held.id)
    if (rules || !write || last === undefined)
      // The outbox of a rebuilt record is empty: its answers were published long ago.
      return { ...folded, write: write && { ...write, outbox: '' } }
    // Without its rules the record would miss steps that count: nothing may be judged by it.
    return { ...folded, write: { ...write, outbox: '', body: bodyOf(last, LOST) } }
  }
  /** A session without a record that began earlier: its id must not restart at safe. */
  const lostHere = ({ id, revision }: Held, events: readonly SessionEvent[]): Folded | undefined => {
    const last = events.at(-1)?.record.offset
    if (revision !== 0 || last === undefined) return undefined
    const write = { id, expected: 0, body: bodyOf(last, LOST), outbox: '', ttlMs: lifetimes.idleTtlMs }
    return { ...NOTHING_FOLDED, id, write }
  }
  const foldAll = async (ids: readonly string[], sessions: Sessions, { offset, timeMs }: LogRecord) => {
    const stored = await store.load(ids)
    const held = ids.map((id, i) => readHeld(id, stored[i], stretch.trustedFrom))
    const view = createControlView(controlsBefore(controls.log, offset))
    const { isOwned } = stretch
    const place = { partition, upTo: offset, timeMs, isOwned, controls }
    const warmth = await context.warmStart.prepare({ ...place, held, view })
    const fleet = await fleetFor(held, sessions, { view, warmth })
    const folded = new Map<string, Folded>()
    for (const one of held) {
      const each = fold(one, sessions.get(one.id) ?? [], { view, warmth, fleet })
      if (each) folded.set(one.id, each)
    }
    return folded
  }

  return {
    count: (record: LogRecord): void => {
      records++
      timeMs = Math.max(timeMs, record.timeMs)
    },
    takeControl: async ({ record: { offset }, control }: ValidControl): Promise<void> => {
      if (offset <= controls.offset) return
      const { log } = foldControl(controls.log, control, offset, rulesCache)
      const next = { offset, log, report: '' }
      const [isStored] = await store.compareAndSet([controlsWrite(partition, controls.revision, next)])
      if (!isStored) throw contended(partition)
      controls = { ...next, revision: revisionAfter(controls.revision) }
    },
    takeEvents: async (admitted: readonly ValidatedRecord[]): Promise<void> => {
      const sessions = bySession(admitted)
      const first = admitted[0]?.record
      if (!first) return
      const done = new Map<string, Folded>()
      let open = [...sessions.keys()].filter((id) => !lost.has(id))
      for (let attempt = 0; open.length > 0; attempt++) {
        if (attempt === casAttemptsMax) throw contended(partition)
        const folded = await foldAll(open, sessions, first)
        ;({ refused: open } = await storeFolded(store, folded, undefined, done))
      }
      for (const [id, { write }] of done) if (write) written.add(id)
    },
    result: (): FoldedBack => {
      for (const id of lost) written.delete(id)
      return { records, sessions: written.size, lost: lost.size, controls, timeMs }
    },
  }
}

const NOTHING_FOLDED = {
  heldAt: NO_OFFSET,
  before: undefined,
  warmed: undefined,
  events: [],
  outcomes: [],
  rules: undefined,
  emissions: [],
  counted: undefined,
} as const satisfies Omit<Folded, 'id' | 'write'>

/** A body that no state decodes from. */
const LOST = 'lost'
