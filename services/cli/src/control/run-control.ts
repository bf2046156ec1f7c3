import { randomUUID } from 'node:crypto'
import {
  type Control,
  type PartitionReport,
  type Topics,
  ERRORS,
  EVENT_SCHEMA,
  PlimsollError,
  controlSchema,
  registryKey,
  sign,
  topicsOf,
} from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import {
  type ConfigOf,
  type EventLog,
  type OnRelease,
  type OutgoingRecord,
  type Registry,
  checkKafkaSettings,
  consumerGroup,
  controlKeyOf,
  kafkaSettings,
  openRegistry,
  parseConfig,
  setting,
} from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import type { Context, ExitCode } from '../command.js'
import { plainText } from '../format/text-table.js'
import type { Options, Values } from '../options.js'
import { inTime, within } from '../pipeline/own-monitor.js'
import { signedSettings } from '../pipeline/signed.js'
import { controlText, withoutEnvelope } from './control-text.js'
import { partitionsText, rangesOf } from './ranges.js'
import { reportRefusals } from './refused.js'

/** The options of every command that changes what stands. */
export const controlOptions = {
  reason: { type: 'text', value: 'TEXT', help: 'why, for the record' },
  by: { type: 'text', value: 'NAME', help: 'who changes it; $USER if left out' },
  wait: {
    type: 'integer',
    value: 'SECONDS',
    help: 'how long to wait for the answers of all partitions',
    min: 1,
    max: 3_600,
    default: 30,
  },
  json: { type: 'flag', help: 'one JSON object on stdout' },
} as const satisfies Options

export type ControlValues = Values<typeof controlOptions>

/** Who changes something. Throws `usage_invalid` where nobody says. */
export function operatorOf(by: string | undefined, user: string | undefined): string {
  const name = by ?? user
  if (name === undefined)
    throw new PlimsollError('usage_invalid', '`--by` is missing, and USER is not set: who changes it?')
  return name
}

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

/** Where changes are sent from: the log, the registry as it stands, and the reports as they come. */
export interface ControlChannel {
  readonly log: Pick<EventLog, 'produce' | 'group' | 'settings'>
  readonly topics: Topics
  /** Of the events topic. */
  readonly partitions: number
  readonly registry: Registry
  readonly reports: ReportWatch
  /** Partitions that have told of themselves, but under another key than ours. */
  readonly foreign: () => ReadonlySet<number>
  readonly signingKey: string
  /** Of the monitors. */
  readonly group: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Opens the desk that `config` names; no answer to what is sent from it can be missed. */
export async function openControlChannel(
  config: ControlConfig,
  { stderr, signal }: Context,
  onRelease: OnRelease,
): Promise<ControlChannel> {
  const log = createKafkaLog(kafkaConnectionOf(config))
  onRelease(() => log.close())
  const topics = topicsOf(config.topicPrefix)
  // A tail would wait without end for a log that is away.
  await log.ping()
  const partitions = await countPartitions(log, topics)
  const reports = createReportWatch()
  const tell = reportRefusals(stderr, onRelease)
  const refused = new Set<string>()
  const registry = await inTime(signal, [topics.registry], (signal) =>
    openRegistry({
      log,
      topic: topics.registry,
      signingKey: config.signingKey,
      onReport: reports.take,
      onRefused: (record) => {
        if (record.reason === 'signature_invalid') refused.add(record.key)
        tell(record)
      },
      signal,
    }),
  )
  onRelease(() => registry.close())
  const numbers = Array.from({ length: partitions }, (_, partition) => partition)
  const foreign = () =>
    new Set(numbers.filter((p) => !registry.report(p) && refused.has(registryKey.partition(p))))
  const { signingKey, topicPrefix } = config
  const group = consumerGroup(topicPrefix, 'monitor')
  return { log, topics, partitions, registry, reports, foreign, signingKey, group, now: Date.now }
}

async function countPartitions(log: EventLog, { events }: Topics): Promise<number> {
  const partitions = await log.describe(events)
  if (partitions) return partitions.length
  throw new PlimsollError(
    'config_invalid',
    `there is no topic \`${events}\`: see whether KAFKA_BROKERS and PLIMSOLL_TOPIC_PREFIX are those of the monitors`,
  )
}

/** What a command prints of a change that it has sent; each failure is a line for stderr. */
export interface SentText {
  readonly text: string
  readonly failures: readonly string[]
}

export interface SentContext {
  readonly waitSeconds: number
  readonly group: string
}

export function sentText(sent: SentControl, context: SentContext): SentText {
  const { control, outcomes } = sent
  const rows = groupsOf(outcomes).map(
    ({ label, partitions }) => `  ${label.padEnd(9)} ${rangesOf(partitions)}\n`,
  )
  const text = `${controlText(control)}\nchange ${control.id}, in ${outcomes.length} partitions:\n${rows.join('')}`
  return { text, failures: [...refusals(outcomes), ...silence(sent, context)] }
}

function refusals(outcomes: readonly PartitionOutcome[]): string[] {
  return groupsOf(outcomes).flatMap(({ code, message, partitions }) =>
    code === undefined
      ? []
      : [`${partitionsText(partitions)} refused it: ${code}: ${plainText(message)}; ${helpOn(code)}`],
  )
}

function silence(sent: SentControl, { waitSeconds, group }: SentContext): string[] {
  const { outcomes, monitors, foreign = [] } = sent
  const silent = outcomes.flatMap(({ outcome, partition }) =>
    outcome === 'silent' && !foreign.includes(partition) ? [partition] : [],
  )
  const reported = foreign.length > 0 ? [foreignText(foreign)] : []
  return silent.length > 0 ? [...reported, silenceText(silent, monitors, waitSeconds, group)] : reported
}

/** A monitor sets aside what another key signed, and answers nothing. */
const foreignText = (partitions: readonly number[]): string =>
  `${partitionsText(partitions)} did not answer, and their earlier reports have another signature: PLIMSOLL_SIGNING_KEY is not that of the monitors, which then refuse the change`

function silenceText(
  silent: readonly number[],
  monitors: number | undefined,
  waitSeconds: number,
  group: string,
): string {
  const why =
    monitors === 0
      ? `no monitor is in group \`${group}\`: start one`
      : `see whether the monitors of group \`${group}\` are ready and how far they are behind`
  const reported = `${partitionsText(silent)} did not answer within ${waitSeconds} s`
  return `${reported}: the change lies in the log and counts once a monitor reads it; ${why}`
}

interface Group {
  readonly label: string
  readonly code?: string
  readonly message: string
  readonly partitions: number[]
}

/** Partitions that have the same to tell. */
function groupsOf(outcomes: readonly PartitionOutcome[]): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const each of outcomes) {
    const refused = each.outcome === 'refused' ? { code: each.code, message: each.message } : { message: '' }
    const key = JSON.stringify([each.outcome, refused])
    const group = groups.get(key) ?? { label: each.outcome, ...refused, partitions: [] }
    group.partitions.push(each.partition)
    groups.set(key, group)
  }
  return [...groups.values()]
}

