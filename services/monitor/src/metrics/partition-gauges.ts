import type { Versions } from '@plimsoll/contracts'
import { controlsBefore, createControlView } from '@plimsoll/engine'
import type { HeldControls } from '../controls/record.js'
import { nameOf } from '../shadow/index.js'
import type { MonitorInstruments } from './specs.js'

type PartitionGauge = 'lag' | 'sessionsLive' | 'approvalsWaiting' | 'stopped'

/** Gauges by partition. A partition that this monitor no longer owns reads 0. */
export function createPartitionGauges(made: MonitorInstruments) {
  const reported = new Map<PartitionGauge, Set<number>>()
  const active = new Map<number, Versions>()
  const candidates = new Map<number, string>()

  const set = (gauge: PartitionGauge, partition: number, value: number) => {
    const partitions = reported.get(gauge) ?? new Set()
    reported.set(gauge, partitions.add(partition))
    made[gauge].set({ partition: String(partition) }, value)
  }
  const showActive = createInfo((each, value) => {
    const [kind = '', version = ''] = each.split(' ')
    made.active.set({ kind, version }, value)
  })
  const showShadow = createInfo((version, value) => made.shadow.set({ version }, value))
  const show = () => {
    showActive(
      [...active.values()].flatMap((versions) => Object.entries(versions).map((each) => each.join(' '))),
    )
    showShadow([...candidates.values()])
  }

  return {
    lag: (partition: number, records: bigint) => set('lag', partition, Number(records)),
    /** Live sessions, and those with a pending approval request. */
    sessions: (
      partition: number,
      { idle, approval }: { readonly idle: number; readonly approval: number },
    ) => {
      set('sessionsLive', partition, idle)
      set('approvalsWaiting', partition, approval)
    },
    controls: (partition: number, { log, offset }: HeldControls, defaults: Versions) => {
      const state = controlsBefore(log, offset + 1n)
      set('stopped', partition, state.stops.some(({ tenant }) => tenant === null) ? 1 : 0)
      active.set(partition, createControlView(state).activeOver(defaults))
      if (state.shadow) candidates.set(partition, nameOf(state.shadow))
      else candidates.delete(partition)
      show()
    },
    /** The partitions owned now. */
    assigned: (partitions: readonly number[]) => {
      const owned = new Set(partitions)
      for (const [gauge, known] of reported)
        for (const partition of known) if (!owned.has(partition)) set(gauge, partition, 0)
      for (const known of [active, candidates])
        for (const partition of known.keys()) if (!owned.has(partition)) known.delete(partition)
      show()
    },
  }
}

/** Sets 1 for each of `names` and 0 for those shown earlier. */
function createInfo(set: (name: string, value: 0 | 1) => void): (names: readonly string[]) => void {
  const shown = new Set<string>()
  return (names) => {
    for (const name of names) shown.add(name)
    for (const name of shown) set(name, names.includes(name) ? 1 : 0)
  }
}
