import { PlimsollError } from '@plimsoll/contracts'
import { controlsBefore, createControlView } from '@plimsoll/engine'
import { type LogRecord, type RecordWrite, revisionAfter } from '@plimsoll/runtime'
import type { StoreContext } from '../context.js'
import { foldControl } from '../controls/fold.js'
import { type HeldControls, controlsWrite } from '../controls/record.js'
import type { IsCounted } from '../fold/counting.js'
import { asksOf } from '../fold/fleet-asks.js'
import { type FoldContext, type Folded, foldSession, stateBefore } from '../fold/fold.js'
import { type Sessions, bySession, storeFolded } from '../fold/sessions.js'
import { type Held, NO_OFFSET, bodyOf, readHeld, startedOver } from '../records/progress.js'
import type { SessionEvent, ValidControl, ValidatedRecord } from '../records/validate.js'
import { type Recorded, NOTHING_RECORDED, readRecorded, recordedFleet } from './recorded-readings.js'
import type { Window } from './window.js'

/** What is to be read back of a partition. */
export interface Stretch extends Window {
  readonly partition: number
  /** Exclusive. */
  readonly upTo: bigint
  /** Records of sessions last heard of before this offset are lost. */
  readonly trustedFrom: bigint
  /** What stands at `upTo`, as far as it is known; changes that it does not know are folded too. */
  readonly controls: HeldControls
  /** Whether what is folded is counted: only where the counts were lost with the records. */
  readonly isCounting: boolean
  /** The only sessions to be rebuilt; all where it is left out. */
  readonly only?: ReadonlySet<string>
  readonly admit: (record: LogRecord) => ValidatedRecord
  /** False once the partition is another's: it goes no further then. */
  readonly isOwned: () => boolean
  readonly onRead?: (offset: bigint) => void
}

export interface FoldedBack {
  readonly records: number
  /** Sessions whose record was written. */
  readonly sessions: number
  /** Sessions that were not found from their start. */
  readonly lost: number
  readonly controls: HeldControls
  /** The latest append time read; 0 where there was none. */
  readonly timeMs: number
}

/** Folds what is read back, chunk by chunk, and keeps count. */
export interface Run {
  count(record: LogRecord): void
  takeControl(admitted: ValidControl): Promise<void>
  takeEvents(admitted: readonly ValidatedRecord[]): Promise<void>
  result(): FoldedBack
}

export function createRun(context: StoreContext, stretch: Stretch): Run {
  const { store, rulesCache, lifetimes, casAttemptsMax } = context
  const isCounted: IsCounted = stretch.isCounting ? context.isCounted : () => false
  const { partition } = stretch
  /** What must not start later on: its beginning lies before the stretch, or its rules are not at hand. */
  const lost = new Set<string>()
  const written = new Set<string>()
  let { controls } = stretch
  let records = 0
  let timeMs = 0

  let recorded: Recorded | undefined

  /** What was read of the fleet's counters, once any event is judged by it. */
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
    const ground = {
      rulesCache,
      lifetimes,
      isCounted,
      view,
      warmth,
      partition,
      chunkStart: stretch.upTo,
      fleet,
    }
    const folded = foldSession(startsHere ? startedOver(held) : held, events, ground)
    if (!folded.rules) lost.add(held.id)
    return { ...folded, write: folded.write && rebuiltWrite(folded.write, folded.rules !== undefined) }
  }
  /** A session of which nothing is stored, and that has begun before: its id is not to begin again at safe. */
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
    count: (record) => {
      records++
      timeMs = Math.max(timeMs, record.timeMs)
    },
    takeControl: async ({ record: { offset }, control }) => {
      if (offset <= controls.offset) return
      const { log } = foldControl(controls.log, control, offset, rulesCache)
      const next = { offset, log, report: '' }
      const [isStored] = await store.compareAndSet([controlsWrite(partition, controls.revision, next)])
      if (!isStored) throw contended(partition)
      controls = { ...next, revision: revisionAfter(controls.revision) }
    },
    takeEvents: async (admitted) => {
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
    result: () => {
      for (const id of lost) written.delete(id)
      return { records, sessions: written.size, lost: lost.size, controls, timeMs }
    },
  }
}

/**
 * Nothing waits in the outbox of a rebuilt record: its answers were published long ago. A session whose rules are not at hand would miss
 * steps that count: nobody is to be judged by what its record would say.
 */
function rebuiltWrite(write: RecordWrite, isJudged: boolean): RecordWrite {
  if (isJudged) return { ...write, outbox: '' }
  const [offset = '0'] = write.body.split(' ', 1)
  return { ...write, outbox: '', body: bodyOf(BigInt(offset), LOST) }
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
  skipped: 0,
} as const satisfies Omit<Folded, 'id' | 'write'>

/** What no state reads like. */
const LOST = 'lost'

export const contended = (partition: number): PlimsollError =>
  new PlimsollError('contended', `partition ${partition} is written by another owner as well`)
