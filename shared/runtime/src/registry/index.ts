export { REGISTRY_LIMITS, type RegistryLimits } from './contents.js'
export { REFUSAL_REASONS, type Refusal, type RefusalReason } from './examine.js'
export { registerDocument, type RegisterLog } from './register.js'
export {
  openRegistry,
  type RefusedRecord,
  type Registry,
  type RegistryLog,
  type RegistryOptions,
} from './registry.js'
