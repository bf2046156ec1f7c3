import type { PartitionReport } from '@plimsoll/contracts'

/** The reports that come in while a change is waited for. */
export interface ReportWatch {
  readonly take: (report: PartitionReport) => void
  /**
   * Resolves when each of `partitions` partitions has told what it made of the change `controlId`, or when `over` aborts: with the
   * reports there are by then, by partition.
   */
  answers(
    controlId: string,
    partitions: number,
    over: AbortSignal,
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
    answers: (controlId, partitions, over) =>
      new Promise((resolve) => {
        const check = () => {
          const answers = on(controlId)
          if (answers.size < partitions && !over.aborted) return
          checks.delete(check)
          over.removeEventListener('abort', check)
          resolve(answers)
        }
        checks.add(check)
        over.addEventListener('abort', check)
        check()
      }),
  }
}

/** A later change may have overtaken it: then it is among those applied. */
const isOn = ({ control, controls }: PartitionReport, controlId: string): boolean =>
  control === controlId || controls.changes.some((change) => change.control.id === controlId)
