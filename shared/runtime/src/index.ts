export * from './config/common-settings.js'
export * from './config/config.js'
export * from './accepted-records.js'
export * from './follow-topic.js'
export { assertOwn } from './own-file.js'
export * from './ports/event-log.js'
export { controlKeyOf, partitionOf } from './ports/partitioner.js'
export * from './ports/stores.js'
export * from './ports/topic-specs.js'
export {
  REFUSAL_REASONS,
  REGISTRY_LIMITS,
  openRegistry,
  registerDocument,
  type Refusal,
  type RefusalReason,
  type RefusedRecord,
  type RegisterLog,
  type Registry,
  type RegistryLimits,
  type RegistryLog,
  type RegistryOptions,
} from './registry.js'
export * from './shutdown.js'
export * from './telemetry/http.js'
export * from './telemetry/logger.js'
export * from './telemetry/metrics.js'
export {
  createBackoff,
  pause,
  systemClock,
  within,
  type Backoff,
  type BackoffOptions,
  type Clock,
} from './timing.js'
