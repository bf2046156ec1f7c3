import {
  type Control,
  type ControlState,
  type DocumentKind,
  type PartitionReport,
  canonicalJson,
} from '@plimsoll/contracts'
import { NO_CONTROLS, controlsBefore } from '@plimsoll/engine'

/** The status of some partitions, usually of all. */
export interface ControlStatus {
  readonly partitions: readonly number[]
  readonly active: ControlState['active']
  /** Versions that running sessions were moved to. */
  readonly running: Readonly<Partial<Record<DocumentKind, string>>>
  readonly modes: ControlState['modes']
  readonly stops: ControlState['stops']
  /** The candidate in shadow. */
  readonly shadow?: NonNullable<ControlState['shadow']>
}

/** A partition without the latest change. */
export interface Straggler {
  readonly partition: number
  /** The latest change that it reported, if any. */
  readonly control?: string
  readonly refused?: NonNullable<PartitionReport['refused']>
}

export interface ControlStatuses {
  /** The status of most partitions first. */
  readonly statuses: readonly ControlStatus[]
  /** Partitions that refused the latest change, or have not reported it. */
  readonly stragglers: readonly Straggler[]
  /** Of the audit. */
  readonly latest?: Control
}

export interface ControlSource {
  report(partition: number): PartitionReport | undefined
  controls(): readonly Control[]
}

/** The status, from the reports of `partitions` partitions. */
export function controlStatuses(source: ControlSource, partitions: number): ControlStatuses {
  const latest = source.controls().at(-1)
  const groups = new Map<string, ControlStatus & { readonly partitions: number[] }>()
  const stragglers: Straggler[] = []
  for (let partition = 0; partition < partitions; partition++) {
    const report = source.report(partition)
    const what = statusOf(report)
    const key = canonicalJson(what)
    const group = groups.get(key) ?? { partitions: [], ...what }
    group.partitions.push(partition)
    groups.set(key, group)
    if (latest && !hasApplied(report, latest.id)) stragglers.push(stragglerOf(partition, report))
  }
  const statuses = [...groups.values()].sort((a, b) => b.partitions.length - a.partitions.length)
  return { statuses, stragglers, ...(latest && { latest }) }
}

function statusOf(report: PartitionReport | undefined): Omit<ControlStatus, 'partitions'> {
  const state = controlsBefore(report?.controls ?? NO_CONTROLS, BEHIND_ALL)
  const { active, running, modes, stops, shadow } = state
  return { active, running: versionsOf(running), modes, stops, ...(shadow && { shadow }) }
}

/** Without the offsets, which differ by partition. */
function versionsOf({ bundle, policy, catalogue }: ControlState['running']): ControlStatus['running'] {
  return {
    ...(bundle && { bundle: bundle.version }),
    ...(policy && { policy: policy.version }),
    ...(catalogue && { catalogue: catalogue.version }),
  }
}

/** Kafka's offsets are below it. */
const BEHIND_ALL = 2n ** 63n

function hasApplied(report: PartitionReport | undefined, id: string): boolean {
  if (report === undefined) return false
  if (report.control === id) return report.refused === undefined
  return report.controls.changes.some(({ control }) => control.id === id)
}

function stragglerOf(partition: number, report: PartitionReport | undefined): Straggler {
  if (!report) return { partition }
  return { partition, control: report.control, ...(report.refused && { refused: report.refused }) }
}
