export { REGISTRY_LIMITS, type RegistryLimits } from './registry.js'
export { REFUSAL_REASONS, type Refusal, type RefusalReason } from './registry.js'
export { registerDocument, type RegisterLog } from './registry.js'
export {
  openRegistry,
  type RefusedRecord,
  type Registry,
  type RegistryLog,
  type RegistryOptions,
} from './registry.js'
