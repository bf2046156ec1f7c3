import { topicsOf, versionOf, type Policy, type RegisteredDocument, type Versions } from '@plimsoll/contracts'
import { controlsBefore, createControlView, NO_CONTROLS } from '@plimsoll/engine'
import { monitorSettings, readRuleDocuments } from '@plimsoll/monitor'
import { createRuleShelf, readDocument, type RuleShelf } from '@plimsoll/policy'
import {
  checkKafkaSettings,
  kafkaSettings,
  openRegistry,
  parseConfig,
  type Registry,
} from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { TOPIC_RECORDS_MAX, whatIfTopic, type TopicDiff } from '@plimsoll/trainer'
import type { Context } from '../command.js'
import { within } from '../pipeline/within.js'
import { createProgress } from '../progress.js'
import { ruleSettings } from './what-if-files.js'

export const whatIfTopicSettings = {
  ...kafkaSettings,
  ...ruleSettings,
  signingKey: monitorSettings.signingKey,
}

export interface TopicOrder {
  readonly policy: Policy
  /** Held against in place of what sessions were pinned to. */
  readonly against: Policy | undefined
  /** How far back, milliseconds; all that there is where it is left out. */
  readonly since: number | undefined
  readonly limit: number | undefined
  readonly examples: number
}

/** The diff over the sessions of the deployment that the environment names, with a bar on `stderr`. */
export async function diffTopic(order: TopicOrder, { env, stderr, signal }: Context): Promise<TopicDiff> {
  const config = parseConfig(whatIfTopicSettings, env, { prefixes: [], checks: [checkKafkaSettings] })
  const { since, limit, examples } = order
  const progress = createProgress(stderr, 'what if')
  const reading = within(async (onRelease) => {
    const log = createKafkaLog(kafkaConnectionOf(config))
    onRelease(() => log.close())
    await log.ping()
    const topics = topicsOf(config.topicPrefix)
    const { signingKey } = config
    const registry = await openRegistry({ log, topic: topics.registry, signingKey, follow: false, signal })
    onRelease(() => registry.close())
    const known = [order.policy, ...(order.against ? [order.against] : [])].map(registered)
    const shelf = createRuleShelf({
      defaults: await readRuleDocuments(config),
      document: (version) => known.find((each) => each.version === version) ?? registry.document(version),
    })
    return whatIfTopic({
      log,
      topic: topics.events,
      signingKey,
      pinsOf: pinsFrom(registry, shelf),
      rulesOf: bothSides(order, shelf),
      fromMs: since === undefined ? undefined : Date.now() - since,
      recordsMax: TOPIC_RECORDS_MAX,
      limit,
      examplesMax: examples,
      onProgress: (share, sessions, steps) => progress.update(share, `${sessions} sessions, ${steps} steps`),
      signal,
    })
  })
  return reading.finally(() => progress.end())
}

const registered = (document: Policy): RegisteredDocument => ({
  kind: 'policy',
  version: versionOf(document),
  document,
})

/** What the partition last told of its controls; the latest changes have their place there, older ones count from the beginning. */
function pinsFrom(registry: Registry, { defaults }: RuleShelf) {
  return (partition: number, startedAt: bigint, endedAt: bigint): Versions => {
    const log = registry.report(partition)?.controls ?? NO_CONTROLS
    const pins = createControlView(controlsBefore(log, startedAt)).activeOver(defaults)
    return createControlView(controlsBefore(log, endedAt)).movedTo(pins, startedAt)
  }
}

function bothSides({ policy, against }: TopicOrder, shelf: RuleShelf) {
  const candidateVersion = versionOf(policy)
  const againstVersion = against && versionOf(against)
  return (pins: Versions) => {
    const old = shelf.rules({ ...pins, policy: againstVersion ?? pins.policy })
    const candidate = shelf.rules({ ...pins, policy: candidateVersion })
    return old && candidate ? { old, candidate } : undefined
  }
}

export const readOptionalPolicy = (file: string | undefined): Promise<Policy> | undefined =>
  file === undefined ? undefined : readDocument('policy', file)
