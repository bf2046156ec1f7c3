import { type Catalogue, type Topics, PlimsollError, topicsOf } from '@plimsoll/contracts'
import { type ObserverPart, OBSERVER_PARTS } from '@plimsoll/labels'
import { type RuleFiles, checkMonitorSettings, identityOf, monitorSettings } from '@plimsoll/monitor'
import { type Disclosure, disclosuresOf, readCatalogue, readDocument } from '@plimsoll/policy'
import {
  type Environment,
  type EventLog,
  type Logger,
  type OnRelease,
  consumerGroup,
  parseConfig,
} from '@plimsoll/runtime'
import { createEmbeddedLog, createEmbeddedStore } from '@plimsoll/runtime/embedded'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { type OwnMonitor, startOwnMonitor } from '../../own-monitor.js'

/** What lies between the replayed agents and their verdicts. */
export interface Transport {
  readonly log: EventLog
  readonly topics: Topics
  /** Undefined where somebody else's monitor decides. */
  readonly own: OwnMonitor | undefined
  /** With which the clients prove who they are. */
  readonly identityKey: string | undefined
  /** By which the clients see texts: that of the monitor's rules. */
  readonly catalogue: Catalogue
  /** Arguments that the clients disclose: what the monitor's policy reads. */
  readonly disclose: readonly Disclosure[]
}

/** The bundle that a monitor of its own decides by: a file, or the name of one that ships; that of its settings where it is left out. */
export type ModelFile = string | undefined

export async function openEmbedded(
  model: ModelFile,
  logger: Logger,
  onRelease: OnRelease,
): Promise<Transport> {
  const log = createEmbeddedLog({ logger })
  onRelease(() => log.close())
  const store = createEmbeddedStore()
  onRelease(() => store.close())
  const topics = topicsOf()
  const own = await startOwnMonitor({
    log,
    store,
    topics,
    group: 'plimsoll-replay',
    partitions: 4,
    logger,
    rules: bundlesOf(model),
  })
  onRelease(() => own.monitor.close())
  return { log, topics, own, identityKey: undefined, ...(await clientDocuments()) }
}

const bundlesOf = (model: ModelFile): Pick<RuleFiles, 'bundles'> =>
  model === undefined ? {} : { bundles: [model] }

export async function openKafka(
  env: Environment,
  hasMonitor: boolean,
  model: ModelFile,
  logger: Logger,
  onRelease: OnRelease,
): Promise<Transport> {
  const config = parseConfig(monitorSettings, env, { checks: [checkMonitorSettings] })
  const log = createKafkaLog({ ...kafkaConnectionOf(config), logger })
  onRelease(() => log.close())
  const topics = topicsOf(config.topicPrefix)
  const documents = await clientDocuments(config)
  const { identityKey } = config
  if (!hasMonitor) return { log, topics, own: undefined, identityKey, ...documents }
  const store = createRedisStore({ url: config.redisUrl, prefix: config.topicPrefix, logger })
  onRelease(() => store.close())
  const { partitions, replicas, signingKey } = config
  const own = await startOwnMonitor({
    log,
    store,
    topics,
    group: consumerGroup(config.topicPrefix, 'monitor'),
    partitions,
    replicas,
    signingKey,
    identity: identityOf(config),
    logger,
    rules: { ...config, ...bundlesOf(model) },
  })
  onRelease(() => own.monitor.close())
  return { log, topics, own, identityKey, ...documents }
}

async function clientDocuments({ catalogues, policies }: RuleFiles = {}): Promise<
  Pick<Transport, 'catalogue' | 'disclose'>
> {
  const [catalogue, policy] = await Promise.all([
    readCatalogue(catalogues?.slice(0, 1)),
    readDocument('policy', policies?.[0]),
  ])
  return { catalogue, disclose: disclosuresOf(policy) }
}

/**
 * Names of what an observer can leave out.
 *
 * @throws PlimsollError `usage_invalid` naming the first that is none
 */
export function parseParts(names: readonly string[]): ObserverPart[] {
  return names.map((name) => {
    const part = OBSERVER_PARTS.find((each) => each === name)
    if (part) return part
    throw new PlimsollError(
      'usage_invalid',
      `\`--without\` is one of ${OBSERVER_PARTS.join(', ')}, not \`${name}\``,
    )
  })
}
