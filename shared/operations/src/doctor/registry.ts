import type { ControlState, PartitionReport } from '@plimsoll/contracts'
import { controlsBefore } from '@plimsoll/engine'
import { type EventLog, type RefusedRecord, type Registry, openRegistry } from '@plimsoll/runtime'
import { type Finding, fail, ok, warn } from './redis.js'
import { counted } from './topics.js'

/** Behind every offset there can be. */
const AFTER_ALL = 2n ** 63n

export interface RegistryCheck {
  readonly log: EventLog
  readonly topic: string
  readonly signingKey: string | undefined
  /** Of the events topic. */
  readonly partitions: number
  /** Versions of the documents that the monitors are given as files. */
  readonly atHand: ReadonlySet<string>
}

/** Reads the registry once, and checks it. */
export async function checkRegistry(question: RegistryCheck): Promise<readonly Finding[]> {
  const { log, topic, signingKey } = question
  const refused: RefusedRecord[] = []
  const onRefused = (record: RefusedRecord) => void refused.push(record)
  const registry = await openRegistry({ log, topic, signingKey, watch: false, onRefused })
  await registry.close()
  return registryFindings(registry, refused, question)
}

export function registryFindings(
  registry: Pick<Registry, 'documents' | 'document' | 'report'>,
  refused: readonly RefusedRecord[],
  { partitions, atHand }: Pick<RegistryCheck, 'partitions' | 'atHand'>,
): readonly Finding[] {
  const reports = Array.from({ length: partitions }, (_, partition) => registry.report(partition))
  const known = reports.flatMap((report) => (report ? [report] : []))
  const states = known.map(({ controls }) => controlsBefore(controls, AFTER_ALL))
  const isKnown = (version: string) => atHand.has(version) || registry.document(version) !== undefined
  const problems = [
    ...refusedRecords(refused),
    ...missingVersions(states, isKnown),
    ...disagreement(reports),
    ...refusedChanges(known),
  ]
  const [state] = states
  return [
    ...problems,
    ...(problems.length > 0 ? [] : [ok('registry', counted(registry.documents().length, 'document'))]),
    ...(state ? [stops(states)] : []),
  ]
}

function refusedRecords(refused: readonly RefusedRecord[]): Finding[] {
  const [first] = refused
  if (!first) return []
  const what = `${counted(refused.length, 'record')} are not valid, such as \`${first.key}\`: ${first.message}`
  const isSigned = refused.some(({ reason }) => reason === 'signature_invalid')
  const key = isSigned
    ? 'see whether PLIMSOLL_SIGNING_KEY is that of the monitors; if it is, nothing counts that another key signed; '
    : ''
  return [warn('registry', what, `${key}see who may write to that topic`)]
}

function missingVersions(states: readonly ControlState[], isKnown: (version: string) => boolean): Finding[] {
  const active = states.flatMap(({ active, running }) => [
    ...Object.values(active),
    ...Object.values(running).map((each) => each?.version),
  ])
  const missing = [...new Set(active)].filter((version) => version !== undefined && !isKnown(version))
  return missing.map((version) =>
    fail(
      'registry',
      `version ${version} is active and not registered`,
      '`plimsoll publish` its file again, or `plimsoll control activate` another',
    ),
  )
}

/** A change goes to every partition; some may not have read it yet. */
function disagreement(reports: readonly (PartitionReport | undefined)[]): Finding[] {
  const latest = new Set(reports.map((report) => report?.control))
  if (latest.size < 2) return []
  const what = `the partitions have ${latest.size} different latest control changes`
  return [warn('registry', what, 'look again in a minute; where it stays, send the latest change again')]
}

function refusedChanges(reports: readonly PartitionReport[]): Finding[] {
  return reports.flatMap(({ partition, control, refused }) =>
    refused
      ? [
          warn(
            'registry',
            `partition ${partition} refused the change \`${control}\`: ${refused.code}: ${refused.message}`,
            'fix what it names, and send the change again',
          ),
        ]
      : [],
  )
}

function stops(states: readonly ControlState[]): Finding {
  const status = states.flatMap(({ stops }) => stops)
  const [first] = status
  if (!first) return ok('stop switch', 'not thrown')
  const whom = new Set(status.map(({ tenant }) => (tenant === null ? 'the fleet' : `tenant ${tenant}`)))
  return warn(
    'stop switch',
    `${[...whom].join(', ')} stopped by ${first.by}${first.reason === undefined ? '' : `: ${first.reason}`}`,
    '`plimsoll control resume` lifts the stop',
  )
}
