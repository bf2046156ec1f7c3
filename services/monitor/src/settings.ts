import { TENANT_PATTERN } from '@plimsoll/contracts'
import {
  type ConfigOf,
  checkKafkaSettings,
  identitySettings,
  kafkaSettings,
  redisSettings,
  serviceSettings,
  setting,
} from '@plimsoll/runtime'
import type { IdentitySettings } from './records/identity.js'
import { MONITOR_LIMITS } from './records/quota.js'

const files = (env: string, what: string, besides = '') =>
  setting.list({
    env,
    doc: `Files of ${what}, with commas between: the first is active for new sessions, the others stay for sessions pinned to them. The one that ships with Plimsoll where it is left out.${besides}`,
  })

/** What `plimsoll monitor` reads from its environment. */
export const monitorSettings = {
  ...kafkaSettings,
  ...redisSettings,
  ...serviceSettings,
  group: setting.text({
    env: 'PLIMSOLL_GROUP',
    doc: 'Consumer group of the monitors.',
    default: 'plimsoll-monitor',
  }),
  signingKey: setting.text({
    env: 'PLIMSOLL_SIGNING_KEY',
    doc: 'Key of internal events and control changes; without it each of them is refused, and no deadlines are published.',
    expects: 'at least 16 characters',
    pattern: /^.{16,}$/,
    isSecret: true,
  }),
  ...identitySettings,
  identityKeyBefore: setting.text({
    env: 'PLIMSOLL_IDENTITY_KEY_BEFORE',
    doc: 'Identity key that is accepted as well: the old one, while its sessions last.',
    expects: 'at least 16 characters',
    pattern: /^.{16,}$/,
    isSecret: true,
  }),
  identity: setting.choice(['required', 'optional'])({
    env: 'PLIMSOLL_IDENTITY',
    doc: 'Whether agents must prove their identity: `required` refuses events without proof, `optional` only events with a wrong proof. `required` if there is an identity key; without one nothing is verified.',
  }),
  bundles: files(
    'PLIMSOLL_BUNDLES',
    'model bundles',
    ' Instead of a file the name of a bundle that ships: `default`, or `paper60` for the published method, by the labels of tools alone.',
  ),
  policies: files('PLIMSOLL_POLICIES', 'policies'),
  catalogues: files('PLIMSOLL_CATALOGUES', 'tool catalogues', ' Each adds to those that ship, tool by tool.'),
  createTopics: setting.flag({
    env: 'PLIMSOLL_CREATE_TOPICS',
    doc: 'Whether to make missing topics.',
    default: 'true',
  }),
  partitions: setting.integer({
    env: 'PLIMSOLL_PARTITIONS',
    doc: 'Partitions of topics that are made: as many monitors can share the work. It cannot be changed later.',
    default: '12',
    min: 1,
    max: 4096,
  }),
  replicas: setting.integer({
    env: 'PLIMSOLL_REPLICAS',
    doc: "Replicas of topics that are made; the brokers' default where it is left out.",
    min: 1,
    max: 32,
  }),
  chunkEventsMax: setting.integer({
    env: 'PLIMSOLL_CHUNK_EVENTS_MAX',
    doc: 'Records carried through the delivery order at a time.',
    default: String(MONITOR_LIMITS.chunkEventsMax),
    min: 1,
    max: 10_000,
  }),
  eventBytesMax: setting.integer({
    env: 'PLIMSOLL_EVENT_BYTES_MAX',
    doc: 'Bytes of the largest event that is taken.',
    default: String(MONITOR_LIMITS.eventBytesMax),
    min: 1024,
    max: 1024 * 1024,
  }),
  idleTtlSeconds: setting.integer({
    env: 'PLIMSOLL_IDLE_TTL_SECONDS',
    doc: 'A session without events ends after this.',
    default: String(MONITOR_LIMITS.idleTtlMs / 1000),
    min: 60,
  }),
  endedTtlSeconds: setting.integer({
    env: 'PLIMSOLL_ENDED_TTL_SECONDS',
    doc: 'How long an ended session is remembered, so that late events of it are known.',
    default: String(MONITOR_LIMITS.endedTtlMs / 1000),
    min: 1,
  }),
  rebuildEventsMax: setting.integer({
    env: 'PLIMSOLL_REBUILD_EVENTS_MAX',
    doc: 'Records of a partition that are read back at most, where the session store has lost what was in it. Sessions that began before them are lost.',
    default: String(MONITOR_LIMITS.rebuildEventsMax),
    min: 1_000,
    max: 100_000_000,
  }),
  sessionEventsPerSecondMax: setting.integer({
    env: 'PLIMSOLL_SESSION_EVENTS_PER_SECOND_MAX',
    doc: 'Events of a session that are taken within a second; what is over is refused and can be sent again.',
    default: String(MONITOR_LIMITS.sessionEventsPerSecondMax),
    min: 1,
  }),
  tenantEventsPerSecondMax: setting.integer({
    env: 'PLIMSOLL_TENANT_EVENTS_PER_SECOND_MAX',
    doc: 'Events of a tenant that are taken within a second in each partition; as many as come where it is left out.',
    min: 1,
  }),
  countTransitions: setting.flag({
    env: 'PLIMSOLL_COUNT_TRANSITIONS',
    doc: 'Whether transitions of sessions over the states of their chain are counted in the session store, for `plimsoll fit --from-live`; without it there are no drift metrics.',
    default: 'true',
  }),
  uncountedTenants: setting.list({
    env: 'PLIMSOLL_UNCOUNTED_TENANTS',
    doc: 'Tenants whose sessions are not counted, with commas between: those that test, or attack on purpose.',
    expects: 'names of tenants with commas between',
    pattern: TENANT_PATTERN,
  }),
  sessionTimeoutMs: setting.integer({
    env: 'PLIMSOLL_SESSION_TIMEOUT_MS',
    doc: 'How long the group waits for a silent monitor before another takes its partitions.',
    default: String(MONITOR_LIMITS.sessionTimeoutMs),
    min: 6_000,
    max: 300_000,
  }),
}

export type MonitorConfig = ConfigOf<typeof monitorSettings>

/** For `parseConfig`'s `checks`, wherever `monitorSettings` are used. */
export function checkMonitorSettings(config: MonitorConfig): readonly string[] {
  const { identity, identityKey, identityKeyBefore } = config
  const problems = [...checkKafkaSettings(config)]
  if (identityKey === undefined && (identity !== undefined || identityKeyBefore !== undefined))
    problems.push('PLIMSOLL_IDENTITY, PLIMSOLL_IDENTITY_KEY_BEFORE: expected PLIMSOLL_IDENTITY_KEY with them')
  return problems
}

/** What agents are known by, as the settings say. */
export function identityOf(
  config: Pick<MonitorConfig, 'identity' | 'identityKey' | 'identityKeyBefore'>,
): IdentitySettings | undefined {
  const { identity, identityKey, identityKeyBefore } = config
  if (identityKey === undefined) return undefined
  const keys = [identityKey, identityKeyBefore].filter((key) => key !== undefined)
  return { keys, isRequired: identity !== 'optional' }
}
