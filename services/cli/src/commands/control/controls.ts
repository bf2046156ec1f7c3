import {
  type Control,
  type ControlState,
  type DocumentKind,
  type PartitionReport,
  type RegisteredDocument,
  DOCUMENT_KINDS,
  PlimsollError,
  canonicalJson,
  topicsOf,
} from '@plimsoll/contracts'
import { NO_CONTROLS, controlsBefore } from '@plimsoll/engine'
import { type Registry, checkKafkaSettings, openRegistry, parseConfig } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { defineCommand, environmentOf } from '../../command.js'
import { controlSubject, scopeText, whoText, withoutEnvelope } from '../../control/control-text.js'
import { partitionsText } from '../../control/ranges.js'
import { reportRefusals } from '../../control/refused.js'
import { registrySettings } from '../../control/run-control.js'
import { plainText } from '../../format/text-table.js'
import { within } from '../../pipeline/own-monitor.js'

export interface Audit {
  document(version: string): RegisteredDocument | undefined
  documents(): readonly RegisteredDocument[]
  controls(): readonly Control[]
}

/** What stands, for a reader in a hurry: what differs comes with what to do about it. */
export function statusText({ statuses, stragglers, latest }: ControlStatuses, audit: Audit): string {
  const [most, ...others] = statuses
  const differing = others.flatMap((each) => [
    `\nDIFFERENT in ${partitionsText(each.partitions)}; send the latest change again:\n`,
    ...statusLines(each, audit),
  ])
  const lines = [...(most ? statusLines(most, audit) : []), ...differing]
  const late = latest ? stragglerLines(stragglers, latest) : []
  return [...lines, ...late, ...documentLines(audit)].join('')
}

function statusLines(status: ControlStatus, audit: Audit): string[] {
  const { active, running, modes, stops, shadow } = status
  const versions = DOCUMENT_KINDS.map((kind) => {
    const version = active[kind]
    const moved = version !== undefined && running[kind] === version ? ', running sessions too' : ''
    return row(
      kind,
      version === undefined ? "as each monitor's files say" : versionText(kind, version, audit) + moved,
    )
  })
  const settings = modes.map((each) => row('mode', `${each.mode} for ${scopeText(each)}, ${whoText(each)}`))
  const stopped = stops.map((each) => row('STOPPED', `${scopeText(each)}, ${whoText(each)}`))
  return [
    ...stopped,
    ...versions,
    ...(shadow ? shadowRows(shadow, audit) : []),
    ...(settings.length > 0 ? settings : [row('mode', 'enforce for the fleet')]),
    ...(stopped.length > 0 ? [] : [row('stops', 'none')]),
  ]
}

function versionText(kind: DocumentKind, version: string, audit: Audit): string {
  const change = audit
    .controls()
    .findLast((each) => each.type === 'versions.activated' && each.versions[kind] === version)
  return `${version}  ${nameIn(audit, version)}${change ? `, ${whoText(change)}` : ''}`
}

function shadowRows(shadow: NonNullable<ControlStatus['shadow']>, audit: Audit): string[] {
  return DOCUMENT_KINDS.flatMap((kind) => {
    const version = shadow[kind]
    if (version === undefined) return []
    return [row('shadow', `${kind} ${version}  ${nameIn(audit, version)}, ${whoText(shadow)}`)]
  })
}

function nameIn(audit: Audit, version: string): string {
  const name = audit.document(version)?.document.name
  return name === undefined ? 'NOT IN THE REGISTRY: publish it' : plainText(name)
}

function stragglerLines(stragglers: readonly Straggler[], latest: Control): string[] {
  if (stragglers.length === 0) return []
  const refused = stragglers.flatMap(({ partition, refused, control }) =>
    refused && control === latest.id
      ? [`  partition ${partition}: refused: ${refused.code}: ${plainText(refused.message)}\n`]
      : [],
  )
  const silent = stragglers.filter(({ control }) => control !== latest.id).map(({ partition }) => partition)
  const labelsOnly =
    silent.length > 0 ? [`  ${partitionsText(silent)}: no answer; is a monitor running?\n`] : []
  return [
    `\nThe latest change is NOT IN FORCE everywhere: ${controlSubject(latest)} (${latest.id})\n`,
    ...refused,
    ...labelsOnly,
  ]
}

