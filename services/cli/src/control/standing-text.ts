import type { Control, DocumentKind, RegisteredDocument } from '@plimsoll/contracts'
import { DOCUMENT_KINDS } from '@plimsoll/contracts'
import { plainText } from '../plain-text.js'
import { controlSubject, scopeText, whoText } from './control-text.js'
import { partitionsText } from './ranges.js'
import type { Standing, Standings, Straggler } from './standing.js'

export interface Audit {
  document(version: string): RegisteredDocument | undefined
  documents(): readonly RegisteredDocument[]
  controls(): readonly Control[]
}

/** What stands, for a reader in a hurry: what differs comes with what to do about it. */
export function standingText({ standings, stragglers, latest }: Standings, audit: Audit): string {
  const [most, ...others] = standings
  const differing = others.flatMap((each) => [
    `\nDIFFERENT in ${partitionsText(each.partitions)}; send the latest change again:\n`,
    ...standingLines(each, audit),
  ])
  const lines = [...(most ? standingLines(most, audit) : []), ...differing]
  const late = latest ? stragglerLines(stragglers, latest) : []
  return [...lines, ...late, ...documentLines(audit)].join('')
}

function standingLines(standing: Standing, audit: Audit): string[] {
  const { active, running, modes, stops, shadow } = standing
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

function shadowRows(shadow: NonNullable<Standing['shadow']>, audit: Audit): string[] {
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
    silent.length > 0 ? [`  ${partitionsText(silent)}: nothing told of it; is a monitor running?\n`] : []
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