function helpOn(code: string): string {
  const known = Object.entries(ERRORS).find(([name]) => name === code)
  return known ? known[1].help : 'see docs/reference/errors.md'
}

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

/** A change as an operator wants it: what the desk adds is its place and its time. */
export type ControlChange = ControlChangeOf<Control>
type ControlChangeOf<C> = C extends Control
  ? Omit<C, 'schema' | 'id' | 'partition' | 'time' | 'signature'>
  : never

/**
 * Writes a change to the audit and to every partition, and waits `waitMs` for what each makes of it. Given again it makes good what a
 * failure has left undone: what a partition has already is there set once more.
 *
 * @throws PlimsollError `usage_invalid` for what no monitor would take; `log_unavailable` where it could not be written everywhere
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
  assertTaken(control)
  const records = Array.from({ length: partitions }, (_, partition): OutgoingRecord => {
    const change = sign<Control>({ ...reported, partition }, signingKey)
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
  const group = await log.group(channel.group, topics.events).catch(() => undefined)
  const others = channel.foreign()
  const foreign = outcomes.flatMap(({ partition, outcome }) =>
    outcome === 'silent' && others.has(partition) ? [partition] : [],
  )
  return { control, outcomes, foreign, ...(group && { monitors: group.members }) }
}

/**
 * Now, or just behind the latest change where that was sent by a clock that is ahead of ours: a change that seems older than what stands
 * would be refused, and a stop has to count.
 */
function timeFor({ registry, partitions, now }: ControlChannel): number {
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

/** What the commands read that look at what stands. */
export const registrySettings = {
  ...kafkaSettings,
  signingKey: monitorSettings.signingKey,
}

/** What the commands read that change what stands. */
export const controlSettings = {
  ...signedSettings,
  user: setting.text({ env: 'USER', doc: 'Who makes the change, if `--by` is not given.' }),
}

export type ControlConfig = ConfigOf<typeof controlSettings>

/** What a command changes; who changes it and why is the same for all. */
export type Change = ChangeOf<ControlChange>
type ChangeOf<W> = W extends ControlChange ? Omit<W, 'by' | 'reason'> : never

/** What is wanted, once it is known what stands. */
export type ChangeFor = (channel: ControlChannel, signal: AbortSignal) => Change | Promise<Change>

/**
 * Sends the change that `changeFor` makes and tells what became of it. Fails where a partition has refused it or told nothing.
 */
export async function runControl(
  { by, reason, wait, json }: ControlValues,
  context: Context,
  changeFor: ChangeFor,
): Promise<ExitCode> {
  const config = parseConfig(controlSettings, context.env, { prefixes: [], checks: [checkKafkaSettings] })
  const who = { by: operatorOf(by, config.user), ...(reason !== undefined && { reason }) }
  return within(async (onRelease) => {
    const channel = await openControlChannel(config, context, onRelease)
    const wanted = { ...(await changeFor(channel, context.signal)), ...who }
    const sent = await sendControl(channel, wanted, wait * 1000, context.signal)
    const { text, failures } = sentText(sent, {
      waitSeconds: wait,
      group: consumerGroup(config.topicPrefix, 'monitor'),
    })
    const figures = { control: withoutEnvelope(sent.control), partitions: sent.outcomes }
    context.stdout.write(json ? `${JSON.stringify(figures)}\n` : text)
    for (const failure of failures) context.stderr.write(`plimsoll: ${failure}\n`)
    return failures.length > 0 ? 1 : 0
  })
}
