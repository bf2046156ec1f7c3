import { TENANT_PATTERN } from '@plimsoll/contracts'
import {
  SIGNING_KEY,
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
    doc: `Files of ${what}, separated by commas: the first is active for new sessions, the others serve sessions pinned to them. Default: what ships with Plimsoll.${besides}`,
  })

/** Settings of `plimsoll monitor`. */
export const monitorSettings = {
  ...kafkaSettings,
  ...redisSettings,
  ...serviceSettings,
  signingKey: setting.text(SIGNING_KEY),
  ...identitySettings,
  identityKeyBefore: setting.text({
    env: 'PLIMSOLL_IDENTITY_KEY_BEFORE',
    doc: 'Previous identity key, also accepted while sessions that used it last.',
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
    ' The name of a shipped bundle works too: `default`, or `paper60` for the published method, which uses tool labels alone.',
  ),
  policies: files('PLIMSOLL_POLICIES', 'policies'),
  catalogues: files(
    'PLIMSOLL_CATALOGUES',
    'tool catalogues',
    ' Each is merged over the shipped catalogues, tool by tool.',
  ),
  createTopics: setting.flag({
    env: 'PLIMSOLL_CREATE_TOPICS',
    doc: 'Whether to create missing topics.',
    default: 'true',
  }),
  partitions: setting.integer({
    env: 'PLIMSOLL_PARTITIONS',
    doc: 'Partitions of created topics, and so the most monitors that can share the work. It cannot be changed later.',
    default: '12',
    min: 1,
    max: 4096,
  }),
  replicas: setting.integer({
    env: 'PLIMSOLL_REPLICAS',
    doc: 'Replicas of created topics. Default: that of the brokers.',
    min: 1,
    max: 32,
  }),
  idleTtlSeconds: setting.integer({
    env: 'PLIMSOLL_IDLE_TTL_SECONDS',
    doc: 'A session ends after this time without events.',
    default: String(MONITOR_LIMITS.idleTtlMs / 1000),
    min: 60,
  }),
  rebuildEventsMax: setting.integer({
    env: 'PLIMSOLL_REBUILD_EVENTS_MAX',
    doc: 'Most records of a partition that are replayed when the session store has lost data. Sessions that started earlier are lost.',
    default: String(MONITOR_LIMITS.rebuildEventsMax),
    min: 1_000,
    max: 100_000_000,
  }),
  sessionEventsPerSecondMax: setting.integer({
    env: 'PLIMSOLL_SESSION_EVENTS_PER_SECOND_MAX',
    doc: 'Events of a session accepted within a second; further events are refused and can be sent again.',
    default: String(MONITOR_LIMITS.sessionEventsPerSecondMax),
    min: 1,
  }),
  tenantEventsPerSecondMax: setting.integer({
    env: 'PLIMSOLL_TENANT_EVENTS_PER_SECOND_MAX',
    doc: 'Events of a tenant accepted within a second in each partition. Default: no limit.',
    min: 1,
  }),
  uncountedTenants: setting.list({
    env: 'PLIMSOLL_UNCOUNTED_TENANTS',
    doc: 'Tenants, separated by commas, whose sessions are left out of the counts for `plimsoll fit --from-live` and of the drift metrics, such as tests and attack exercises; `*` for all tenants.',
    expects: 'names of tenants separated by commas, or `*`',
    pattern: new RegExp(`^\\*$|${TENANT_PATTERN.source}`),
  }),
  sessionTimeoutMs: setting.integer({
    env: 'PLIMSOLL_SESSION_TIMEOUT_MS',
    doc: 'How long the consumer group waits for a silent monitor before it reassigns its partitions.',
    default: String(MONITOR_LIMITS.sessionTimeoutMs),
    min: 6_000,
    max: 300_000,
  }),
}

export type MonitorConfig = ConfigOf<typeof monitorSettings>

/** For the `checks` of `parseConfig` with `monitorSettings`. */
export function checkMonitorSettings(config: MonitorConfig): readonly string[] {
  const { identity, identityKey, identityKeyBefore } = config
  const problems = [...checkKafkaSettings(config)]
  if (identityKey === undefined && (identity !== undefined || identityKeyBefore !== undefined))
    problems.push('PLIMSOLL_IDENTITY, PLIMSOLL_IDENTITY_KEY_BEFORE: expected PLIMSOLL_IDENTITY_KEY with them')
  return problems
}

/** The identity rules, undefined without an identity key. */
export function identityOf(
  config: Pick<MonitorConfig, 'identity' | 'identityKey' | 'identityKeyBefore'>,
): IdentitySettings | undefined {
  const { identity, identityKey, identityKeyBefore } = config
  if (identityKey === undefined) return undefined
  const keys = [identityKey, identityKeyBefore].filter((key) => key !== undefined)
  return { keys, isRequired: identity !== 'optional' }
}
