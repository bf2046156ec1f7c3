import { type ControlView, controlsBefore, createControlView } from '@plimsoll/engine'
import { type Logger, type SessionStore, type StoredRecord, revisionAfter } from '@plimsoll/runtime'
import { NO_OFFSET, contended } from '../records/progress.js'
import type { MonitorRegistry } from '../registry.js'
import { type HeldControls, controlsIdOf, controlsWrite, noControls, readControls } from './record.js'

export interface PartitionControlsOptions {
  readonly store: SessionStore
  readonly registry: MonitorRegistry
  readonly logger: Logger
  /** Called with the controls of a partition when they are read or change. */
  readonly onChanged: (partition: number, held: HeldControls) => void
}

interface LoadedControls {
  readonly held: HeldControls
  /** After all changes. */
  readonly view: ControlView
}

export type PartitionControls = ReturnType<typeof createPartitionControls>

/**
 * The controls of the partitions, cached in memory. A partition's progress names its last control change, so that the store is read again
 * only after a change. In the functions below `taken` is the offset of that change.
 */
export function createPartitionControls(options: PartitionControlsOptions) {
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
    const report = reported(partition)
    const latest = held && !(report && report.offset > held.offset) ? held : report
    logger.error('the controls of a partition are missing in the store', {
      partition,
      instead: latest ? 'the last report to the registry' : 'none',
    })
    // Stored, so that the search is not repeated for each chunk.
    return put(partition, revision, { ...(latest ?? noControls()), offset: taken })
  }

  /** The partition's last report to the registry. */
  const reported = (partition: number): HeldControls | undefined => {
    const report = registry.report(partition)
    return report && { revision: 0, offset: BigInt(report.offset), log: report.controls, report: '' }
  }

  const put = async (partition: number, revision: number, held: HeldControls): Promise<HeldControls> => {
    const [isStored] = await store.compareAndSet([controlsWrite(partition, revision, held)])
    if (!isStored) throw contended(partition)
    return { ...held, revision: revisionAfter(revision) }
  }

  const current = async (partition: number, taken: bigint): Promise<LoadedControls> => {
    const known = knowns.get(partition)
    if (known && known.held.offset >= taken) return known
    const [stored] = taken === NO_OFFSET ? [] : await store.load([controlsIdOf(partition)])
    return keep(partition, await heldOf(partition, stored, taken))
  }

  return {
    /** The view for events from offset `at` to the next change. */
    viewAt: async (partition: number, taken: bigint, at: bigint): Promise<ControlView> => {
      const { held, view } = await current(partition, taken)
      return held.offset < at ? view : createControlView(controlsBefore(held.log, at))
    },
    known: async (partition: number, taken: bigint): Promise<HeldControls> =>
      (await current(partition, taken)).held,
    /** Reads `stored`; if it is missing or older than `taken`, uses the partition's report to the registry. */
    held: heldOf,
    /** The controls at `upTo` by store and registry; stored if the registry has later ones. */
    restored: async (partition: number, upTo: bigint): Promise<HeldControls> => {
      const [[stored]] = await Promise.all([store.load([controlsIdOf(partition)]), registry.refresh()])
      const held = readControls(stored) ?? noControls(stored?.revision)
      const report = reported(partition)
      if (!report || report.offset <= held.offset) return held
      if (report.offset <= upTo) return put(partition, held.revision, report)
      // The change lies after the group's offset: the report is from an earlier log.
      logger.warn("the registry's report of a partition is skipped", { partition, upTo: String(upTo) })
      return held
    },
    changed: (partition: number, held: HeldControls): void => void keep(partition, held),
    /** Other owners may have had our partitions. */
    reset: (): void => knowns.clear(),
  }
}
