import { PlimsollError } from '@plimsoll/contracts'
import { type ControlView, controlsBefore, createControlView } from '@plimsoll/engine'
import { type Logger, type SessionStore, type StoredRecord, revisionAfter } from '@plimsoll/runtime'
import { NO_OFFSET } from '../records/progress.js'
import type { MonitorRegistry } from '../registry.js'
import { type HeldControls, controlsIdOf, controlsWrite, noControls, readControls } from './record.js'

/**
 * The controls of the partitions, kept in memory as far as they were last read. A partition's progress tells up to which change they
 * count, so that nothing is read again as long as nothing has changed.
 */
export interface PartitionControls {
  /** The view that holds for events from offset `at` to the next change; `taken` is the partition's last change. */
  viewAt(partition: number, taken: bigint, at: bigint): Promise<ControlView>
  /** What they are, where `taken` is the last change. */
  known(partition: number, taken: bigint): Promise<HeldControls>
  /** What is `stored` of them; where it is gone though `taken` says that there were some, what the registry tells. */
  held(partition: number, stored: StoredRecord | undefined, taken: bigint): Promise<HeldControls>
  /** What stood at `upTo` as far as store and registry tell; put into the store where the registry knows more. */
  restored(partition: number, upTo: bigint): Promise<HeldControls>
  /** They are these now. */
  changed(partition: number, held: HeldControls): void
  /** Others may have had our partitions. */
  reset(): void
}

export interface PartitionControlsOptions {
  readonly store: SessionStore
  readonly registry: MonitorRegistry
  readonly logger: Logger
  /** Told of what stands in a partition, when it is read and when it changes. */
  readonly onChanged: (partition: number, held: HeldControls) => void
}

const latestOf = (held: HeldControls, told: HeldControls | undefined): HeldControls =>
  told && told.offset > held.offset ? told : held

interface LoadedControls {
  readonly held: HeldControls
  /** After all changes. */
  readonly view: ControlView
}

export function createPartitionControls(options: PartitionControlsOptions): PartitionControls {
  const { store, registry, logger, onChanged } = options
  const knowns = new Map<number, LoadedControls>()

  const keep = (partition: number, held: HeldControls): LoadedControls => {
    const view = createControlView(controlsBefore(held.log, held.offset + 1n))
    const kept = { held, view }
    knowns.set(partition, kept)
    onChanged(partition, held)
    return kept
  }

  const heldOf = async (partition: number, stored: StoredRecord | undefined, taken: bigint) => {
    const held = readControls(stored)
    if (held && held.offset >= taken) return held
    const revision = stored?.revision ?? 0
    if (taken === NO_OFFSET) return noControls(revision)
    await registry.refresh()
    const told = held ? latestOf(held, reported(partition)) : reported(partition)
    logger.error('the controls of a partition are gone from the store', {
      partition,
      instead: told ? 'what it last reported to the registry' : 'none',
    })
    // Whatever was found is what stands from now on: asking again for each chunk would find no more.
    return put(partition, revision, { ...(told ?? noControls()), offset: taken })
  }

  /** What the partition told of its latest change. */
  const reported = (partition: number): HeldControls | undefined => {
    const report = registry.report(partition)
    return report && { revision: 0, offset: BigInt(report.offset), log: report.controls, report: '' }
  }

  const put = async (partition: number, revision: number, held: HeldControls): Promise<HeldControls> => {
    const [isStored] = await store.compareAndSet([controlsWrite(partition, revision, held)])
    if (!isStored) throw new PlimsollError('contended', `another owner writes partition ${partition} as well`)
    return { ...held, revision: revisionAfter(revision) }
  }

  const current = async (partition: number, taken: bigint): Promise<LoadedControls> => {
    const known = knowns.get(partition)
    if (known && known.held.offset >= taken) return known
    const [stored] = taken === NO_OFFSET ? [] : await store.load([controlsIdOf(partition)])
    return keep(partition, await heldOf(partition, stored, taken))
  }

  return {
    viewAt: async (partition, taken, at) => {
      const { held, view } = await current(partition, taken)
      return held.offset < at ? view : createControlView(controlsBefore(held.log, at))
    },
    known: async (partition, taken) => (await current(partition, taken)).held,
    held: heldOf,
    restored: async (partition, upTo) => {
      const [[stored]] = await Promise.all([store.load([controlsIdOf(partition)]), registry.refresh()])
      const held = readControls(stored) ?? noControls(stored?.revision)
      const told = reported(partition)
      if (!told || told.offset <= held.offset) return held
      if (told.offset <= upTo) return put(partition, held.revision, told)
      // The change lies beyond what was done: the report speaks of a log that was there before this one.
      logger.warn("the registry's report of a partition is skipped", { partition, upTo: String(upTo) })
      return held
    },
    changed: (partition, held) => void keep(partition, held),
    reset: () => knowns.clear(),
  }
}