function documentLines(audit: Audit): string[] {
  const documents = audit.documents()
  if (documents.length === 0) return ['\nNo documents are published.\n']
  const rows = documents.map(({ kind, version, document }) =>
    row(kind, `${version}  ${plainText(document.name)}`),
  )
  return ['\nPublished, the latest last:\n', ...rows]
}

const row = (name: string, text: string): string => `${name.padEnd(9)}  ${text}\n`

/** The audit, a line a change. */
export function historyText(controls: readonly Control[]): string {
  if (controls.length === 0) return 'No change was ever sent.\n'
  const lines = controls.map((control) => {
    const why = control.reason === undefined ? '' : `: ${plainText(control.reason)}`
    const who = plainText(control.by)
    return `${new Date(control.time).toISOString()}  ${who.padEnd(12)}  ${controlSubject(control)}${why}\n`
  })
  return lines.join('')
}

/** What stands in some partitions; in most cases in all. */
export interface ControlStatus {
  readonly partitions: readonly number[]
  readonly active: ControlState['active']
  /** What running sessions were moved to. */
  readonly running: Readonly<Partial<Record<DocumentKind, string>>>
  readonly modes: ControlState['modes']
  readonly stops: ControlState['stops']
  /** The candidate in shadow. */
  readonly shadow?: NonNullable<ControlState['shadow']>
}

/** Why a partition is not where the latest change would have it. */
export interface Straggler {
  readonly partition: number
  /** The latest change that it has told of; none where it has told of none. */
  readonly control?: string
  readonly refused?: NonNullable<PartitionReport['refused']>
}

export interface ControlStatuses {
  /** The one of most partitions first, then those that differ from it. */
  readonly statuses: readonly ControlStatus[]
  /** Partitions that have refused the latest change, or have not told of it. */
  readonly stragglers: readonly Straggler[]
  /** Of the audit. */
  readonly latest?: Control
}

export interface ControlSource {
  report(partition: number): PartitionReport | undefined
  controls(): readonly Control[]
}

/** What the reports of `partitions` partitions come to. */
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

/** Without the offsets, which are another in each partition. */
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

export const controls = defineCommand({
  name: 'controls',
  summary: 'shows the active versions, modes and stops, with who changed them, when and why',
  description: [
    'Shows what each partition reported last, and what was published. Names the partitions that differ from the others, and',
    'those that have not taken the latest change. With PLIMSOLL_SIGNING_KEY it detects forged records; without it signatures are not checked.',
  ],
  options: {
    history: { type: 'flag', help: 'every change that was sent, the oldest first' },
    json: { type: 'flag', help: 'one JSON object on stdout' },
  },
  environment: environmentOf(registrySettings),
  examples: [
    ['', 'what stands now'],
    ['--history', 'the audit: who changed what, when and why'],
  ],
  async run({ history, json }, _operands, { env, stdout, stderr, signal }) {
    const config = parseConfig(registrySettings, env, { prefixes: [], checks: [checkKafkaSettings] })
    const text = await within(async (onRelease) => {
      const log = createKafkaLog(kafkaConnectionOf(config))
      onRelease(() => log.close())
      const { registry: topic, events } = topicsOf(config.topicPrefix)
      const { signingKey } = config
      const registry = await openRegistry({
        log,
        topic,
        signingKey,
        watch: false,
        onRefused: reportRefusals(stderr, onRelease),
        signal,
      })
      const partitions = await log.describe(events)
      if (!partitions) throw new PlimsollError('config_invalid', `there is no topic \`${events}\``)
      const statuses = controlStatuses(registry, partitions.length)
      if (json) return `${JSON.stringify(figuresOf(statuses, registry, history))}\n`
      return history ? historyText(registry.controls()) : statusText(statuses, registry)
    })
    stdout.write(text)
    return 0
  },
})

function figuresOf({ statuses, stragglers }: ControlStatuses, registry: Registry, history: boolean) {
  return {
    statuses,
    stragglers,
    documents: registry
      .documents()
      .map(({ kind, version, document }) => ({ kind, version, name: document.name })),
    ...(history && { history: registry.controls().map(withoutEnvelope) }),
  }
}
