import { DEAD_LETTER_BYTES_MAX } from '@plimsoll/contracts'
import type { PartitionInfo, TopicCopies } from '@plimsoll/runtime'
import { spanText } from './clocks.js'
import { type Finding, fail, ok, warn } from './redis.js'

export type TopicRole = 'events' | 'decisions' | 'deadLetters' | 'registry' | 'shadow'

/** What Kafka reports about one topic. */
export interface TopicFacts {
  readonly role: TopicRole
  readonly topic: string
  /** Undefined where there is no such topic. */
  readonly partitions: readonly PartitionInfo[] | undefined
  /** Undefined where Kafka will not say. */
  readonly settings: Readonly<Record<string, string>> | undefined
  readonly copies: TopicCopies | undefined
}

/** What the topics must hold. */
export interface TopicNeeds {
  /** How long an idle session is kept; it is rebuilt from the events of that time. */
  readonly idleTtlMs: number
  readonly eventBytesMax: number
  /** Of the largest document there is to publish. */
  readonly documentBytes: number
}

type Rule = (facts: TopicFacts, settings: Readonly<Record<string, string>>, needs: TopicNeeds) => Finding[]

/** Keys, headers and what frames a record, beside its value. */
const FRAME_BYTES = 8 * 1024
const HOUR_MS = 3_600_000

const RULES: readonly Rule[] = [times, cleanup, retention, retentionBytes, messageBytes, partitionCount]

/** Findings about one topic: one if all is well. */
export function topicFindings(facts: TopicFacts, needs: TopicNeeds): readonly Finding[] {
  const { topic, partitions, settings } = facts
  const name = nameOf(facts)
  if (!partitions) {
    const [what, remedy] = [`there is no topic \`${topic}\``, '`plimsoll doctor --create` makes it']
    // Without it a candidate's differences are counted and not written; verdicts do without.
    return [facts.role === 'shadow' ? warn(name, what, remedy) : fail(name, what, remedy)]
  }
  const problems = [
    ...(settings
      ? RULES.flatMap((rule) => rule(facts, settings, needs))
      : [warn(name, 'its settings are not known', 'let this principal describe configurations')]),
    ...copiesFindings(facts),
  ]
  return problems.length > 0 ? problems : [ok(name, summaryOf(facts))]
}

const nameOf = ({ topic }: TopicFacts): string => `topic ${topic}`

function times(facts: TopicFacts, settings: Readonly<Record<string, string>>): Finding[] {
  const type = settings['message.timestamp.type']
  if (type === undefined || type === 'LogAppendTime') return []
  const what = `its times are the producers' (message.timestamp.type ${type})`
  const remedy = remedyBy(facts, 'message.timestamp.type=LogAppendTime')
  return [facts.role === 'events' ? fail(nameOf(facts), what, remedy) : warn(nameOf(facts), what, remedy)]
}

function cleanup(facts: TopicFacts, settings: Readonly<Record<string, string>>): Finding[] {
  const policy = settings['cleanup.policy']
  const expected = facts.role === 'registry' ? 'compact' : 'delete'
  if (policy === undefined || policy === expected) return []
  const lost =
    facts.role === 'registry'
      ? 'documents that sessions are pinned to would be deleted'
      : 'records of one session would take each other away'
  return [
    fail(
      nameOf(facts),
      `its cleanup.policy is ${policy}: ${lost}`,
      remedyBy(facts, `cleanup.policy=${expected}`),
    ),
  ]
}

function retention(
  facts: TopicFacts,
  settings: Readonly<Record<string, string>>,
  needs: TopicNeeds,
): Finding[] {
  const kept = numberIn(settings, 'retention.ms')
  const { leastMs, why } = retentionNeed(facts.role, needs)
  if (kept === undefined || kept < 0 || kept >= leastMs) return []
  const what = `it keeps records for ${spanText(kept)} (retention.ms ${kept}): ${why}`
  return [warn(nameOf(facts), what, remedyBy(facts, `retention.ms=${leastMs}`))]
}

function retentionNeed(role: TopicRole, { idleTtlMs }: TopicNeeds): { leastMs: number; why: string } {
  switch (role) {
    case 'events':
      return {
        leastMs: idleTtlMs,
        why: `a session is remembered for ${spanText(idleTtlMs)} and could not be rebuilt`,
      }
    case 'decisions':
      return { leastMs: HOUR_MS, why: 'why a step was stopped could not be looked up' }
    case 'deadLetters':
      return { leastMs: 24 * HOUR_MS, why: 'what was set aside would be gone too soon' }
    case 'shadow':
      return { leastMs: HOUR_MS, why: 'what a candidate differs in could not be looked at' }
    case 'registry':
      return { leastMs: -1, why: '' }
  }
}

