import {
  type Control,
  type DocumentKind,
  type RegisteredDocument,
  type SomeVersions,
  DOCUMENT_KINDS,
} from '@plimsoll/contracts'
import {
  type ControlStatus,
  type ControlStatuses,
  type PartitionOutcome,
  type SentControl,
  type Straggler,
  helpOnCode,
} from '@plimsoll/operations'
import { plainText } from '../../format/text.js'

/** A change on one line: what, for whom, by whom, when and why. */
export function controlText(control: Control): string {
  return `${controlSubject(control)}, ${whoText(control)}`
}

/** What a change does. */
export function controlSubject(control: Control): string {
  switch (control.type) {
    case 'versions.activated':
      return `activate ${versionsText(control.versions)} for ${control.running ? 'new and running' : 'new'} sessions`
    case 'shadow.changed':
      return control.candidate ? `run ${versionsText(control.candidate)} in shadow` : 'run nothing in shadow'
    case 'mode.changed':
      return `mode ${control.mode} for ${scopeText(control)}`
    case 'fleet.stopped':
      return `stop ${scopeText(control)}`
    case 'fleet.resumed':
      return `resume ${scopeText(control)}`
  }
}

const versionsText = (versions: SomeVersions): string =>
  Object.entries(versions)
    .map(([kind, version]) => `${kind} ${version}`)
    .join(', ')

interface Scope {
  readonly tenant?: string | null | undefined
  readonly agent?: string | null | undefined
}

/** The scope of a mode or a stop. */
export function scopeText({ tenant, agent }: Scope): string {
  if (agent) return `agent ${agent}${tenant ? ` of tenant ${tenant}` : ''}`
  return tenant ? `tenant ${tenant}` : 'the fleet'
}

interface Who {
  readonly by: string
  readonly time: number
  readonly reason?: string | undefined
}

export function whoText({ by, time, reason }: Who): string {
  const why = reason === undefined ? '' : `: ${plainText(reason)}`
  return `by ${plainText(by)} at ${new Date(time).toISOString()}${why}`
}

/** A change without the fields of its registry record. */
export function withoutEnvelope(control: Control) {
  const { signature: _, partition: __, ...reported } = control
  return reported
}

/** Ascending numbers as ranges: `0–3, 5, 7–11`. */
export function rangesOf(numbers: readonly number[]): string {
  const runs: { first: number; last: number }[] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run && run.last + 1 === number) run.last = number
    else runs.push({ first: number, last: number })
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`)).join(', ')
}

/** `partition 3`, or `partitions 0–3, 5`. */
export const partitionsText = (numbers: readonly number[]): string =>
  `${numbers.length === 1 ? 'partition' : 'partitions'} ${rangesOf(numbers)}`

/** The text about a sent change; each failure is a line for stderr. */
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
      : [
          `${partitionsText(partitions)} refused it: ${code}: ${plainText(message)}; ${helpOnCode(code) ?? 'see docs/reference/errors.md'}`,
        ],
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

/** A monitor refuses changes that another key signed, without an answer. */
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
  return `${reported}: the change is in the log and counts once a monitor reads it; ${why}`
}

interface Group {
  readonly label: string
  readonly code?: string
  readonly message: string
  readonly partitions: number[]
}

/** Partitions with the same outcome. */
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

export interface Audit {
  document(version: string): RegisteredDocument | undefined
  documents(): readonly RegisteredDocument[]
  controls(): readonly Control[]
}

/** The present status; differences come with what to do about them. */
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
