import {
  type ControlLog,
  type Fault,
  type PartitionReport,
  PlimsollError,
  REPORT_SCHEMA,
  controlLogSchema,
  sign,
  parseJson,
} from '@plimsoll/contracts'
import { NO_CONTROLS } from '@plimsoll/engine'
import type { RecordWrite, StoredRecord } from '@plimsoll/runtime'
import { z } from 'zod'
import { faultSchema } from '../records/emission.js'
import { FOREVER_MS, NO_OFFSET } from '../records/progress.js'

/** The stored controls of a partition. */
export interface HeldControls {
  readonly revision: number
  /** Of the last change, applied or refused; `NO_OFFSET` if there was none. */
  readonly offset: bigint
  readonly log: ControlLog
  /** The report on that change; empty once it is committed. */
  readonly report: string
}

/** The id of a partition's controls; no session id contains `#`. */
export const controlsIdOf = (partition: number): string => `#${partition}/controls`

export const noControls = (revision = 0): HeldControls => ({
  revision,
  offset: NO_OFFSET,
  log: NO_CONTROLS,
  report: '',
})

/** Layout number. Readers refuse a greater one. */
const CONTROLS_SCHEMA = 1

/** The controls in `stored`; undefined if missing or unreadable. Throws `record_too_new` for a newer layout. */
export function readControls(stored: StoredRecord | undefined): HeldControls | undefined {
  if (!stored) return undefined
  const [head, schema, offset] = /^(\d+) (\d+) /.exec(stored.body) ?? []
  if (head === undefined || offset === undefined) return undefined
  if (Number(schema) > CONTROLS_SCHEMA)
    throw new PlimsollError('record_too_new', `the controls of a partition have layout ${schema}`)
  const log = controlLogSchema.safeParse(parseJson(stored.body.slice(head.length))).data
  return log && { revision: stored.revision, offset: BigInt(offset), log, report: stored.outbox }
}

export function controlsWrite(
  partition: number,
  revision: number,
  { offset, log, report }: Omit<HeldControls, 'revision'>,
): RecordWrite {
  return {
    id: controlsIdOf(partition),
    expected: revision,
    body: `${CONTROLS_SCHEMA} ${offset} ${JSON.stringify(log)}`,
    outbox: report,
    ttlMs: FOREVER_MS,
  }
}

/** A partition's report on the change at `offset`: applied, or refused for `fault`; and the controls after it. */
export function reportOf(
  reported: { partition: number; offset: bigint; control: string; fault: Fault | undefined; log: ControlLog },
  signingKey: string,
): string {
  const { partition, offset, control, fault, log } = reported
  const report = sign<PartitionReport>(
    {
      schema: REPORT_SCHEMA,
      partition,
      offset: String(offset),
      control,
      ...(fault && { refused: { code: fault.code, message: fault.message } }),
      controls: log,
    },
    signingKey,
  )
  return JSON.stringify(report)
}

/** Why the change of `report` was refused; undefined if it was applied. */
export function faultIn(report: string): Fault | undefined {
  const { refused } = reportSchema.safeParse(parseJson(report)).data ?? {}
  return refused
}

const reportSchema = z.object({ refused: faultSchema.optional() })
