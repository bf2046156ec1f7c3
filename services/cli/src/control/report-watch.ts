import type { PartitionReport } from '@plimsoll/contracts'

/** The reports that come in while a change is waited for. */
export interface ReportWatch {
  readonly take: (report: PartitionReport) => void
  /**
   * Resolves when each of `partitions` partitions has told what it made of the change `controlId`, else after `waitMs` or when `signal`
   * aborts: with the reports there are by then, by partition.
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

/** A later change may have overtaken it: then it is among those applied. */
const isOn = ({ control, controls }: PartitionReport, controlId: string): boolean =>
  control === controlId || controls.changes.some((change) => change.control.id === controlId)
