import { randomUUID } from 'node:crypto'
import {
  controlSchema,
  EVENT_SCHEMA,
  PlimsollError,
  registryKey,
  sign,
  type Control,
} from '@plimsoll/contracts'
import { controlKeyOf, type OutgoingRecord } from '@plimsoll/runtime'
import type { ControlDesk } from './desk.js'
import { outcomesOf, type SentControl } from './outcome.js'

/** A change as an operator wants it: what the desk adds is its place and its time. */
export type WantedControl = WantedOf<Control>
type WantedOf<C> = C extends Control ? Omit<C, 'schema' | 'id' | 'partition' | 'time' | 'signature'> : never

/**
 * Writes a change to the audit and to every partition, and waits `waitMs` for what each makes of it. Given again it makes good what a
 * failure has left undone: what a partition has already is there set once more.
 *
 * @throws PlimsollError `usage_invalid` for what no monitor would take; `log_unavailable` where it could not be written everywhere
 */
export async function sendControl(
  desk: ControlDesk,
  wanted: WantedControl,
  waitMs: number,
  signal: AbortSignal,
): Promise<SentControl> {
  const { log, topics, partitions, signingKey, reports } = desk
  const envelope = { schema: EVENT_SCHEMA, id: `control-${randomUUID()}`, time: timeFor(desk) } as const
  const told = { ...envelope, ...wanted }
  const control = sign<Control>({ ...told, partition: null }, signingKey)
  assertTaken(control)
  const records = Array.from({ length: partitions }, (_, partition): OutgoingRecord => {
    const change = sign<Control>({ ...told, partition }, signingKey)
    return { key: controlKeyOf(partition, partitions), value: JSON.stringify(change) }
  })
  // First the audit: rather a change on record that did not come about than one that nobody knows of.
  await log.produce(topics.registry, [
    { key: registryKey.control(control.id), value: JSON.stringify(control) },
  ])
  await log.produce(topics.events, records).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `the change may not have reached every partition of \`${topics.events}\`: run the command again once that is mended: ${why}`
    throw new PlimsollError('log_unavailable', message, { cause })
  })
  const answers = await reports.answers(control.id, partitions, waitMs, signal)
  const outcomes = outcomesOf(control.id, partitions, answers)
  if (outcomes.every(({ outcome }) => outcome !== 'silent')) return { control, outcomes }
  // Only to tell why: what became of the change is known without it.
  const group = await log.group(desk.group, topics.events).catch(() => undefined)
  const others = desk.foreign()
  const foreign = outcomes.flatMap(({ partition, outcome }) =>
    outcome === 'silent' && others.has(partition) ? [partition] : [],
  )
  return { control, outcomes, foreign, ...(group && { monitors: group.members }) }
}

/**
 * Now, or just behind the latest change where that was sent by a clock that is ahead of ours: a change that seems older than what stands
 * would be refused, and a stop has to count.
 */
function timeFor({ registry, partitions, now }: ControlDesk): number {
  const reports = Array.from({ length: partitions }, (_, partition) => registry.report(partition))
  const applied = reports.flatMap((report) =>
    report ? [report.controls.base.time, ...report.controls.changes.map(({ control }) => control.time)] : [],
  )
  const sent = registry.controls().map(({ time }) => time)
  return [...applied, ...sent].reduce((latest, time) => Math.max(latest, time + 1), now())
}

/** Throws `usage_invalid`, naming each field, for what every monitor would set aside. */
function assertTaken(control: Control): void {
  const { error } = controlSchema.safeParse(control)
  if (!error) return
  const problems = error.issues.map(({ path, message }) => `\`${path.join('.')}\`: ${message}`)
  throw new PlimsollError('usage_invalid', problems.join('; '))
}