function retentionBytes(facts: TopicFacts, settings: Readonly<Record<string, string>>): Finding[] {
  const kept = numberIn(settings, 'retention.bytes')
  if (facts.role !== 'events' || kept === undefined || kept < 0) return []
  const what = `it keeps ${kept} bytes a partition (retention.bytes): how long that is depends on the load`
  return [warn(nameOf(facts), what, remedyBy(facts, 'retention.bytes=-1'))]
}

function messageBytes(
  facts: TopicFacts,
  settings: Readonly<Record<string, string>>,
  needs: TopicNeeds,
): Finding[] {
  const taken = numberIn(settings, 'max.message.bytes')
  const need = bytesNeed(facts.role, needs)
  if (taken === undefined || !need || taken >= need.bytes + FRAME_BYTES) return []
  const what = `it takes records of ${taken} bytes (max.message.bytes): ${need.why}`
  const remedy = remedyBy(facts, `max.message.bytes=${need.bytes + FRAME_BYTES}`)
  return [need.isVital ? fail(nameOf(facts), what, remedy) : warn(nameOf(facts), what, remedy)]
}

function bytesNeed(
  role: TopicRole,
  { eventBytesMax, documentBytes }: TopicNeeds,
): { bytes: number; why: string; isVital: boolean } | undefined {
  switch (role) {
    case 'events':
      return { bytes: eventBytesMax, why: `events of ${eventBytesMax} bytes are allowed`, isVital: false }
    case 'deadLetters':
      return {
        bytes: DEAD_LETTER_BYTES_MAX,
        why: 'a large dead letter would stop its monitor',
        isVital: true,
      }
    case 'registry':
      return { bytes: documentBytes, why: `a document here has ${documentBytes}`, isVital: false }
    case 'decisions':
    case 'shadow':
      return undefined
  }
}

function partitionCount(facts: TopicFacts): Finding[] {
  const count = facts.partitions?.length ?? 0
  if (facts.role !== 'registry' || count === 1) return []
  const remedy =
    'delete it while no monitor runs, `plimsoll doctor --create`, and publish the documents again'
  return [
    fail(nameOf(facts), `it has ${count} partitions and must have one: its order is what counts`, remedy),
  ]
}

/** Of one broker nothing better can be asked. */
function copiesFindings(facts: TopicFacts): Finding[] {
  const { copies, settings } = facts
  if (!copies || copies.brokers < 2) return []
  const name = nameOf(facts)
  const { replicas, inSync, brokers } = copies
  const findings: Finding[] = []
  const reported = numberIn(settings ?? {}, 'min.insync.replicas')
  const least = reported ?? 1
  if (inSync < least)
    findings.push(
      fail(
        name,
        `a partition has ${inSync} replicas in sync, where ${least} are demanded: nothing can be written to it`,
        'bring the brokers back that are away',
      ),
    )
  else if (inSync < replicas)
    findings.push(
      warn(
        name,
        `a partition has only ${inSync} of its ${replicas} replicas in sync`,
        'see which broker is away or behind',
      ),
    )
  if (replicas < Math.min(3, brokers))
    findings.push(
      warn(
        name,
        `it has ${replicas} replicas on ${brokers} brokers`,
        'raise them to 3 with kafka-reassign-partitions.sh',
      ),
    )
  if (reported !== undefined && reported < 2 && replicas >= 2)
    findings.push(
      warn(
        name,
        `one replica is enough for a write (min.insync.replicas ${least}): a broker that fails may take records with it`,
        remedyBy(facts, 'min.insync.replicas=2'),
      ),
    )
  return findings
}

function summaryOf({ partitions = [], settings, copies }: TopicFacts): string {
  const kept = numberIn(settings ?? {}, 'retention.ms')
  const isCompacted = settings?.['cleanup.policy'] === 'compact'
  return [
    counted(partitions.length, 'partition'),
    ...(copies ? [counted(copies.replicas, 'replica')] : []),
    ...(isCompacted
      ? ['compacted']
      : kept === undefined
        ? []
        : [`keeps ${kept < 0 ? 'all' : spanText(kept)}`]),
  ].join(', ')
}

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const remedyBy = ({ topic }: TopicFacts, setting: string): string =>
  `kafka-configs.sh --bootstrap-server "$KAFKA_BROKERS" --alter --entity-type topics --entity-name ${topic} --add-config ${setting}`

function numberIn(settings: Readonly<Record<string, string>>, name: string): number | undefined {
  const value = Number(settings[name] ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}
