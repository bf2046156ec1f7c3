import type { Versions } from '@plimsoll/contracts'
import { controlsBefore, createControlView } from '@plimsoll/engine'
import type { HeldControls } from '../controls/record.js'
import { nameOf } from '../shadow/index.js'
import type { Instruments } from './specs.js'

/** Gauges of what stands in the partitions that are ours; of others we know nothing. */
export interface PartitionGauges {
  lag(partition: number, records: bigint): void
  /** How many sessions live, and in how many a question waits. */
  sessions(partition: number, counts: { readonly idle: number; readonly approval: number }): void
  controls(partition: number, held: HeldControls, defaults: Versions): void
  /** The partitions that are ours now. */
  assigned(partitions: readonly number[]): void
}

type PartitionGauge = 'lag' | 'sessionsLive' | 'approvalsWaiting' | 'stopped'

export function createPartitionGauges(made: Instruments): PartitionGauges {
  const reported = new Map<PartitionGauge, Set<number>>()
  const active = new Map<number, Versions>()
  const candidates = new Map<number, string>()
  const shown = new Set<string>()
  const shadowed = new Set<string>()

  const set = (gauge: PartitionGauge, partition: number, value: number) => {
    const partitions = reported.get(gauge) ?? new Set()
    reported.set(gauge, partitions.add(partition))
    made[gauge].set({ partition: String(partition) }, value)
  }
  const showActive = () => {
    const now = new Set<string>()
    for (const versions of active.values())
      for (const [kind, version] of Object.entries(versions)) now.add(`${kind} ${version}`)
    for (const each of new Set([...shown, ...now])) {
      const [kind = '', version = ''] = each.split(' ')
      made.active.set({ kind, version }, now.has(each) ? 1 : 0)
      shown.add(each)
    }
  }

  const showShadow = () => {
    const now = new Set(candidates.values())
    for (const version of new Set([...shadowed, ...now])) {
      made.shadow.set({ version }, now.has(version) ? 1 : 0)
      shadowed.add(version)
    }
  }

  return {
    lag: (partition, records) => set('lag', partition, Number(records)),
    sessions: (partition, { idle, approval }) => {
      set('sessionsLive', partition, idle)
      set('approvalsWaiting', partition, approval)
    },
    controls: (partition, { log, offset }, defaults) => {
      const state = controlsBefore(log, offset + 1n)
      set('stopped', partition, state.stops.some(({ tenant }) => tenant === null) ? 1 : 0)
      active.set(partition, createControlView(state).activeOver(defaults))
      showActive()
      if (state.shadow) candidates.set(partition, nameOf(state.shadow))
      else candidates.delete(partition)
      showShadow()
    },
    assigned: (partitions) => {
      const ours = new Set(partitions)
      for (const [gauge, known] of reported)
        for (const partition of known) if (!ours.has(partition)) set(gauge, partition, 0)
      for (const known of [active, candidates])
        for (const partition of known.keys()) if (!ours.has(partition)) known.delete(partition)
      showActive()
      showShadow()
    },
  }
}
