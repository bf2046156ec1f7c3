import { randomUUID } from 'node:crypto'
import {
  type Control,
  type PartitionReport,
  type Topics,
  EVENT_SCHEMA,
  PlimsollError,
  controlSchema,
  registryKey,
  sign,
} from '@plimsoll/contracts'
import { type EventLog, type OutgoingRecord, type Registry, controlKeyOf } from '@plimsoll/runtime'
import { assertValid } from '../records.js'

/** The reports that arrive during a change. */
export interface ReportWatch {
  readonly take: (report: PartitionReport) => void
  /**
   * Resolves when each of `partitions` partitions has reported on the change `controlId`, else after `waitMs` or when `signal` aborts: with
   * the reports so far, by partition.
   */
  answers(
    controlId: string,
    partitions: number,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, PartitionReport>>
}

export function createReportWatch(): ReportWatch {
  const latest = new Map<number, PartitionReport>()
  const checks = new Set<() => void>()
  const on = (controlId: string) => new Map([...latest].filter(([, report]) => isOn(report, controlId)))
  return {
    take: (report) => {
      latest.set(report.partition, report)
      for (const check of checks) check()
    },
    answers: (controlId, partitions, waitMs, signal) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          checks.delete(check)
          signal.removeEventListener('abort', end)
          resolve(on(controlId))
        }
        const check = () => {
          if (signal.aborted || on(controlId).size === partitions) end()
        }
        const timer = setTimeout(end, waitMs)
        checks.add(check)
        signal.addEventListener('abort', end)
        check()
      }),
  }
}

/** After a later change it is among the applied ones. */
const isOn = ({ control, controls }: PartitionReport, controlId: string): boolean =>
  control === controlId || controls.changes.some((change) => change.control.id === controlId)

/** What sending a change needs: the log, the registry, and the reports as they come. */
export interface ControlChannel {
  readonly log: Pick<EventLog, 'produce' | 'group' | 'settings'>
  readonly topics: Topics
  /** Of the events topic. */
  readonly partitions: number
  readonly registry: Registry
  readonly reports: ReportWatch
  /** Partitions with reports that another key signed. */
  readonly foreign: () => ReadonlySet<number>
  readonly signingKey: string
  /** Of the monitors. */
  readonly group: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The result of a control change in one partition; `silent`: no report in time. */
export type PartitionOutcome =
  | { readonly partition: number; readonly outcome: 'applied' | 'silent' }
  | {
      readonly partition: number
      readonly outcome: 'refused'
      readonly code: string
      readonly message: string
    }

/** A sent change, with its result in each partition, in their order. */
export interface SentControl {
  readonly control: Control
  readonly outcomes: readonly PartitionOutcome[]
  /** Monitors in the group, if partitions are silent and the log knows. */
  readonly monitors?: number
  /** Silent partitions whose earlier reports are signed with another key than the change. */
  readonly foreign?: readonly number[]
}

export function outcomesOf(
  controlId: string,
  partitions: number,
  reports: ReadonlyMap<number, PartitionReport>,
): PartitionOutcome[] {
  return Array.from({ length: partitions }, (_, partition): PartitionOutcome => {
    const report = reports.get(partition)
    if (!report) return { partition, outcome: 'silent' }
    // What a report refuses is the change it is on; those before it were applied.
    if (report.refused && report.control === controlId)
      return { partition, outcome: 'refused', ...report.refused }
    return { partition, outcome: 'applied' }
  })
}

/** A change without the fields that sending adds. */
export type ControlChange = ControlChangeOf<Control>
type ControlChangeOf<C> = C extends Control
  ? Omit<C, 'schema' | 'id' | 'partition' | 'time' | 'signature'>
  : never

/**
 * Writes a change to the audit and to every partition, and waits `waitMs` for the reports. Sending a change again completes what a
 * failure left undone: it changes nothing in partitions that have it.
 *
 * @throws PlimsollError `usage_invalid` for a change that monitors would refuse; `log_unavailable` if it could not be written everywhere
 */
export async function sendControl(
  channel: ControlChannel,
  wanted: ControlChange,
  waitMs: number,
  signal: AbortSignal,
): Promise<SentControl> {
  const { log, topics, partitions, signingKey, reports } = channel
  const envelope = { schema: EVENT_SCHEMA, id: `control-${randomUUID()}`, time: timeFor(channel) } as const
  const reported = { ...envelope, ...wanted }
  const control = sign<Control>({ ...reported, partition: null }, signingKey)
  assertValid(controlSchema, control)
  const records = Array.from({ length: partitions }, (_, partition): OutgoingRecord => {
    const change = sign<Control>({ ...reported, partition }, signingKey)
    return { key: controlKeyOf(partition, partitions), value: JSON.stringify(change) }
  })
  // The audit comes first: a recorded change without effect is better than an unrecorded one.
  await log.produce(topics.registry, [
    { key: registryKey.control(control.id), value: JSON.stringify(control) },
  ])
  await log.produce(topics.events, records).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `the change may not have reached every partition of \`${topics.events}\`: run the command again once that is fixed: ${why}`
    throw new PlimsollError('log_unavailable', message, { cause })
  })
  const answers = await reports.answers(control.id, partitions, waitMs, signal)
  const outcomes = outcomesOf(control.id, partitions, answers)
  if (outcomes.every(({ outcome }) => outcome !== 'silent')) return { control, outcomes }
  // Only to explain the silence.
  const group = await log.group(channel.group, topics.events).catch(() => undefined)
  const others = channel.foreign()
  const foreign = outcomes.flatMap(({ partition, outcome }) =>
    outcome === 'silent' && others.has(partition) ? [partition] : [],
  )
  return { control, outcomes, foreign, ...(group && { monitors: group.members }) }
}

/**
 * Now, or just after the latest change if a clock ahead of ours sent that: monitors refuse a change older than the latest one, and a stop
 * must count.
 */
function timeFor({ registry, partitions, now }: ControlChannel): number {
  const reports = Array.from({ length: partitions }, (_, partition) => registry.report(partition))
  const applied = reports.flatMap((report) =>
    report ? [report.controls.base.time, ...report.controls.changes.map(({ control }) => control.time)] : [],
  )
  const sent = registry.controls().map(({ time }) => time)
  return [...applied, ...sent].reduce((latest, time) => Math.max(latest, time + 1), now())
}
