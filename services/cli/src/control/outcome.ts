import type { Control, PartitionReport } from '@plimsoll/contracts'

/** What became of a control change in one partition; silent: nobody has told in time. */
export type PartitionOutcome =
  | { readonly partition: number; readonly outcome: 'applied' | 'silent' }
  | {
      readonly partition: number
      readonly outcome: 'refused'
      readonly code: string
      readonly message: string
    }

/** A change as it was sent, with what each partition made of it, in their order. */
export interface SentControl {
  readonly control: Control
  readonly outcomes: readonly PartitionOutcome[]
  /** Monitors in the group, where somebody is silent and the log tells. */
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
